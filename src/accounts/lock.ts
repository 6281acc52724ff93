import type { Caller } from '#core/caller.ts'
import { type Sql, sql } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'

/** In the smallest unit of the account's currency. */
interface LockedAccount {
  readonly id: string
  readonly is_platforms: boolean
  readonly balance: bigint
  readonly total_balance: bigint
}

/**
 * Locks the accounts until the transaction ends, in the order of their ids and the platform's own accounts last. Changes to one account
 * wait for each other. To avoid deadlocks, every change locks in the same order: accounts, then agents, actions, quotes and transactions,
 * and last the account that a movement credits the platform's fee to. If a deadlock still occurs, `inTransaction` starts over.
 */
export const lockAccounts = (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  accountIds: readonly string[],
): Promise<LockedAccount[]> => tx.$queryRaw(lockingAccounts(platformId, accountIds))

/** The statement of `lockAccounts`. */
export const lockingAccounts = (platformId: string, accountIds: readonly string[]): Sql =>
  // Not FOR UPDATE, so that inserts of rows that refer to an account, such as entries, need not wait.
  sql`
    select id, customer_id is null as is_platforms, balance, total_balance from internal_accounts
    where platform_id = ${platformId}::uuid and id = any(${accountIds}::uuid[])
    order by customer_id is null, id for no key update`
