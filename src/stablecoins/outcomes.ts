// Applies a provider's reports about an operation, and moves the money (docs/domain/stablecoins.md#states-of-an-operation).
import { postMovement } from '#accounts/ledger.ts'
import { type LockedAccount, lockAccounts } from '#accounts/lock.ts'
import type { PlatformId } from '#core/ids.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { db } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { BACKING } from './amount.ts'
import type { OperationStatus } from './operation.ts'
import type { OperationType } from './quote.ts'

export interface OperationKey {
  readonly platformId: string
  /** Bare uuid. */
  readonly id: string
}

/** An operation that is not funded within this time expires. */
export const FUNDED_WITHIN_SECONDS = 24 * 3_600

/** The possible next states of an operation. */
const NEXT: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  CREATED: ['PENDING_FUNDING', 'FAILED'],
  PENDING_FUNDING: ['PENDING_PROVIDER', 'FAILED', 'EXPIRED'],
  PENDING_PROVIDER: ['PROCESSING', 'FAILED'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
  EXPIRED: [],
}

interface Row {
  readonly type: OperationType
  readonly status: OperationStatus
  readonly accountId: string
  readonly isActive: boolean
  readonly amount: bigint
}

/** Whether the account has room for the dollars of a burn. A mint pays it nothing. */
export const isPayable = (
  { type, amount }: Pick<Row, 'type' | 'amount'>,
  account: LockedAccount | undefined,
): boolean => type === 'MINT' || (account !== undefined && account.totalBalance + amount <= MAX_AMOUNT)

/**
 * Moves an operation to its next state, with its money: a burn that is completed pays out, and a mint that failed or expired is paid back. A burn
 * whose account has become too full or is no longer active fails instead of completing. `next` gets the current state, and undefined leaves the
 * operation unchanged, so a report may arrive twice. Throws for a step that does not exist. `then` runs in the same transaction.
 */
export const moveOperation = async (
  { platformId, id }: OperationKey,
  next: (status: OperationStatus) => OperationStatus | undefined,
  then: (tx: Tx, status: OperationStatus) => Promise<void> = async () => {},
): Promise<void> => {
  const [found] = await db.$queryRaw<Pick<Row, 'accountId'>[]>`
    select internal_account_id as "accountId" from stablecoin_operations
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  if (!found) return
  await inTransaction(async (tx) => {
    const [account] = await lockAccounts(tx, { platformId: platformId as PlatformId }, [found.accountId])
    const [row] = await tx.$queryRaw<Row[]>`
      select operation_type as type, operation.status, account.id as "accountId", account.status = 'ACTIVE' as "isActive", amount
      from stablecoin_operations operation
      join internal_accounts account on account.platform_id = operation.platform_id and account.id = internal_account_id
      where operation.platform_id = ${platformId}::uuid and operation.id = ${id}::uuid for no key update of operation`
    const reported = row && next(row.status)
    if (!row || !reported) return
    const arrives = isPayable(row, account) && (row.type === 'MINT' || row.isActive)
    const status = reported === 'COMPLETED' && !arrives ? 'FAILED' : reported
    if (!NEXT[row.status].includes(status)) throw new Error(`An operation does not go from ${row.status} to ${status}`)
    const paid = await payAccount(tx, platformId, row, status)
    await tx.$executeRaw`
      update stablecoin_operations set status = ${status}::stablecoin_operation_status, updated_at = now(),
        movement_id = case when operation_type = 'BURN' then ${paid}::uuid else movement_id end,
        refund_id = case when operation_type = 'MINT' then ${paid}::uuid end
      where platform_id = ${platformId}::uuid and id = ${id}::uuid`
    await then(tx, status)
  })
}

/** The movement that pays the account, or null if none is due. */
const payAccount = async (
  tx: Tx,
  platformId: string,
  { type, accountId, amount }: Row,
  status: OperationStatus,
): Promise<string | null> => {
  const isDue = type === 'BURN' ? status === 'COMPLETED' : status === 'FAILED' || status === 'EXPIRED'
  if (!isDue) return null
  return postMovement(tx, platformId as PlatformId, {
    kind: type === 'BURN' ? 'BURN' : 'REFUND',
    entries: [
      { accountId, currency: BACKING, amount },
      { book: 'OUTSIDE', currency: BACKING, amount: -amount },
    ],
  })
}
