// Reading and writing the history of a card transaction.
import { newUuid, type PlatformId } from '#core/ids.ts'
import { type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Transaction as TransactionRow } from '#generated/prisma/client.ts'
import { changingTransaction, moveTransaction } from '#transactions/transition.ts'
import { type CardEvent, type CardEventKind, type CardPull, type History, summaryOf } from './history.ts'
import { restoreHistory } from './imported.ts'

export interface StoredPull extends CardPull {
  readonly id: string
  /** The hold of a pending pull. */
  readonly holdId: string | null
}

/** A locked card transaction. Steps replace it as they go, and `writeSummary` writes what follows from it. */
export interface CardTransaction extends History {
  readonly platformId: PlatformId
  readonly row: TransactionRow
  /** The account that funds it, or that it credits. */
  readonly accountId: string
  readonly currency: string
  readonly pulls: readonly StoredPull[]
}

/** Locks the transaction until `tx` ends; lock its account after it. Undefined if there is no such card transaction. */
export const lockCardTransaction = async (
  tx: Tx,
  platformId: PlatformId,
  id: string,
): Promise<CardTransaction | undefined> => {
  const found = await tx.$queryRaw<unknown[]>`
    select from transactions where platform_id = ${platformId}::uuid and id = ${id}::uuid and type = 'CARD' for no key update`
  if (found.length === 0) return undefined
  const row = await tx.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  const events = await tx.$queryRaw<CardEvent[]>`
    select kind::text, amount from card_events
    where platform_id = ${platformId}::uuid and transaction_id = ${id}::uuid order by sequence`
  const pulls = await tx.$queryRaw<StoredPull[]>`
    select id, status::text, amount, given_back as "givenBack", hold_id as "holdId" from card_pulls
    where platform_id = ${platformId}::uuid and transaction_id = ${id}::uuid order by sequence`
  const known = cardTransaction(platformId, row, { events, pulls })
  return events.length > 0 ? known : restore(tx, known)
}

export const cardTransaction = (
  platformId: PlatformId,
  row: TransactionRow,
  history: Pick<CardTransaction, 'events' | 'pulls'>,
): CardTransaction => {
  const accountId = row.sourceInternalAccountId ?? row.destinationInternalAccountId
  if (accountId === null || row.cardCurrency === null) throw new Error('A card transaction lacks its account')
  return { platformId, row, direction: row.direction, accountId, currency: row.cardCurrency, ...history }
}

/** Writes the history of a transaction that was imported without one. */
const restore = async (tx: Tx, known: CardTransaction): Promise<CardTransaction> => {
  const { platformId, row } = known
  const hold = await tx.ledgerHold.findFirst({ where: { platformId, transactionId: row.id, releasedAt: null } })
  const { events, pulls } = restoreHistory(row)
  let restored = known
  for (const [index, event] of events.entries()) {
    restored = await addEvent(tx, restored, event, `restored_${row.id}_${index + 1}`)
  }
  for (const pull of pulls) {
    const holdId = pull.status === 'PENDING' ? (hold?.id ?? null) : null
    restored = await addPull(tx, restored, { ...pull, id: newUuid(), holdId }, 'AUTHORIZATION')
  }
  return restored
}

/** Whether the issuer has reported this already. */
export const isReported = async (tx: Tx, platformId: PlatformId, token: string): Promise<boolean> => {
  const found = await tx.$queryRaw<unknown[]>`
    select from card_events where platform_id = ${platformId}::uuid and issuer_event_token = ${token}`
  return found.length > 0
}

/** The token identifies the report. */
export const addEvent = async (
  tx: Tx,
  transaction: CardTransaction,
  { kind, amount }: { readonly kind: CardEventKind; readonly amount: bigint },
  token: string,
): Promise<CardTransaction> => {
  const { platformId, row, events } = transaction
  await tx.$executeRaw`
    insert into card_events (platform_id, transaction_id, sequence, kind, amount, issuer_event_token)
    values (${platformId}::uuid, ${row.id}::uuid, ${events.length + 1}::smallint, ${kind}::card_event_kind, ${amount}::bigint, ${token})`
  return { ...transaction, events: [...events, { kind, amount }] }
}

export const addPull = async (
  tx: Tx,
  transaction: CardTransaction,
  pull: StoredPull,
  kind: 'AUTHORIZATION' | 'POST_HOC',
): Promise<CardTransaction> => {
  const { platformId, row, pulls } = transaction
  const { id, status, amount, givenBack, holdId } = pull
  await tx.$executeRaw`
    insert into card_pulls (platform_id, id, transaction_id, sequence, kind, status, amount, given_back, hold_id)
    values (${platformId}::uuid, ${id}::uuid, ${row.id}::uuid, ${pulls.length + 1}::smallint, ${kind}::card_pull_kind,
      ${status}::card_pull_status, ${amount}::bigint, ${givenBack}::bigint, ${holdId}::uuid)`
  return { ...transaction, pulls: [...pulls, pull] }
}

export const changePull = async (
  tx: Tx,
  transaction: CardTransaction,
  id: string,
  changes: Partial<Pick<StoredPull, 'status' | 'givenBack' | 'holdId'>>,
): Promise<CardTransaction> => {
  const { platformId } = transaction
  const pulls = transaction.pulls.map((pull) => (pull.id === id ? { ...pull, ...changes } : pull))
  const changed = pulls.find((pull) => pull.id === id)
  if (!changed) throw new Error('The pull belongs to another transaction')
  const { status, givenBack, holdId } = changed
  await tx.$executeRaw`
    update card_pulls set status = ${status}::card_pull_status, given_back = ${givenBack}::bigint, hold_id = ${holdId}::uuid
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  return { ...transaction, pulls }
}

/**
 * Writes status and summaries. `REPORTED` says that the issuer reported a step, which is a transition and an event,
 * even if the status does not change. The end of a pull is not a step, and an advice is one only if the status changes.
 */
export const writeSummary = async (
  tx: Tx,
  transaction: CardTransaction,
  what: 'REPORTED' | 'ADVISED' | 'PULL_ENDED',
): Promise<void> => {
  const { platformId, row } = transaction
  const { status, ...summary } = summaryOf(transaction)
  const now = await timeOf(tx)
  const data = { ...summary, ...(what !== 'PULL_ENDED' && { lastEventAt: now }) }
  if (what === 'REPORTED' || status !== row.status) return moveTransaction(tx, platformId, row.id, status, data)
  await tx.$executeRaw(changingTransaction(platformId, row.id, data))
}
