// Changes the status of a transaction. The table `transaction_transitions` lists the allowed changes, and the database enforces them.
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { settingColumns } from '#database/columns.ts'
import { type Sql, sql } from '#database/db.ts'
import { sendIn } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Transaction, TransactionLifecycleStatus } from '#generated/prisma/client.ts'
import { unknownTransaction } from './transaction.ts'

/** Columns to change together with the status. */
export type Changes = Partial<Omit<Transaction, 'platformId' | 'id' | 'type' | 'status' | 'updatedAt'>>

/**
 * Sets the status, with other columns such as `failureReason`, and records the step in the timeline. The transaction stays locked until
 * `tx` ends. Throws 409 `CONFLICT` for a step that is not allowed (docs/domain/transactions.md#status-changes), and 404
 * `TRANSACTION_NOT_FOUND` for an unknown id. After either error nothing has changed, and `tx` can continue.
 */
export const moveTransaction = async (
  tx: Tx,
  platformId: PlatformId,
  id: string,
  to: TransactionLifecycleStatus,
  changes: Changes = {},
): Promise<void> => {
  const [moved] = await sendIn(tx, movingTransaction(platformId, id, to, changes))
  requireMoved(moved, to)
}

/** The statement of `moveTransaction`. Pass its rows to `requireMoved`. */
export const movingTransaction = (
  platformId: PlatformId,
  id: string,
  to: TransactionLifecycleStatus,
  changes: Changes,
): Sql => sql`
  with locked as materialized (
    select type, status from transactions where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update
  ), allowed as materialized (
    select locked.status, exists (
      select from transaction_transitions step
      where step.type = locked.type and from_status = locked.status and to_status = ${to}::transaction_lifecycle_status) as is_allowed
    from locked
  ), moved as (
    update transactions set ${settingColumns('transactions', changes)} status = ${to}::transaction_lifecycle_status
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and (select is_allowed from allowed)
  )
  select status, is_allowed from allowed`

/** The statement that changes columns other than the status. `updatedAt` never goes back. Further conditions can follow with `and`. */
export const changingTransaction = (platformId: string, id: string, changes: Changes): Sql => sql`
  update transactions set ${settingColumns('transactions', changes)} updated_at = greatest(updated_at, now())
  where platform_id = ${platformId}::uuid and id = ${id}::uuid`

/** Throws the errors of `moveTransaction`. */
export const requireMoved = ([found]: readonly Row[], to: TransactionLifecycleStatus): void => {
  if (!found) throw unknownTransaction()
  const [status, isAllowed] = found
  if (isAllowed !== 't') throw new ApiError('CONFLICT', `A transaction that is ${status} cannot become ${to}`)
}
