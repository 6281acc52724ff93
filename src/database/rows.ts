// Reads some columns of records and leaves them as text, for callers that only pass them on.
import type { Caller } from '#core/caller.ts'
import { identifier, join, lookUp, sql } from './db.ts'
import type { Listable } from './list.ts'
import { type AnyRecord, columnName } from './record.ts'
import type { Row } from './row.ts'

/** Reads only these columns. */
export const rowsOf = ({ table }: AnyRecord, names: readonly string[]): Listable<Row> => ({
  table,
  columns: identifier(names.map(columnName).join(', ')),
  read: (row, offset = 0) => (offset === 0 ? row : row.slice(offset)),
})

interface Wanted {
  readonly record: AnyRecord
  readonly names: readonly string[]
}

/** Selects rows by the ids for each record. */
export type RowSelector = (caller: Caller, ids: readonly (readonly string[])[]) => Promise<Row[][]>

/** For each record the rows with its ids, in any order, by one statement for all of them. Needs VIEW for those with ids. */
export const rowSelector = (wanted: readonly Wanted[]): RowSelector => {
  const width = Math.max(...wanted.map(({ names }) => names.length))
  const parts = wanted.map(({ record, names }, place) => {
    const columns = names.map((name) => `${columnName(name)}::text`)
    const nulls = Array.from({ length: width - names.length }, () => 'null')
    return { record, columns: identifier([...columns, ...nulls, place].join(', ')) }
  })
  return async (caller, ids) => {
    const selects = parts.map(({ record, columns }, place) => {
      const ofRecord = ids[place] ?? []
      if (ofRecord.length > 0) record.requireView(caller)
      return sql`
      select ${columns} from ${record.table} t
      where ${record.visibleTo(caller)} and t.id = any(${ofRecord}::uuid[])`
    })
    const found = parts.map((): Row[] => [])
    for (const row of await lookUp(join(selects, ' union all '))) found[Number(row[width])]?.push(row)
    return found
  }
}
