import type { Caller } from '#core/caller.ts'
import { query, sql } from '#database/db.ts'
import { nullable, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { ofItsTransactions, TRANSACTION_LIFECYCLE_STATUSES } from './transaction.ts'

/** A step is as visible as its transaction. */
const StateChangeRecord = record(
  'transaction_timelines',
  {
    transactionId: text,
    fromStatus: nullable(oneOf(TRANSACTION_LIFECYCLE_STATUSES)),
    toStatus: oneOf(TRANSACTION_LIFECYCLE_STATUSES),
    at: time,
    reason: nullable(text),
  },
  { agentSees: ofItsTransactions, agentNeeds: 'VIEW_TRANSACTIONS' },
)
export type StateChange = RecordOf<typeof StateChangeRecord>

/** The state changes of each transaction, oldest first. */
export const timelinesOfTransactions = async (
  caller: Caller,
  transactionIds: readonly string[],
): Promise<StateChange[][]> => {
  StateChangeRecord.requireView(caller)
  const rows = await query(sql`
    select ${StateChangeRecord.columns} from transaction_timelines t
    where ${StateChangeRecord.visibleTo(caller)} and t.transaction_id = any(${transactionIds}::uuid[])
    order by t.transaction_id, t.sequence`)
  const timelines = new Map<string, StateChange[]>(transactionIds.map((id) => [id, []]))
  for (const row of rows) {
    const change = StateChangeRecord.read(row)
    timelines.get(change.transactionId)?.push(change)
  }
  return transactionIds.map((id) => timelines.get(id) ?? [])
}
