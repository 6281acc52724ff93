// Customers with a card, what they buy, and the outcome.
import { randomUUID } from 'node:crypto'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { CardState } from '#generated/prisma/client.ts'
import { runDue } from '#test/setup/payments/due-jobs.ts'
import { callRest, type Json } from '#test/setup/sca/sca-faces.ts'
import { createCard, createCustomer, createInternalAccount, createPlatform, type Platform } from '#test/setup/world.ts'
import { type CardFace, cardFaces, type Simulation } from './card-faces.ts'

/** A uuid that ends in no magic value. */
export const plainUuid = () => `${randomUUID().slice(0, -3)}abc`

/** A customer with an active card in dollars, by public id. */
export const createShopper = async ({
  platform: given,
  balance = 20_000n,
  state = 'ACTIVE',
}: {
  platform?: Platform
  balance?: bigint
  state?: CardState
} = {}) => {
  const platform = given ?? (await createPlatform())
  const customer = await createCustomer(platform, { id: plainUuid() })
  const account = await createInternalAccount(platform, { id: plainUuid(), customerId: customer.id, balance })
  const card = await createCard(platform, {
    customerId: customer.id,
    accountId: account.id,
    state,
    ...(state === 'CLOSED' && { stateReason: 'CLOSED_BY_PLATFORM' }),
  })
  return {
    platform,
    customerId: publicId('Customer', customer.id),
    accountId: publicId('InternalAccount', account.id),
    cardId: publicId('Card', card.id),
  }
}
export type Shopper = Awaited<ReturnType<typeof createShopper>>

/** The body of an authorization at a merchant whose descriptor has this ending. */
export const purchase = (amount: number, suffix = 'BAR', currency = 'USD') => ({
  amount,
  currency: { code: currency },
  merchant: { descriptor: `COFFEE ${suffix}`, mcc: '5814', country: 'US' },
})

/** What was simulated is reported. Pulls stay pending, however long the test takes. */
export const reported = ({ id }: Pick<Platform, 'id'>) => runDue(id, ['reportCardUse'])

/** Longer than a pull takes, but shorter than a slow pull. */
export const SOON = 5
/** Longer than a slow pull takes. */
export const LATER = 60

const [, rest] = cardFaces as readonly [CardFace, CardFace]

/** Makes the use or the step, and lets its job run. Pulls stay pending. Throws unless it is accepted. */
export const simulated = async (
  { platform, cardId }: Shopper,
  simulation: Simulation,
  input: object,
  face: CardFace = rest,
): Promise<string> => {
  const { status, body } = await face.simulate(platform, cardId, simulation, input)
  if (status !== 202) throw new Error(`${simulation}: ${status} ${JSON.stringify(body)}`)
  await reported(platform)
  return body.issuerTransactionToken
}

/** The transaction of the card, as REST has it. Undefined if there is none. */
export const transactionOf = async ({ platform }: Shopper, token: string): Promise<Json | undefined> => {
  const found = await db.transaction.findFirst({ where: { platformId: platform.id, issuerTransactionToken: token } })
  if (!found) return undefined
  return (await callRest(platform, 'GET', `/transactions/CardTransaction:${found.id}`)).body
}

/** Authorizes, and returns the id of the transaction. */
export const authorized = async (
  shopper: Shopper,
  amount: number,
  suffix?: string,
  face?: CardFace,
): Promise<string> => {
  const token = await simulated(shopper, 'authorization', purchase(amount, suffix), face)
  return (await transactionOf(shopper, token)).id
}

export const readTransaction = async ({ platform }: Shopper, id: string): Promise<Json> =>
  (await callRest(platform, 'GET', `/transactions/${id}`)).body

/** `pull 1 12550 1, settled 0 0, refunded 0 0`. */
export const summariesOf = ({ pullSummary: p, settlementSummary: s, refundSummary: r }: Json): string =>
  `pull ${p.count} ${p.totalAmount} ${p.pendingCount}, settled ${s.count} ${s.totalAmount}, refunded ${r.count} ${r.totalAmount}`

/** The types of the events of a card transaction, in order. */
export const eventsOf = async ({ platform }: Pick<Shopper, 'platform'>, id: string): Promise<string[]> => {
  const rows = await db.$queryRaw<{ type: string }[]>`
    select type::text from events where platform_id = ${platform.id}::uuid and object_id = ${id.split(':')[1]}::uuid order by recorded`
  return rows.map(({ type }) => type.replace(/^CARD_TRANSACTION\./, ''))
}

/** Money that is owed to the service. */
export const owedTo = async ({ platform }: Pick<Shopper, 'platform'>): Promise<number> => {
  const [row] = await db.$queryRaw<{ sum: bigint }[]>`
    select coalesce(-sum(amount), 0)::bigint as sum from ledger_entries where platform_id = ${platform.id}::uuid and book = 'RECEIVABLE'`
  return Number(row?.sum)
}
