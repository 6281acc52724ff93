// The moment a payment leaves: its source is debited, and what becomes of it is for jobs to say. All in one transaction.
import { type LedgerEntry, postMovement } from '#accounts/ledger.ts'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Tx } from '#core/transaction.ts'
import type { PaymentRail, Transaction } from '#generated/prisma/client.ts'
import { moveTransaction } from '#transactions/transition.ts'
import { railsOf } from './ends.ts'
import { moveQuoteOf } from './quote-status.ts'
import { fateOf } from './sandbox-fate.ts'
import { scheduleEvent } from './settle.ts'

/**
 * Debits the source, and sets the transaction and its quote to `PROCESSING`. 400 `INVALID_AMOUNT` when the balance is short. In
 * production it stays there until a provider says more.
 */
export const startPayment = async (
  tx: Tx,
  { platformId, environment }: Pick<Caller, 'platformId' | 'environment'>,
  payment: Transaction,
): Promise<void> => {
  await postMovement(tx, platformId, {
    kind: 'PAYMENT',
    transactionId: payment.id,
    entries: await debitsOf(tx, platformId, payment),
  })
  const rail = payment.paymentRail ?? (await preferredRail(tx, platformId, payment))
  const chosen = rail && {
    paymentRail: rail,
    destinationPaymentRail: rail,
    railSelectionMode: payment.railSelectionMode ?? ('AUTO' as const),
  }
  await moveTransaction(tx, platformId, payment.id, 'PROCESSING', { ...chosen })
  await moveQuoteOf(tx, platformId, payment, 'PROCESSING')
  if (environment === 'SANDBOX') await scheduleEvent(tx, platformId, payment.id, await fateOf(tx, payment), 0)
}

/** What leaves the source: fees to the service and to the platform, the rest to be exchanged and paid out. */
const debitsOf = async (tx: Tx, platformId: PlatformId, payment: Transaction): Promise<LedgerEntry[]> => {
  const { sourceInternalAccountId: accountId, sentAmount, sentCurrency: currency } = payment
  if (accountId === null || sentAmount === null || currency === null) {
    throw new Error('Only a payment from an internal account is started here')
  }
  const fees = payment.fees ?? 0n
  const platformFees = payment.platformFees ?? 0n
  const entries: LedgerEntry[] = [
    { accountId, currency, amount: -sentAmount },
    { book: 'FEES', currency, amount: fees - platformFees },
    { book: 'EXCHANGE', currency, amount: sentAmount - fees },
  ]
  if (platformFees === 0n) return entries
  return [...entries, { accountId: await feeAccount(tx, platformId, currency), currency, amount: platformFees }]
}

/** The platform's own account in the currency, where its fees are credited (domain reference 6.1). */
const feeAccount = async (tx: Tx, platformId: PlatformId, currency: string): Promise<string> => {
  const where = { platformId, customerId: null, currency, status: 'ACTIVE' } as const
  const account = await tx.internalAccount.findFirst({ where, orderBy: { id: 'asc' } })
  if (!account)
    throw new ApiError('QUOTE_REQUEST_FAILED', 'The platform has no account that its fee can be credited to')
  return account.id
}

const preferredRail = async (
  tx: Tx,
  platformId: PlatformId,
  payment: Transaction,
): Promise<PaymentRail | undefined> => {
  const id = payment.destinationExternalAccountId
  if (id === null) return undefined
  return railsOf(await tx.externalAccount.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } }))[0]
}
