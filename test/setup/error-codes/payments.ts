// Codes about quotes, payments, agents, cards, webhooks, invitations and stablecoins.
import { randomUUID } from 'node:crypto'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { CardState } from '#generated/prisma/client.ts'
import { createActing, transferOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { cardFaces } from '#test/setup/cards/card-faces.ts'
import { createShopper } from '#test/setup/cards/shoppers.ts'
import { createOutside, createPayer, quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { post } from '#test/setup/stablecoins.ts'
import { insertEndpoint } from '#test/setup/webhooks/endpoints.ts'
import {
  changePlatform,
  createCustomer,
  createPlatform,
  createTransactions,
  incoming,
  type Platform,
} from '#test/setup/world.ts'
import type { Answer, Scenario } from './scenario.ts'

type Payer = Awaited<ReturnType<typeof createPayer>>

const quoting = async (inputOf: (payer: Payer) => object): Promise<Answer> => {
  const payer = await createPayer()
  return send(payer.platform, 'POST', '/quotes', inputOf(payer))
}

/** A card in this state that shall become active. */
const activating = async (state: CardState) => {
  const { platform, cardId } = await createShopper({ state })
  const [graphql] = cardFaces as [(typeof cardFaces)[number]]
  return graphql.update(platform, cardId, { state: 'ACTIVE' })
}

const ADA = '$ada@inviting.example'
const GRACE = '$grace@invited.example'

/** An invitation of one platform, to which the other answers. */
const inviting = async (answer: (both: { own: Platform; other: Platform; path: string }) => Promise<Answer>) => {
  const [own, other] = [await createPlatform(), await createPlatform()]
  await changePlatform(own, { umaDomain: 'inviting.example' })
  await createCustomer(own, { umaAddress: ADA })
  await createCustomer(other, { umaAddress: GRACE })
  const { body } = await send(own, 'POST', '/invitations', { inviterUma: ADA })
  return answer({ own, other, path: `/invitations/${body.code}` })
}

const TOKEN = { providerTokenIdentifier: 'ACME', networkTokenIdentifier: 'btkn1acme', network: 'SPARK' }
/** Registers a token through the only link, or with none or two of them. The last characters of the client id decide the provider's answer. */
const registering = async (...clients: string[]) => {
  const platform = await createPlatform()
  for (const apiClientId of clients) {
    await post(platform, '/stablecoin-provider-accounts', { provider: 'BRALE', apiClientId, apiClientSecret: 'secret' })
  }
  return post(platform, '/stablecoins', TOKEN)
}

export const payments = {
  // The amount to receive would cost more than the maximum amount.
  AMOUNT_OUT_OF_RANGE: () =>
    quoting(({ dollars, iban }) =>
      quoteInput(dollars, iban, 9_000_000_000_000_000, { lockedCurrencySide: 'RECEIVING' }),
    ),
  SELF_PAYMENT: () => quoting(({ dollars }) => quoteInput(dollars, dollars)),
  QUOTE_REQUEST_FAILED: async () => {
    const { platform, dollars, iban } = await createPayer()
    // The platform charges a fee but has no account for it.
    await db.platformFee.create({ data: { platformId: platform.id, sendingCurrency: 'USD', fixed: 50n, rate: 0 } })
    return send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
  },
  INVALID_AMOUNT: async () => {
    const { platform, dollars, outside } = await createPayer({ balance: 100n })
    return send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 101))
  },
  USER_NOT_READY: async () => {
    const { platform, dollars, outside } = await createPayer()
    await db.customer.updateMany({ where: { platformId: platform.id }, data: { verificationStatus: 'PENDING' } })
    return send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 100))
  },
  VELOCITY_LIMIT_EXCEEDED: async () => {
    const acting = await createActing({ perTransactionLimit: 100n })
    const [graphql] = actionFaces as [(typeof actionFaces)[number]]
    return graphql.transferOut(acting.agent, transferOf(acting, 101))
  },
  QUOTE_NOT_FOUND: async () => send(await createPlatform(), 'GET', `/quotes/Quote:${randomUUID()}`),
  TRANSACTION_NOT_FOUND: async () => send(await createPlatform(), 'GET', `/transactions/Transaction:${randomUUID()}`),
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: async () => {
    const platform = await createPlatform()
    const [completed] = await createTransactions(platform, [incoming()])
    return send(platform, 'POST', `/transactions/${publicId('Transaction', completed?.id ?? '')}/approve`, {})
  },
  TRANSACTION_NOT_CANCELLABLE: async () => {
    const { platform, dollars, customerId } = await createPayer()
    const bank = await createOutside(platform, '005', { ownerId: customerId })
    // The payment has not started yet.
    const { body } = await send(platform, 'POST', '/transfer-in', transferInput(bank, dollars, 700))
    return send(platform, 'POST', `/transactions/${body.id}/cancel`)
  },

  CARD_ALREADY_CLOSED: () => activating('CLOSED'),
  CARD_NOT_MUTABLE: () => activating('PROCESSING'),
  INVALID_STATE_TRANSITION: () => activating('ACTIVE'),

  WEBHOOK_ENDPOINT_NOT_SET: async () => send(await createPlatform(), 'POST', '/sandbox/webhooks/test'),
  WEBHOOK_DELIVERY_ERROR: async () => {
    const platform = await createPlatform()
    await insertEndpoint(platform)
    return send(platform, 'POST', '/sandbox/webhooks/test')
  },

  INVITATION_NOT_FOUND: async () => send(await createPlatform(), 'GET', '/invitations/00000000'),
  INVITATIONS_NOT_CONFIGURED: async () => send(await createPlatform(), 'POST', '/invitations', { inviterUma: ADA }),
  INVITATION_CANCELLED: () =>
    inviting(async ({ own, other, path }) => {
      await send(own, 'POST', `${path}/cancel`)
      return send(other, 'POST', `${path}/claim`, { inviteeUma: GRACE })
    }),
  INVITATION_ALREADY_CLAIMED: () =>
    inviting(async ({ other, path }) => {
      await send(other, 'POST', `${path}/claim`, { inviteeUma: GRACE })
      return send(other, 'POST', `${path}/claim`, { inviteeUma: GRACE })
    }),

  STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND: () => registering(),
  STABLECOIN_PROVIDER_ACCOUNT_INVALID: () => registering('client 002'),
  STABLECOIN_PROVIDER_ACCOUNT_REVOKED: () => registering('client 003'),
  STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED: () => registering('client 001', 'another 001'),
} as const satisfies Readonly<Record<string, Scenario>>
