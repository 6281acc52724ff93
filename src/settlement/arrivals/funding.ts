// Money that is pushed to the service for a quote that is funded in real time (docs/domain/quotes.md#real-time-funding).
import { postMovement } from '#accounts/ledger.ts'
import type { FundingDetails } from '#accounts/party/party.ts'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import { type OnChain, type RefundReason, refundOf, startRefund } from '#settlement/payment-outcomes.ts'
import { lockPayment, movePayment } from '#settlement/payment-status.ts'
import { providerOf } from '#settlement/providers.ts'
import { startPayment } from '#settlement/start.ts'
import { changingTransaction } from '#transactions/transition.ts'

type Tenant = Pick<Caller, 'platformId' | 'environment'>

export interface Funding {
  /** In the smallest unit of the sending currency. */
  readonly amount: bigint
  /** The reference that the payer's bank gives. Null for a blockchain. */
  readonly details: FundingDetails | null
  readonly onChain: OnChain | null
}

/**
 * `STARTED`: the payment continues. `RETURNED`: it failed or had expired, and the money is on its way back.
 * `UNEXPECTED`: the payment is not waiting for money, and nothing has changed.
 */
export type FundingOutcome = 'STARTED' | 'RETURNED' | 'UNEXPECTED'

/** Errors of `startPayment` for a payment that can no longer be made. Its money is returned then. */
const OBSTACLES: readonly string[] = ['USER_NOT_READY', 'QUOTE_REQUEST_FAILED', 'AMOUNT_OUT_OF_RANGE']

/**
 * Takes the money. The whole amount in time starts the payment. Another amount makes it FAILED with `FUNDING_AMOUNT_MISMATCH`. Late money is returned
 * with the reason `TIMEOUT`.
 */
export const receiveFunding = async (
  tenant: Tenant,
  payment: Transaction,
  funding: Funding,
): Promise<FundingOutcome> => {
  try {
    return await inTransaction((tx) => take(tx, tenant, payment, funding))
  } catch (error) {
    if (!(error instanceof ApiError && OBSTACLES.includes(error.code))) throw error
    return inTransaction((tx) => take(tx, tenant, payment, funding, true))
  }
}

const take = async (
  tx: Tx,
  tenant: Tenant,
  payment: Transaction,
  funding: Funding,
  isObstructed = false,
): Promise<FundingOutcome> => {
  const { platformId, id, sentAmount } = payment
  const status = await lockPayment(tx, payment)
  const now = await timeOf(tx)
  const isLate = status === 'EXPIRED' || (await isPastExpiry(tx, payment))
  if (status !== 'PENDING' && status !== 'EXPIRED') return 'UNEXPECTED'
  if (status === 'EXPIRED' && (await hasRefund(tx, payment))) return 'UNEXPECTED'
  await writeSource(tx, payment, funding)
  if (status === 'PENDING' && !isLate && funding.amount === sentAmount && !isObstructed) {
    const funded = await tx.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
    await startPayment(tx, tenant, funded)
    return 'STARTED'
  }
  await keepForRefund(tx, tenant, payment, funding)
  if (isLate) {
    if (status === 'PENDING') await movePayment(tx, tenant.platformId, payment, 'EXPIRED')
    await giveBack(tx, tenant, payment, 'TIMEOUT', now)
  } else {
    const failureReason = isObstructed ? 'QUOTE_EXECUTION_FAILED' : 'FUNDING_AMOUNT_MISMATCH'
    await movePayment(tx, tenant.platformId, payment, 'FAILED', {
      failureReason,
      ...refundOf('TRANSACTION_FAILED', now),
    })
    await providerOf(tenant.environment)?.refund(tx, payment)
  }
  return 'RETURNED'
}

const isPastExpiry = async (tx: Tx, { platformId, quoteId }: Transaction): Promise<boolean> => {
  const [late] = await tx.$queryRaw<object[]>`
    select from quotes where platform_id = ${platformId}::uuid and id = ${quoteId}::uuid and expires_at <= now()`
  return late !== undefined
}

const hasRefund = async (tx: Tx, { platformId, id }: Transaction): Promise<boolean> => {
  const [found] = await tx.$queryRaw<object[]>`
    select from transactions where platform_id = ${platformId}::uuid and id = ${id}::uuid and refund_status is not null`
  return found !== undefined
}

const writeSource = (tx: Tx, { platformId, id }: Transaction, { details, onChain }: Funding) =>
  tx.$executeRaw(
    changingTransaction(platformId, id, {
      ...(details && { sourceFunding: { ...details } }),
      ...(onChain && { sourceTransactionHash: onChain.transactionHash, sourceNetwork: onChain.network }),
    }),
  )

/** The money is in suspense until the refund is complete. */
const keepForRefund = (tx: Tx, { platformId }: Tenant, { id, sentCurrency }: Transaction, { amount }: Funding) => {
  const currency = sentCurrency ?? ''
  return postMovement(tx, platformId, {
    kind: 'FUNDING',
    transactionId: id,
    entries: [
      { book: 'OUTSIDE', currency, amount: -amount },
      { book: 'SUSPENSE', currency, amount },
    ],
  })
}

const giveBack = async (
  tx: Tx,
  { platformId, environment }: Tenant,
  payment: Transaction,
  reason: RefundReason,
  now: Date,
) => {
  await startRefund(tx, platformId, payment, refundOf(reason, now))
  await providerOf(environment)?.refund(tx, payment)
}
