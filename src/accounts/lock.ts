import type { Caller } from '#core/caller.ts'
import type { Tx } from '#database/unit-of-work.ts'

/** In the smallest unit of the account's currency. */
interface LockedAccount {
  readonly id: string
  readonly is_platforms: boolean
  readonly balance: bigint
  readonly total_balance: bigint
}

/**
 * The accounts, as they stay until the transaction ends: the platform's own after the others, else in the order of their ids. Changes to one
 * account wait for each other. So that they do not wait in a circle, all lock in one order: accounts, what belongs to the change (agents,
 * actions, quotes, transactions), and at the very end, by a movement, the account that the platform's fee is on. Should they all the same,
 * Postgres notices, and `inTransaction` begins again.
 */
export const lockAccounts = (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  accountIds: readonly string[],
): Promise<LockedAccount[]> =>
  // Not FOR UPDATE: rows that refer to an account, as entries do, need not wait.
  tx.$queryRaw`
    select id, customer_id is null as is_platforms, balance, total_balance from internal_accounts
    where platform_id = ${platformId}::uuid and id = any(${accountIds}::uuid[])
    order by customer_id is null, id for no key update`
