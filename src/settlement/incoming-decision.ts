// The platform's decision on an incoming UMA payment that waits for it (docs/domain/transactions.md#operations).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { textOf } from '#core/input.ts'
import { selectWritten } from '#database/record.ts'
import { sendIn, sending } from '#database/round-trips.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Transaction as Row } from '#generated/prisma/client.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { requireReceiverInfo } from './arrivals/uma-payment.ts'
import { carrying, isSettledByDemand } from './carry.ts'
import { lockPayment, movePayment } from './payment-status.ts'
import { requireReady } from './ready.ts'

export const approvalRequest = z.object({
  receiverCustomerInfo: z
    .record(textOf(100), textOf(1000), { error: 'must be a map of strings' })
    .refine((facts) => Object.keys(facts).length <= 100, 'must have at most 100 members')
    .nullish()
    .describe('Facts about the receiver of an incoming payment, for its sender. For example `FULL_NAME`.'),
})

/** True if the platform decides the payment itself, rather than an agent's action. */
export const isIncomingUma = ({ type, sourceType }: Pick<Row, 'type' | 'sourceType'>): boolean =>
  type === 'INCOMING' && sourceType === 'UMA_ADDRESS'

/** The decision on a waiting payment. `FAILED` when the platform could not be asked, did not answer in time, or lacks data. */
export type IncomingDecision =
  | ({ readonly kind: 'APPROVED' } & z.output<typeof approvalRequest>)
  | { readonly kind: 'REJECTED'; readonly reason: string | null }
  | {
      readonly kind: 'FAILED'
      readonly failureReason:
        | 'PAYMENT_APPROVAL_WEBHOOK_ERROR'
        | 'PAYMENT_APPROVAL_TIMED_OUT'
        | 'MISSING_MANDATORY_PAYEE_DATA'
    }

/** The payment continues. 403 `USER_NOT_READY` when the account or the customer is not active; it then keeps waiting. */
export const approveIncoming = (
  caller: PlatformCaller,
  id: string,
  request: z.output<typeof approvalRequest>,
): Promise<Transaction> => decide(caller, id, { kind: 'APPROVED', ...request })

/** The payment becomes REJECTED and its quote FAILED. The reason is in the timeline. */
export const rejectIncoming = (caller: PlatformCaller, id: string, reason: string | null): Promise<Transaction> =>
  decide(caller, id, { kind: 'REJECTED', reason })

/** Needs the permission TRANSACT. 409 `TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL` unless it is waiting. */
const decide = async (caller: PlatformCaller, id: string, decision: IncomingDecision): Promise<Transaction> => {
  requirePermission(caller, 'TRANSACT')
  await inTransaction(async (tx) => {
    if (!(await decideIncoming(tx, caller, id, decision))) throw notWaiting()
  })
  return selectWritten(caller, TransactionRecord, id)
}

/**
 * Applies the decision, and returns whether the payment was waiting for one: if there are several decisions, the first counts. 403
 * `USER_NOT_READY` for an approval when the account or the customer is not active, and 400 `MISSING_MANDATORY_USER_INFO` when it lacks what the
 * sender must know; nothing has changed then, and `tx` can continue.
 */
export const decideIncoming = async (
  tx: Tx,
  { platformId, environment }: Pick<PlatformCaller, 'platformId' | 'environment'>,
  id: string,
  decision: IncomingDecision,
): Promise<boolean> => {
  const payment = await tx.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  if ((await lockPayment(tx, payment)) !== 'PENDING') return false
  switch (decision.kind) {
    case 'APPROVED': {
      const { receiverCustomerInfo } = decision
      // The receiving side of UMA completes the facts from the customer, and fails the payment without them.
      if (!(await isSettledByDemand(payment, sending(tx)))) requireReceiverInfo(payment, receiverCustomerInfo)
      const parties = await requireReady(tx, { platformId }, payment)
      await movePayment(tx, platformId, payment, 'PROCESSING', receiverCustomerInfo ? { receiverCustomerInfo } : {})
      await sendIn(tx, ...(await carrying(sending(tx), environment, payment, parties)))
      return true
    }
    case 'REJECTED':
      await movePayment(tx, platformId, payment, 'REJECTED')
      await tx.transactionStateChange.updateMany({
        where: { platformId, transactionId: id, toStatus: 'REJECTED' },
        data: { reason: decision.reason },
      })
      return true
    case 'FAILED':
      await movePayment(tx, platformId, payment, 'FAILED', { failureReason: decision.failureReason })
      return true
  }
}

const notWaiting = () =>
  new ApiError('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', 'The transaction is not waiting for approval')
