// The user cancels a payment that is at a bank, and the money is returned (docs/domain/transactions.md#cancellation).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import { parseChanges, textOf } from '#core/input.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Transaction as Row } from '#generated/prisma/client.ts'
import { refundOf, startRefund } from '#settlement/payment-outcomes.ts'
import { lockPayment } from '#settlement/payment-status.ts'
import { providerOf } from '#settlement/providers.ts'
import { automaticRail } from '#settlement/rails.ts'
import { PAYMENT_FIELDS } from '#transactions/payment-fields.ts'
import { type Transaction, TransactionRecord, unknownTransaction } from '#transactions/transaction.ts'

export const cancellation = z.object({
  reason: textOf(255)
    .nullish()
    .describe('Why the payment is cancelled. The timeline shows it at the step to `COMPLETED`.'),
})

/** Banks let a payment over these rails be recalled. */
const CANCELLABLE_RAILS: readonly string[] = ['ACH', 'WIRE']

/**
 * Starts the refund. The payment stays PROCESSING, and becomes COMPLETED when the refund is complete. Needs the permission TRANSACT. Throws
 * 404 `TRANSACTION_NOT_FOUND`, 400 `INVALID_INPUT` for a payment over another rail or none, and 409 `TRANSACTION_NOT_CANCELLABLE` unless
 * it is with the bank. 501 `NOT_IMPLEMENTED` where no provider makes refunds.
 */
export const cancelTransaction = async (caller: PlatformCaller, id: string, input: unknown): Promise<Transaction> => {
  requirePermission(caller, 'TRANSACT')
  const { reason: cancellationReason = null } = parseChanges(cancellation, input, PAYMENT_FIELDS)
  const { platformId, environment } = caller
  const uuid = requireUuid('Transaction', id, unknownTransaction)
  const where = { platformId_id: { platformId, id: uuid } }
  await inTransaction(async (tx) => {
    const found = await tx.transaction.findFirst({ where: { platformId, id: uuid, type: { not: 'CARD' } } })
    if (!found) throw unknownTransaction()
    await lockPayment(tx, found)
    const payment = await tx.transaction.findUniqueOrThrow({ where })
    if (!(await isRecallable(tx, payment))) throw notOfThisType()
    requireWithBank(payment)
    const provider = providerOf(environment)
    if (!provider) {
      throw new ApiError(
        'NOT_IMPLEMENTED',
        'Payments cannot be cancelled in production yet. Ask the operator of the gateway.',
      )
    }
    const refund = refundOf('USER_CANCELLATION', await timeOf(tx))
    await startRefund(tx, platformId, payment, { ...refund, cancellationReason })
    await provider.refund(tx, payment)
  })
  return selectWritten(caller, TransactionRecord, uuid)
}

/** Transfers in are collected over ACH. For an outgoing payment that has not left yet, the rail that it would take counts. */
const isRecallable = async (tx: Tx, payment: Row): Promise<boolean> => {
  const { platformId, type, paymentRail, sourceExternalAccountId, destinationExternalAccountId: id } = payment
  if (type === 'INCOMING') return sourceExternalAccountId !== null
  if (id === null) return false
  if (paymentRail !== null) return CANCELLABLE_RAILS.includes(paymentRail)
  const account = await tx.externalAccount.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  return CANCELLABLE_RAILS.includes(automaticRail(account) ?? '')
}

const requireWithBank = ({ status, refundStatus }: Row): void => {
  if (status === 'PROCESSING' && refundStatus === null) return
  const isEarly = status === 'PENDING' || status === 'PENDING_AUTHORIZATION'
  const message = isEarly ? 'The payment has not left yet' : 'It is too late to cancel the payment'
  throw new ApiError('TRANSACTION_NOT_CANCELLABLE', message, { reason: isEarly ? 'NOT_STARTED' : 'TOO_LATE' })
}

const notOfThisType = () =>
  invalidInput('transactionId', 'Only payments over ACH and wire, and transfers from a bank account, can be cancelled')
