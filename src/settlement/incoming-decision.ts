// The platform's decision on an incoming UMA payment that waits for it (docs/domain/transactions.md#operations).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { textOf } from '#core/input.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Transaction as Row } from '#generated/prisma/client.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { requireReady } from './parties.ts'
import { lockPayment, movePayment } from './payment-status.ts'
import { providerOf } from './providers.ts'

export const approvalRequest = z.object({
  receiverCustomerInfo: z
    .record(textOf(100), textOf(1000), { error: 'must be a map of strings' })
    .refine((facts) => Object.keys(facts).length <= 100, 'must have at most 100 members')
    .optional()
    .describe('Facts about the receiver of an incoming payment, for its sender. For example `FULL_NAME`.'),
})

/** True if the platform decides the payment itself, rather than an agent's action. */
export const isIncomingUma = ({ type, sourceType }: Pick<Row, 'type' | 'sourceType'>): boolean =>
  type === 'INCOMING' && sourceType === 'UMA_ADDRESS'

/** The payment goes on. 403 `USER_NOT_READY` when the account or the customer is not active; it waits on then. */
export const approveIncoming = (
  caller: PlatformCaller,
  id: string,
  { receiverCustomerInfo }: z.output<typeof approvalRequest>,
): Promise<Transaction> =>
  decide(caller, id, async (tx, payment) => {
    await requireReady(tx, caller, payment)
    const { platformId, environment } = caller
    await movePayment(tx, platformId, payment, 'PROCESSING', receiverCustomerInfo ? { receiverCustomerInfo } : {})
    await providerOf(environment)?.carry(tx, payment)
  })

/** The payment is REJECTED, its quote FAILED, and the reason stands in the timeline. */
export const rejectIncoming = (caller: PlatformCaller, id: string, reason: string | null): Promise<Transaction> =>
  decide(caller, id, async (tx, payment) => {
    const { platformId } = caller
    await movePayment(tx, platformId, payment, 'REJECTED')
    await tx.transactionStateChange.updateMany({
      where: { platformId, transactionId: id, toStatus: 'REJECTED' },
      data: { reason },
    })
  })

/** Needs the permission TRANSACT. 409 `TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL` unless it waits. Of several decisions one counts. */
const decide = async (
  caller: PlatformCaller,
  id: string,
  apply: (tx: Tx, payment: Row) => Promise<void>,
): Promise<Transaction> => {
  requirePermission(caller, 'TRANSACT')
  const where = { platformId_id: { platformId: caller.platformId, id } }
  await inTransaction(async (tx) => {
    const payment = await tx.transaction.findUniqueOrThrow({ where })
    if ((await lockPayment(tx, payment)) !== 'PENDING') throw notWaiting()
    await apply(tx, payment)
  })
  return selectWritten(caller, TransactionRecord, id)
}

const notWaiting = () =>
  new ApiError('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', 'The transaction does not wait for approval')
