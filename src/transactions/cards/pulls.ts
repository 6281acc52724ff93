// Pulls: how a card transaction takes money from its funding account, and gives it back (docs/domain/cards.md#card-money).
import { type LedgerEntry, placeHold, postMovement, releaseHold } from '#accounts/ledger.ts'
import { lockAccounts } from '#accounts/lock.ts'
import type { SpendingLimit } from '#cards/delegated-keys/spending-limit.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { coveredOf, hasRoomFor } from './history.ts'
import { addPull, type CardTransaction, changePull, type StoredPull } from './stored.ts'

/**
 * Moves the amount, in the smallest unit of the card's currency, between the account and the card network. Positive for the account. A
 * closed account receives nothing: its money goes to the book `SUSPENSE`.
 */
export const moveMoney = async (tx: Tx, transaction: CardTransaction, amount: bigint): Promise<void> => {
  if (amount === 0n) return
  const { platformId, accountId } = transaction
  const closed =
    amount > 0n && (await tx.internalAccount.count({ where: { platformId, id: accountId, status: 'CLOSED' } }))
  await post(tx, transaction, amount, closed ? { book: 'SUSPENSE' } : { accountId })
}

/** Takes the latest return back. What the account no longer has, its owner owes. */
export const takeBack = async (tx: Tx, transaction: CardTransaction, amount: bigint): Promise<void> => {
  const { platformId, accountId, row } = transaction
  const [account] = await lockAccounts(tx, { platformId }, [accountId])
  const [suspended] = await tx.$queryRaw<{ amount: bigint }[]>`
    select coalesce(sum(entry.amount), 0)::bigint as amount
    from ledger_entries entry
    join ledger_movements movement on movement.platform_id = entry.platform_id and movement.id = entry.movement_id
    where movement.platform_id = ${platformId}::uuid and movement.transaction_id = ${row.id}::uuid and entry.book = 'SUSPENSE'`
  if (suspended && suspended.amount >= amount) await post(tx, transaction, -amount, { book: 'SUSPENSE' })
  else if (account && account.balance >= amount) await moveMoney(tx, transaction, -amount)
  else await oweMoney(tx, transaction, amount)
}

/** The service pays the network the amount that could not be debited. The account's owner owes it. */
export const oweMoney = (tx: Tx, transaction: CardTransaction, amount: bigint): Promise<void> =>
  post(tx, transaction, -amount, { book: 'RECEIVABLE' })

const post = async (
  tx: Tx,
  { platformId, row, currency }: CardTransaction,
  amount: bigint,
  party: { readonly accountId: string } | { readonly book: 'RECEIVABLE' | 'SUSPENSE' },
) => {
  const entries: LedgerEntry[] = [
    { ...party, currency, amount },
    { book: 'OUTSIDE', currency, amount: -amount },
  ]
  const isBack = amount > 0n && row.direction === 'DEBIT'
  await postMovement(tx, platformId, { kind: isBack ? 'REFUND' : 'PAYMENT', transactionId: row.id, entries })
}

/** Holds the amount. Throws 400 `INVALID_AMOUNT` if the account cannot spend it. The caller schedules the end of the pull. */
export const startPull = async (tx: Tx, transaction: CardTransaction, amount: bigint): Promise<CardTransaction> => {
  const { platformId, accountId, row } = transaction
  const holdId = await placeHold(tx, platformId, { accountId, amount, transactionId: row.id })
  const pull = { id: newUuid(), status: 'PENDING', amount, givenBack: 0n, holdId } as const
  return addPull(tx, transaction, pull, 'AUTHORIZATION')
}

/** Ends a pull: takes what it holds, or gives it back. Does nothing if it has ended. */
export const endPull = async (
  tx: Tx,
  transaction: CardTransaction,
  { id, status, amount, givenBack, holdId }: StoredPull,
  isConfirmed: boolean,
): Promise<CardTransaction> => {
  if (status !== 'PENDING') return transaction
  const { platformId, accountId } = transaction
  await lockAccounts(tx, { platformId }, [accountId])
  if (holdId !== null) await releaseHold(tx, platformId, holdId)
  const isTaken = isConfirmed && (await takes(tx, transaction, amount - givenBack))
  return changePull(tx, transaction, id, { status: isTaken ? 'CONFIRMED' : 'FAILED', holdId: null })
}

