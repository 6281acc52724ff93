import type { Caller } from '#core/caller.ts'
import { type Sql, sql } from '#database/db.ts'
import { sendIn } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'

/** In the smallest unit of the account's currency. */
export interface LockedAccount {
  readonly id: string
  readonly isPlatforms: boolean
  readonly balance: bigint
  readonly totalBalance: bigint
}

/**
 * Locks the accounts until the transaction ends, in the order of their ids and the platform's own accounts last. Changes to one account
 * wait for each other. To avoid deadlocks, every change locks in the same order: a card or its transaction, accounts, then agents, actions,
 * quotes, payments and the customer, and last the account that a movement credits the platform's fee to. If a deadlock still occurs,
 * `inTransaction` starts over.
 */
export const lockAccounts = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  accountIds: readonly string[],
): Promise<LockedAccount[]> => {
  const [rows] = await sendIn(tx, lockingAccounts(platformId, accountIds))
  return rows.map(readLocked)
}

/** The statement of `lockAccounts`. It may also lock the one account that a query selects. */
export const lockingAccounts = (platformId: string, accounts: readonly string[] | Sql): Sql => {
  const ids = 'text' in accounts ? sql`array[(${accounts})]` : idsOf(accounts)
  // Not FOR UPDATE, so that inserts of rows that refer to an account, such as entries, need not wait.
  return sql`
    select id, customer_id is null as is_platforms, balance, total_balance from internal_accounts
    where platform_id = ${platformId}::uuid and id = any(${ids})
    order by customer_id is null, id for no key update`
}

/** Postgres plans one id once per connection, but an array of any length each time. */
const idsOf = (ids: readonly string[]): Sql => (ids.length === 1 ? sql`array[${ids[0]}::uuid]` : sql`${ids}::uuid[]`)

/** A row of `lockingAccounts`. */
export const readLocked = ([id, isPlatforms, balance, totalBalance]: Row): LockedAccount => ({
  id: String(id),
  isPlatforms: isPlatforms === 't',
  balance: BigInt(balance ?? 0),
  totalBalance: BigInt(totalBalance ?? 0),
})
