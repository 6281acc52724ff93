// The platform's decision on an incoming UMA payment that waits for it (docs/domain/transactions.md#operations).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parse, textOf } from '#core/input.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Transaction as Row } from '#generated/prisma/client.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { moveTransaction } from '#transactions/transition.ts'
import { requireReady } from './parties.ts'
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
export const approveIncoming = (caller: PlatformCaller, id: string, input: unknown): Promise<Transaction> => {
  requirePermission(caller, 'TRANSACT')
  const { receiverCustomerInfo } = parse(approvalRequest, input)
  return decide(caller, id, async (tx, payment) => {
    await requireReady(tx, caller, payment)
    const { platformId, environment } = caller
    await moveTransaction(tx, platformId, id, 'PROCESSING', receiverCustomerInfo ? { receiverCustomerInfo } : {})
    await providerOf(environment)?.carry(tx, payment)
  })
}

/** The payment is REJECTED, and the reason stands in its timeline. */
export const rejectIncoming = (caller: PlatformCaller, id: string, reason: string | null): Promise<Transaction> =>
  decide(caller, id, async (tx) => {
    const { platformId } = caller
    await moveTransaction(tx, platformId, id, 'REJECTED')
    await tx.transactionStateChange.updateMany({
      where: { platformId, transactionId: id, toStatus: 'REJECTED' },
      data: { reason },
    })
  })

/** 409 `TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL` unless it waits. Of several decisions one counts. */
const decide = async (
  caller: PlatformCaller,
  id: string,
  apply: (tx: Tx, payment: Row) => Promise<void>,
): Promise<Transaction> => {
  const { platformId } = caller
  await inTransaction(async (tx) => {
    const [waiting] = await tx.$queryRaw<unknown[]>`
      select 1 from transactions
      where platform_id = ${platformId}::uuid and id = ${id}::uuid and status = 'PENDING' for no key update`
    if (!waiting) throw notWaiting()
    await apply(tx, await tx.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } }))
  })
  return selectWritten(caller, TransactionRecord, id)
}

export const notWaiting = () =>
  new ApiError('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', 'The transaction does not wait for approval')
