// The double-entry ledger. Movements transfer money, and holds reserve it. The database computes account balances from both.
import { ApiError } from '#core/errors.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { insertingRows } from '#database/columns.ts'
import { type Sql, sql } from '#database/db.ts'
import { sendIn } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { LedgerBook, LedgerMovementKind } from '#generated/prisma/client.ts'
import { type LockedAccount, lockAccounts, lockingAccounts, readLocked } from './lock.ts'

export type { LedgerBook, LedgerMovementKind }

/** The amount is in the smallest unit of the currency. It is positive for a credit to the account or book, and negative for a debit. */
export type LedgerEntry = {
  readonly currency: string
  readonly amount: bigint
} & ({ readonly accountId: string } | { readonly book: LedgerBook })

export interface Movement {
  readonly kind: LedgerMovementKind
  readonly transactionId?: string | null
  /** The entries of each currency must add up to zero. Entries with the amount zero are not stored. */
  readonly entries: readonly LedgerEntry[]
}

/**
 * Moves money between accounts and books, and returns the movement's id. Locks the accounts until the transaction ends, like
 * `lockAccounts`. Throws 400 `INVALID_AMOUNT` with the reason `INSUFFICIENT_BALANCE` if a spendable balance is too low, and 400
 * `AMOUNT_OUT_OF_RANGE` if an account would hold more than 9e15. Callers check that the accounts are active.
 */
export const postMovement = async (tx: Tx, platformId: PlatformId, movement: Movement): Promise<string> => {
  const [accounts] = await sendIn(tx, lockingMovement(platformId, movement))
  requireRoom(accounts, movement)
  const id = newUuid()
  await sendIn(tx, postingMovement(platformId, id, movement))
  return id
}

/** The statement that locks the accounts of a movement. Pass its rows to `requireRoom`. */
export const lockingMovement = (platformId: PlatformId, movement: Movement): Sql =>
  lockingAccounts(platformId, [...changesOf(movement.entries).keys()])

/** Throws the errors of `postMovement`. What a movement credits to an account, such as a fee, does not pay for what it debits from it. */
export const requireRoom = (accounts: readonly Row[], { entries }: Movement): void => {
  const debits = changesOf(entries.filter(({ amount }) => amount < 0n))
  const changes = changesOf(entries)
  for (const account of accounts.map(readLocked)) {
    requireRange(account, debits.get(account.id) ?? 0n)
    requireRange(account, changes.get(account.id) ?? 0n)
  }
}

/** The statement that writes a movement whose accounts are locked and have room. */
export const postingMovement = (
  platformId: PlatformId,
  id: string,
  { kind, transactionId = null, entries }: Movement,
): Sql => {
  const posted = entries
    .filter(({ amount }) => amount !== 0n)
    .map((entry, index) => ({ platformId, movementId: id, position: index + 1, ...entry }))
  return sql`
    with moved as (${insertingRows('ledger_movements', [{ platformId, id, kind, transactionId }])})
    ${insertingRows('ledger_entries', posted)}`
}

const changesOf = (entries: Movement['entries']): ReadonlyMap<string, bigint> => {
  const changes = new Map<string, bigint>()
  for (const entry of entries)
    if ('accountId' in entry) changes.set(entry.accountId, (changes.get(entry.accountId) ?? 0n) + entry.amount)
  return changes
}

export interface Hold {
  readonly accountId: string
  /** In the smallest unit of the account's currency, above zero. */
  readonly amount: bigint
  readonly transactionId?: string | null
}

/** Reserves the amount, so that it cannot be spent, and returns the hold's id. Takes the same locks and throws the same errors as `postMovement`. */
export const placeHold = async (
  tx: Tx,
  platformId: PlatformId,
  { accountId, amount, transactionId = null }: Hold,
): Promise<string> => {
  await requireFunds(tx, platformId, accountId, amount)
  const id = newUuid()
  await tx.$executeRaw(insertingRows('ledger_holds', [{ platformId, id, accountId, amount, transactionId }]))
  return id
}

/** Makes the whole amount spendable again. To take it from the account, post a movement next. Throws 409 `CONFLICT` if the hold is not open. */
export const releaseHold = async (tx: Tx, platformId: PlatformId, id: string): Promise<void> => {
  const released = await tx.$executeRaw`
    update ledger_holds set released_at = greatest(now(), created_at)
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and released_at is null`
  if (released !== 1) throw new ApiError('CONFLICT', 'The hold is not open')
}

/** Locks the account. Throws 400 `INVALID_AMOUNT` with the reason `INSUFFICIENT_BALANCE` if it cannot spend the amount. */
export const requireFunds = async (
  tx: Tx,
  platformId: PlatformId,
  accountId: string,
  amount: bigint,
): Promise<void> => {
  for (const account of await lockAccounts(tx, { platformId }, [accountId])) requireRange(account, -amount)
}

/** Throws if the change would take a balance out of range. */
const requireRange = ({ balance, totalBalance }: LockedAccount, change: bigint): void => {
  if (change < 0n && balance + change < 0n) throw insufficientBalance()
  if (totalBalance + change > MAX_AMOUNT) throw new ApiError('AMOUNT_OUT_OF_RANGE', 'The account cannot hold that much')
}

export const insufficientBalance = () =>
  new ApiError('INVALID_AMOUNT', 'The balance of the account is too low', { reason: 'INSUFFICIENT_BALANCE' })
