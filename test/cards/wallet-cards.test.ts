// A card that draws on a wallet spends only with an active delegated key, and within its limit.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import {
  owedTo,
  purchase,
  readTransaction,
  type Shopper,
  simulated,
  transactionOf,
} from '#test/setup/cards/shoppers.ts'
import { createFundedWallet } from '#test/setup/payments/payers.ts'
import { createCard, createPlatform } from '#test/setup/world.ts'

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

let shopper: Shopper
beforeEach(async () => {
  const platform = await createPlatform()
  const { customerId, accountId } = await createFundedWallet(platform)
  const card = await createCard(platform, { customerId: uuidOf(customerId), accountId: uuidOf(accountId) })
  shopper = { platform, customerId, accountId, cardId: publicId('Card', card.id) }
})

const giveKey = async (status: 'PENDING' | 'ACTIVE' | 'REVOKED', limit: number | null = null) => {
  const limits = limit === null ? null : JSON.stringify([{ currencyCode: 'USDB', maxPerTransaction: limit }])
  await db.$executeRaw`
    insert into delegated_keys (platform_id, id, card_id, account_id, public_key, private_key_sealed, nickname, status, spending_limits)
    values (${shopper.platform.id}::uuid, ${randomUUID()}::uuid, ${uuidOf(shopper.cardId)}::uuid, ${uuidOf(shopper.accountId)}::uuid,
      ${`02${'ab'.repeat(32)}`}, '\\x00', 'Card', ${status}::delegated_key_status, ${limits}::jsonb)`
}

const spend = async (amount: number) => {
  const token = await simulated(shopper, 'authorization', purchase(amount, 'BAR', 'USDB'))
  return transactionOf(shopper, token)
}

it.each([
  ['no key', undefined, false],
  ['a key that waits for its policy', 'PENDING', false],
  ['a revoked key', 'REVOKED', false],
  ['an active key', 'ACTIVE', true],
] as const)('%s', async (_name, status, spends) => {
  if (status) await giveKey(status)
  expect((await spend(1_000_000)) !== undefined).toBe(spends)
})

it('the limit of the key holds for the whole transaction', async () => {
  await giveKey('ACTIVE', 1_000_000)
  expect(await spend(1_000_001)).toBeUndefined()
  const { id } = await spend(900_000)
  await simulated(shopper, 'authorization_advice', { cardTransactionId: id, amount: 1_000_001 })
  expect((await readTransaction(shopper, id)).authorizedAmount.amount).toBe(900_000)
  await simulated(shopper, 'authorization_advice', { cardTransactionId: id, amount: 1_000_000 })
  expect((await readTransaction(shopper, id)).authorizedAmount.amount).toBe(1_000_000)
  await simulated(shopper, 'clearing', { cardTransactionId: id, amount: 1_000_100 })
  expect((await readTransaction(shopper, id)).status).toBe('EXCEPTION')
  expect(await owedTo(shopper)).toBe(100)
})

it('a key that is revoked before the tip does not pull the tip', async () => {
  await giveKey('ACTIVE')
  const { id } = await spend(1_000_000)
  await db.$executeRaw`update delegated_keys set status = 'REVOKED' where platform_id = ${shopper.platform.id}::uuid`
  await simulated(shopper, 'clearing', { cardTransactionId: id, amount: 1_200_000 })
  const found = await readTransaction(shopper, id)
  expect([found.status, found.pullSummary]).toEqual([
    'EXCEPTION',
    { count: 2, totalAmount: 1_000_000, pendingCount: 0 },
  ])
})
