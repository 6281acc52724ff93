// The ledger of the demo: the movements and holds of each transaction, and the opening balances that make them possible.
import type { LedgerBook, LedgerMovementKind } from '#generated/prisma/client.ts'
import type { World } from './world.ts'

/** An entry on an account, given by its id, or in a book. */
export type Side = { accountId: string } | { book: LedgerBook }
export type Entry = Side & { currency: string; amount: bigint }

type Facts = { kind: LedgerMovementKind; at: Date; transactionId?: string }

/** Leaves out entries of zero, and movements without entries. */
export const addMovement = (world: World, { kind, at, transactionId }: Facts, entries: readonly Entry[]) => {
  const { platformId, rows } = world
  const moved = entries.filter(({ amount }) => amount !== 0n)
  if (moved.length === 0) return
  const id = world.id(`movement/${rows.ledgerMovements.length}`)
  rows.ledgerMovements.push({ platformId, id, kind, transactionId: transactionId ?? null, createdAt: at })
  moved.forEach((entry, place) => {
    rows.ledgerEntries.push({ platformId, movementId: id, position: place + 1, ...entry })
  })
}

export const addHold = (world: World, accountId: string, amount: bigint, at: Date, transactionId?: string) => {
  const { platformId, rows } = world
  const id = world.id(`hold/${rows.ledgerHolds.length}`)
  rows.ledgerHolds.push({ platformId, id, accountId, transactionId: transactionId ?? null, amount, createdAt: at })
}

/** The target balance of an account, unless its payments leave more. */
export type Funds = { spendable: bigint; held: bigint }

/** Adds opening balances, so that each account can make its payments in order and those that wait, and ends at its target balance. */
export const openAccounts = (world: World, funds: ReadonlyMap<string, Funds>) => {
  const changes = changesByAccount(world)
  for (const { id, currency, createdAt, updatedAt } of world.rows.internalAccounts) {
    const { spendable, held } = funds.get(id) ?? { spendable: 0n, held: 0n }
    let [left, lowest] = [0n, 0n]
    for (const change of changes.get(id) ?? []) {
      left += change
      if (left < lowest) lowest = left
    }
    const holds = world.rows.ledgerHolds.filter(({ accountId }) => accountId === id)
    const blocked = holds.reduce((sum, { amount }) => sum + amount, held)
    const wanted = waitingOf(world, id)
    const lacking = (spendable > wanted ? spendable : wanted) + blocked - left
    const amount = lacking > -lowest ? lacking : -lowest
    addMovement(world, { kind: 'OPENING', at: createdAt }, [
      { accountId: id, currency, amount },
      { book: 'OUTSIDE', currency, amount: -amount },
    ])
    if (held > 0n) addHold(world, id, held, updatedAt)
  }
}

/** The amount of agent payments from the account that wait for approval. */
const waitingOf = ({ rows }: World, id: string) => {
  const waiting = rows.agentActions.filter(({ status }) => status === 'PENDING_APPROVAL')
  const payments = new Set(waiting.map(({ transactionId }) => transactionId))
  return rows.transactions
    .filter(({ id: payment, sourceInternalAccountId }) => payments.has(payment) && sourceInternalAccountId === id)
    .reduce((sum, { sentAmount }) => sum + BigInt(sentAmount ?? 0), 0n)
}

/** Sorted by time. */
const changesByAccount = ({ rows }: World) => {
  const times = new Map(rows.ledgerMovements.map(({ id, createdAt }) => [id, createdAt.getTime()]))
  const changes = new Map<string, { at: number; amount: bigint }[]>()
  for (const { accountId, movementId, amount } of rows.ledgerEntries) {
    if (!accountId) continue
    const change = { at: times.get(movementId) ?? 0, amount }
    changes.set(accountId, [...(changes.get(accountId) ?? []), change])
  }
  return new Map(
    [...changes].map(([id, all]) => [id, all.sort((a, b) => a.at - b.at).map(({ amount }) => amount)] as const),
  )
}
