// The operations on cards over both APIs. Answers have the shape of REST in either case.
import type { Credentials } from '#test/setup/faces.ts'
import { type Answer, callRest, type Json, mutate } from '#test/setup/sca/sca-faces.ts'

/** A use of a card, by the last part of its path. */
export const USES = [
  'authorization',
  'credit_authorization',
  'financial_authorization',
  'financial_credit_authorization',
  'credit_authorization_advice',
] as const
export const STEPS = ['authorization_advice', 'clearing', 'return', 'return_reversal'] as const
export type Simulation = (typeof USES)[number] | (typeof STEPS)[number] | 'balance_inquiry'

export interface CardFace {
  readonly name: 'GraphQL' | 'REST'
  create(caller: Credentials, input: object): Promise<Answer>
  update(caller: Credentials, id: string, changes: object): Promise<Answer>
  reveal(caller: Credentials, id: string): Promise<Answer>
  simulate(caller: Credentials, cardId: string, simulation: Simulation, input: object): Promise<Answer>
}

const CARD = `card { id platformCardId state stateReason brand form last4 expMonth expYear cardholderId: customerId
  fundingSources { id } account { currency { code } } processorRef issuerRef createdAt updatedAt }`

const cardOf = ({ card: { fundingSources, account, ...card } }: Json) => ({
  ...Object.fromEntries(Object.entries(card).filter(([name, value]) => value !== null || name === 'stateReason')),
  fundingSources: fundingSources.map(({ id }: Json) => id),
  currency: account.currency.code,
})

const MUTATIONS: Readonly<Record<string, string>> = {
  balance_inquiry: 'simulateBalanceInquiry',
  authorization_advice: 'simulateCardAuthorizationAdvice',
  clearing: 'simulateCardClearing',
  return: 'simulateCardReturn',
  return_reversal: 'simulateCardReturnReversal',
}

const accepted = {
  status: 202,
  success: false,
  more: '... on SimulationAccepted { issuerTransactionToken }',
  bodyOf: ({ issuerTransactionToken }: Json) => ({ issuerTransactionToken }),
}

export const cardFaces: readonly CardFace[] = [
  {
    name: 'GraphQL',
    create: (caller, input) => mutate(caller, 'createCard', input, CARD, { status: 201, bodyOf: cardOf }),
    update: (caller, id, changes) => mutate(caller, 'updateCard', { id, ...changes }, CARD, { bodyOf: cardOf }),
    reveal: (caller, id) => mutate(caller, 'revealCard', { id }, 'panEmbedUrl expiresAt'),
    simulate: (caller, cardId, simulation, input) => {
      const name = MUTATIONS[simulation]
      if (name) return mutate(caller, name, { cardId, ...input }, '', accepted)
      const { currency, ...rest } = input as { currency?: { code: string } }
      const kind = simulation.toUpperCase()
      return mutate(
        caller,
        'simulateCardAuthorization',
        { cardId, kind, currency: currency?.code, ...rest },
        '',
        accepted,
      )
    },
  },
  {
    name: 'REST',
    create: (caller, input) => callRest(caller, 'POST', '/cards', input),
    update: (caller, id, changes) => callRest(caller, 'PATCH', `/cards/${id}`, changes),
    reveal: (caller, id) => callRest(caller, 'POST', `/cards/${id}/reveal`),
    simulate: (caller, cardId, simulation, input) =>
      callRest(caller, 'POST', `/sandbox/cards/${cardId}/simulate/${simulation}`, input),
  },
]
