// `/sandbox/cards/{id}/simulate` in the REST contract.
import { z } from 'zod'
import { answer, body, failures, type Operations, pathId } from '#rest/operation.ts'
import {
  AUTHORIZATION_KINDS,
  type AuthorizationKind,
  adviceRequest,
  authorizationRequest,
  clearingRequest,
  inquiryRequest,
  returnRequest,
  reversalRequest,
} from './request.ts'
import { SIMULATION_TEXTS } from './simulate.ts'

const tags = ['Sandbox']

export const acceptedSchema = z
  .object({ issuerTransactionToken: z.string().describe(SIMULATION_TEXTS.issuerTransactionToken) })
  .meta({ id: 'SimulationAccepted', description: 'The simulation is accepted. Its effect follows.' })

const accepted = answer('Accepted. Events report the effect. A declined use has no event.', acceptedSchema)

const CARD_TRANSACTION = 'CardTransaction:00000000-0000-7000-8000-000000000000'
const COFFEE = { descriptor: 'COFFEE BAR', mcc: '5814', country: 'US' }

const operation = (
  name: string,
  mutation: string,
  summary: string,
  description: string,
  requestBody: ReturnType<typeof body>,
): Operations => {
  const operationId = `simulate${name.replace(/(^|_)([a-z])/g, (_match, _start, letter: string) => letter.toUpperCase())}`
  return {
    [`/sandbox/cards/{id}/simulate/${name}`]: {
      post: {
        operationId,
        'x-graphql': [`Mutation.${mutation}`],
        summary,
        description: `${description} 403 with a production token.`,
        tags,
        requestParams: { path: pathId('id', 'Card') },
        requestBody,
        responses: { 202: accepted, ...failures(404, 501) },
      },
    },
  }
}

const AUTHORIZATIONS: Readonly<Record<AuthorizationKind, string>> = {
  AUTHORIZATION: 'Simulate a purchase that is cleared later',
  CREDIT_AUTHORIZATION: 'Simulate a credit that is cleared later',
  FINANCIAL_AUTHORIZATION: 'Simulate a purchase that is cleared at once',
  FINANCIAL_CREDIT_AUTHORIZATION: 'Simulate a credit that is cleared at once',
  CREDIT_AUTHORIZATION_ADVICE: 'Simulate the advice of a credit that is cleared later',
}

const authorizationBody = body(
  authorizationRequest.meta({ id: 'SimulatedAuthorization', description: 'A use of the card.' }),
  { amount: 1250, currency: { code: 'USD' }, merchant: COFFEE },
)

const ofTransaction = { cardTransactionId: CARD_TRANSACTION }

export const simulationOperations: Operations = Object.assign(
  {},
  ...AUTHORIZATION_KINDS.map((kind) =>
    operation(
      kind.toLowerCase(),
      'simulateCardAuthorization',
      AUTHORIZATIONS[kind],
      'The use is declined if the card is frozen, the balance is too low, or the merchant is one of the magic values that decline. 400 unless the card is `ACTIVE` or `FROZEN`.',
      authorizationBody,
    ),
  ),
  operation(
    'balance_inquiry',
    'simulateBalanceInquiry',
    'Simulate a balance inquiry',
    'Changes nothing. 400 unless the card is `ACTIVE` or `FROZEN`.',
    body(inquiryRequest.meta({ id: 'SimulatedInquiry', description: 'A balance inquiry.' }), { merchant: COFFEE }),
  ),
  operation(
    'authorization_advice',
    'simulateCardAuthorizationAdvice',
    'Simulate a new total of an authorization',
    'An increase is held, and a decrease is released at once. 400 unless the transaction is `AUTHORIZED` or `PARTIALLY_SETTLED`.',
    body(adviceRequest.meta({ id: 'SimulatedAdvice', description: 'A new total.' }), {
      ...ofTransaction,
      amount: 1500,
    }),
  ),
  operation(
    'clearing',
    'simulateCardClearing',
    'Simulate a clearing',
    'The transaction is settled when its clearings add up to the authorized amount, or by a clearing of 0. 400 unless it is `AUTHORIZED` or `PARTIALLY_SETTLED`.',
    body(clearingRequest.meta({ id: 'SimulatedClearing', description: 'A clearing.' }), {
      ...ofTransaction,
      amount: 1250,
    }),
  ),
  operation(
    'return',
    'simulateCardReturn',
    "Simulate a merchant's return",
    'Returns all or a part of a purchase. 400 unless the transaction is `SETTLED` or `REFUNDED`.',
    body(returnRequest.meta({ id: 'SimulatedReturn', description: 'A return.' }), { ...ofTransaction, amount: 500 }),
  ),
  operation(
    'return_reversal',
    'simulateCardReturnReversal',
    'Simulate the reversal of the latest return',
    '400 unless the transaction is `REFUNDED`.',
    body(reversalRequest.meta({ id: 'SimulatedReturnReversal', description: 'A reversal.' }), ofTransaction),
  ),
)
