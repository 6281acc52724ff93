// Customers with accounts that pay and are paid, and readers of their balances.
import { randomUUID } from 'node:crypto'
import { postMovement } from '#accounts/ledger.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { newKey, stamp } from '#test/setup/credentials/wallet.ts'
import {
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  createWallet,
  type Platform,
} from '#test/setup/world.ts'

/** A customer with 1000 dollars and no euros, and external accounts to pay in dollars or euros. All by public id. */
export const createPayer = async ({
  platform: given,
  balance = 100_000n,
}: {
  platform?: Platform
  balance?: bigint
} = {}) => {
  const platform = given ?? (await createPlatform())
  const { id: customerId, platformCustomerId } = await createCustomer(platform)
  const [dollars, euros] = await Promise.all([
    createInternalAccount(platform, { customerId, balance }),
    createInternalAccount(platform, { customerId, currency: 'EUR' }),
  ])
  const outside = await createOutside(platform, '001', { ownerId: publicId('Customer', customerId) })
  const iban = await createExternalAccount(platform, {
    customerId,
    currency: 'EUR',
    accountType: 'EUR_ACCOUNT',
    accountInfo: { iban: 'DE89370400440532013000', paymentRails: ['SEPA', 'SEPA_INSTANT'] },
  })
  return {
    platform,
    customerId: publicId('Customer', customerId),
    platformCustomerId,
    dollars: publicId('InternalAccount', dollars.id),
    euros: publicId('InternalAccount', euros.id),
    outside,
    iban: publicId('ExternalAccount', iban.id),
  }
}
export type Payer = Awaited<ReturnType<typeof createPayer>>

/** An external USD account whose number has this suffix. Without an owner it is the platform's. */
export const createOutside = async (
  platform: Platform,
  suffix: string,
  { paymentRails = ['ACH', 'WIRE', 'RTP'], ownerId }: { paymentRails?: string[]; ownerId?: string } = {},
) => {
  const customerId = ownerId ? uuidOf(ownerId) : null
  const accountInfo = { accountNumber: `123456${suffix}`, routingNumber: '021000021', paymentRails }
  return publicId('ExternalAccount', (await createExternalAccount(platform, { customerId, accountInfo })).id)
}

export const fromAccount = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId })
export const toAccount = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId })

/** A body of POST /quotes. */
export const quoteInput = (from: string, to: string, amount = 10_000, more: object = {}) => ({
  source: fromAccount(from),
  destination: toAccount(to),
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: amount,
  ...more,
})

/** Bodies of POST /transfer-out and /transfer-in. */
export const transferInput = (from: string, to: string, amount?: number, more: object = {}) => ({
  source: { accountId: from },
  destination: { accountId: to },
  ...(amount !== undefined && { amount }),
  ...more,
})

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

/** The available and the total balance. */
export const fundsOf = async ({ id: platformId }: Platform, accountId: string): Promise<[number, number]> => {
  const { balance, totalBalance } = await db.internalAccount.findUniqueOrThrow({
    where: { platformId_id: { platformId, id: uuidOf(accountId) } },
  })
  return [Number(balance), Number(totalBalance)]
}

/** The movements of a payment, oldest first: `PAYMENT: USD account -10000, FEES 50, EXCHANGE 9950`. */
export const movementsOf = async ({ id: platformId }: Platform, transactionId: string): Promise<string[]> => {
  const movements = await db.ledgerMovement.findMany({
    where: { platformId, transactionId: uuidOf(transactionId) },
    include: { entries: { orderBy: { position: 'asc' } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return movements.map(
    ({ kind, entries }) =>
      `${kind}: ${entries.map(({ book, currency, amount }) => `${book ?? 'account'} ${amount} ${currency}`).join(', ')}`,
  )
}

/** `PENDING`, `PROCESSING`, …; a reason follows its status. */
export const timelineOf = async ({ id: platformId }: Platform, transactionId: string): Promise<string[]> => {
  const steps = await db.$queryRaw<{ to: string; reason: string | null }[]>`
    select to_status::text as "to", reason from transaction_timelines
    where platform_id = ${platformId}::uuid and transaction_id = ${uuidOf(transactionId)}::uuid order by sequence`
  return steps.map(({ to, reason }) => (reason === null ? to : `${to} ${reason}`))
}

/** Deposits money from outside. */
export const fund = (platform: Platform, accountId: string, currency: string, amount: bigint) =>
  inTransaction((tx) =>
    postMovement(tx, platform.id, {
      kind: 'FUNDING',
      entries: [
        { accountId: uuidOf(accountId), currency, amount },
        { book: 'OUTSIDE', currency, amount: -amount },
      ],
    }),
  )

/** A wallet with 100 dollars in USDB, and its owner's device with an open session. */
export const createFundedWallet = async (platform: Platform, balance = 100_000_000n) => {
  const wallet = await createWallet(platform)
  await fund(platform, wallet.accountId, 'USDB', balance)
  return { ...wallet, device: await openSession(platform, wallet) }
}

/** Inserts the session directly; other tests cover how a device opens one. */
export const openSession = async (
  platform: Platform,
  { accountId, credentialId }: { accountId: string; credentialId: string },
  expiresAt = new Date(Date.now() + 900_000),
) => {
  const key = newKey()
  const session = await db.walletSession.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      accountId: uuidOf(accountId),
      authMethodId: uuidOf(credentialId),
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'hex')),
      expiresAt,
    },
  })
  return { sessionId: session.id, stamp: (payload: string) => stamp(key, payload) }
}

/** The stamp over the quote of a wallet. */
export const payloadOf = (quote: { paymentInstructions: { accountOrWalletInfo: { payloadToSign?: string } }[] }) =>
  quote.paymentInstructions[0]?.accountOrWalletInfo.payloadToSign ?? ''
