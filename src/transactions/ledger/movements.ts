// What a transaction moved in the double-entry ledger (docs/domain/transactions.md#ledger-movements).
import type { Caller } from '#core/caller.ts'
import { query, sql } from '#database/db.ts'
import { amount, integer, nullable, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { ofItsTransactions } from '#transactions/transaction.ts'

export const LEDGER_MOVEMENT_KINDS = ['OPENING', 'FUNDING', 'PAYMENT', 'REFUND', 'MINT', 'BURN'] as const
export const LEDGER_BOOKS = ['OUTSIDE', 'FEES', 'EXCHANGE', 'RECEIVABLE', 'SUSPENSE', 'SETTLEMENT'] as const

const MovementRecord = record(
  'ledger_movements',
  { id: text, transactionId: text, kind: oneOf(LEDGER_MOVEMENT_KINDS), createdAt: time },
  { agentSees: ofItsTransactions, agentNeeds: 'VIEW_TRANSACTIONS' },
)

const MOVEMENT_COLUMNS = Object.keys(MovementRecord.shape).length

const EntryRecord = record('ledger_entries', {
  position: integer,
  accountId: nullable(text),
  book: nullable(oneOf(LEDGER_BOOKS)),
  currency: text,
  amount,
})

export type LedgerEntry = RecordOf<typeof EntryRecord>
export interface LedgerMovement {
  readonly kind: (typeof LEDGER_MOVEMENT_KINDS)[number]
  readonly createdAt: string
  /** They add up to zero in each currency. */
  readonly entries: readonly LedgerEntry[]
}

/** Only a card transaction can have more, one for each clearing. */
export const MOST_MOVEMENTS = 100

/** The movements of each transaction, oldest first, at most `MOST_MOVEMENTS` of each. Takes one statement. */
export const movementsOfTransactions = async (
  caller: Caller,
  transactionIds: readonly string[],
): Promise<LedgerMovement[][]> => {
  MovementRecord.requireView(caller)
  const rows = await query(sql`
    select m.*, ${EntryRecord.columns}
    from unnest(${transactionIds}::uuid[]) as asked (id)
    cross join lateral (
      select ${MovementRecord.columns} from ledger_movements t
      where ${MovementRecord.visibleTo(caller)} and t.transaction_id = asked.id
      order by t.created_at, t.id limit ${MOST_MOVEMENTS}::int
    ) m
    join ledger_entries t on t.platform_id = ${caller.platformId}::uuid and t.movement_id = m.id
    order by m.created_at, m.id, t.position`)
  const found = new Map<string, LedgerMovement[]>(transactionIds.map((id) => [id, []]))
  const entriesOf = new Map<string, LedgerEntry[]>()
  for (const row of rows) {
    const { id, transactionId, kind, createdAt } = MovementRecord.read(row)
    const entries = entriesOf.get(id) ?? []
    if (entries.length === 0) found.get(transactionId)?.push({ kind, createdAt, entries })
    entries.push(EntryRecord.read(row.slice(MOVEMENT_COLUMNS)))
    entriesOf.set(id, entries)
  }
  return transactionIds.map((id) => found.get(id) ?? [])
}
