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

export interface Wanted {
  readonly record: AnyRecord
  readonly names: readonly string[]
  readonly ids: readonly string[]
}

/** For each record the rows with these ids, in any order, by one statement for all of them. Needs VIEW for those with ids. */
export const selectRows = async (caller: Caller, wanted: readonly Wanted[]): Promise<Row[][]> => {
  const width = Math.max(...wanted.map(({ names }) => names.length))
  const selects = wanted.map(({ record, names, ids }, place) => {
    if (ids.length > 0) record.requireView(caller)
    const columns = names.map((name) => `${columnName(name)}::text`)
    const nulls = Array.from({ length: width - names.length }, () => 'null')
    return sql`
      select ${identifier([...columns, ...nulls, place].join(', '))} from ${record.table} t
      where ${record.visibleTo(caller)} and t.id = any(${ids}::uuid[])`
  })
  const found = wanted.map((): Row[] => [])
  for (const row of await lookUp(join(selects, ' union all '))) found[Number(row[width])]?.push(row)
  return found
}