/** Whether the account could be debited. */
const takes = async (tx: Tx, transaction: CardTransaction, amount: bigint): Promise<boolean> => {
  try {
    await moveMoney(tx, transaction, -amount)
    return true
  } catch (error) {
    // Thrown before anything is written.
    if (error instanceof ApiError && error.code === 'INVALID_AMOUNT') return false
    throw error
  }
}

/** Takes at once the part of a clearing that exceeds the pulls, or nothing if the account cannot pay all of that part. */
export const pullAfterwards = async (
  tx: Tx,
  transaction: CardTransaction,
  amount: bigint,
): Promise<CardTransaction> => {
  const { platformId, accountId, pulls } = transaction
  await lockAccounts(tx, { platformId }, [accountId])
  const isTaken =
    hasRoomFor(pulls, amount) &&
    (await mayPull(tx, transaction, coveredOf(pulls) + amount)) &&
    (await takes(tx, transaction, amount))
  const status = isTaken ? 'CONFIRMED' : 'FAILED'
  return addPull(tx, transaction, { id: newUuid(), status, amount, givenBack: 0n, holdId: null }, 'POST_HOC')
}

/**
 * Whether the card may pull this total for one transaction: the account is active and, if it is a wallet, the card has an active delegated
 * key for it whose limit allows the total.
 */
export const mayPull = async (
  tx: Tx,
  {
    platformId,
    accountId,
    currency,
    row,
  }: Pick<CardTransaction, 'platformId' | 'accountId' | 'currency'> & {
    readonly row: { readonly cardId: string | null }
  },
  total: bigint,
): Promise<boolean> => {
  const where = { platformId_id: { platformId, id: accountId } }
  const { status, type } = await tx.internalAccount.findUniqueOrThrow({ where, select: { status: true, type: true } })
  if (status !== 'ACTIVE') return false
  if (type !== 'EMBEDDED_WALLET') return true
  const [key] = await tx.$queryRaw<{ limits: readonly SpendingLimit[] | null }[]>`
    select spending_limits as limits from delegated_keys
    where platform_id = ${platformId}::uuid and card_id = ${row.cardId}::uuid and account_id = ${accountId}::uuid and status = 'ACTIVE'`
  const limit = key?.limits?.find(({ currencyCode }) => currencyCode === currency)
  return key !== undefined && (limit === undefined || total <= BigInt(limit.maxPerTransaction))
}

/** Gives back this amount from what the pulls hold or have taken, starting with the latest. */
export const giveBack = async (tx: Tx, transaction: CardTransaction, amount: bigint): Promise<CardTransaction> => {
  if (amount === 0n) return transaction
  const { platformId, accountId, row } = transaction
  await lockAccounts(tx, { platformId }, [accountId])
  let given = transaction
  let [rest, taken] = [amount, 0n]
  for (const pull of transaction.pulls.toReversed()) {
    const kept = pull.status === 'FAILED' ? 0n : pull.amount - pull.givenBack
    const part = rest < kept ? rest : kept
    if (part === 0n) continue
    rest -= part
    if (pull.status === 'CONFIRMED') taken += part
    const holdId = pull.status === 'PENDING' ? await lowerHold(tx, given, pull, kept - part) : null
    given = await changePull(tx, given, pull.id, { givenBack: pull.givenBack + part, holdId })
  }
  if (rest > 0n) throw new Error(`The pulls of ${row.id} have less than is to be given back`)
  await moveMoney(tx, given, taken)
  return given
}

/** Replaces the hold by one of the smaller amount. */
const lowerHold = async (tx: Tx, { platformId, accountId, row }: CardTransaction, pull: StoredPull, amount: bigint) => {
  if (pull.holdId !== null) await releaseHold(tx, platformId, pull.holdId)
  return amount === 0n ? null : placeHold(tx, platformId, { accountId, amount, transactionId: row.id })
}
