// Simulated card use. Success means that the simulation is accepted. Its effect follows.
import { CardRecord } from '#cards/card.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { type InputOf, inputOf, schemaInput } from '#graphql/input-of.ts'
import { addMutation, payloadWith, withoutNulls } from '#graphql/mutation.ts'
import type { CardStep } from '#transactions/cards/steps.ts'
import {
  AUTHORIZATION_KINDS,
  adviceRequest,
  authorizationRequest,
  clearingRequest,
  inquiryRequest,
  merchant,
  returnRequest,
  reversalRequest,
} from './request.ts'
import {
  SIMULATION_TEXTS,
  type SimulationAccepted,
  simulateAuthorization,
  simulateInquiry,
  simulateStep,
} from './simulate.ts'

const SimulationAcceptedType = builder.objectRef<SimulationAccepted>('SimulationAccepted').implement({
  description: 'The simulation is accepted. Events report its effect. A declined use has no event. REST: 202.',
  fields: (t) => ({
    issuerTransactionToken: t.exposeString('issuerTransactionToken', {
      nullable: false,
      description: SIMULATION_TEXTS.issuerTransactionToken,
    }),
  }),
})

const SimulationPayload = payloadWith('Simulation', 'Result of the simulations of card use.', {
  success: SimulationAcceptedType,
  statuses: [400, 403, 404],
})

const AuthorizationKindEnum = enumOf('CardAuthorizationKind', 'How a card is used.', AUTHORIZATION_KINDS, {
  AUTHORIZATION: 'A purchase that is cleared later.',
  CREDIT_AUTHORIZATION: 'A credit that is cleared later.',
  FINANCIAL_AUTHORIZATION: 'A purchase that is cleared at once.',
  FINANCIAL_CREDIT_AUTHORIZATION: 'A credit that is cleared at once.',
  CREDIT_AUTHORIZATION_ADVICE: 'The advice of a credit that is cleared later.',
})

inputOf('CardMerchantInput', 'Where a card is used.', merchant)

const CARD_ID = CardRecord.texts.id
const REFUSED = 'Errors: `FORBIDDEN` in production, `REFERENCE_NOT_FOUND`'

addMutation('simulateCardAuthorization', {
  description: `Simulates a use of a card in the sandbox, which a job then approves or declines. ${REFUSED}, \`INVALID_INPUT\` with the reason \`CARD_NOT_ACTIVE\`, \`INVALID_CURRENCY\`. REST: \`POST /sandbox/cards/{id}/simulate/authorization\` and its variants.`,
  input: schemaInput(authorizationRequest.omit({ currency: true }), (t) => ({
    cardId: t.id({ required: true, description: CARD_ID }),
    kind: t.field({
      type: AuthorizationKindEnum,
      required: true,
      defaultValue: 'AUTHORIZATION',
      description: 'How the card is used.',
    }),
    currency: t.string({ required: true, description: "Code of the card's currency." }),
  })),
  check: authorizationRequest,
  payload: SimulationPayload,
  placeOf: (_input, field) => `input.${field.replace(/^currency\.code$/, 'currency')}`,
  resolve: ({ cardId, kind, amount, currency, merchant: place }, { caller }) =>
    simulateAuthorization(caller, cardId, kind, {
      amount,
      currency: { code: currency },
      merchant: withoutNulls(place),
    }),
})

addMutation('simulateBalanceInquiry', {
  description: `Simulates a balance inquiry in the sandbox. It changes nothing. ${REFUSED}, \`INVALID_INPUT\` with the reason \`CARD_NOT_ACTIVE\`. REST: \`POST /sandbox/cards/{id}/simulate/balance_inquiry\`.`,
  input: schemaInput(inquiryRequest, (t) => ({
    cardId: t.id({ required: true, description: CARD_ID }),
  })),
  payload: SimulationPayload,
  resolve: ({ cardId, ...input }, { caller }) => simulateInquiry(caller, cardId, withoutNulls(input)),
})

const addStep = (
  name: string,
  step: CardStep,
  description: string,
  schema: typeof adviceRequest | typeof reversalRequest,
) => {
  addMutation(name, {
    description: `${description} ${REFUSED}, also for a transaction that is not the card's, \`INVALID_INPUT\` with the reason \`WRONG_STATUS\` where the transaction does not allow it. REST: \`POST /sandbox/cards/{id}/simulate/${step.toLowerCase()}\`.`,
    input: schemaInput(schema as typeof reversalRequest, (t) => ({
      cardId: t.id({ required: true, description: CARD_ID }),
    })),
    payload: SimulationPayload,
    resolve: ({ cardId, ...input }: InputOf<typeof reversalRequest> & { cardId: string }, { caller }) =>
      simulateStep(caller, cardId, step, input),
  })
}

addStep(
  'simulateCardAuthorizationAdvice',
  'AUTHORIZATION_ADVICE',
  'Simulates a new total of an authorization in the sandbox. An increase is held, and a decrease is released at once.',
  adviceRequest,
)
addStep(
  'simulateCardClearing',
  'CLEARING',
  'Simulates a clearing in the sandbox. 0 closes the transaction.',
  clearingRequest,
)
addStep(
  'simulateCardReturn',
  'RETURN',
  "Simulates a merchant's return of all or a part of a purchase in the sandbox.",
  returnRequest,
)
addStep(
  'simulateCardReturnReversal',
  'RETURN_REVERSAL',
  'Simulates the reversal of the latest return in the sandbox.',
  reversalRequest,
)
