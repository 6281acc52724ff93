// Reads some columns of records and leaves them as text, for callers that only pass them on.
import type { Caller } from '#core/caller.ts'
import { identifier, join, lookUp, type Sql, sql } from './db.ts'
import type { Listable, SelectPage } from './list.ts'
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
  const lists = wanted.map(listByIds)
  return async (caller, ids) => {
    const selects = lists.map((list, place) => {
      const ofRecord = ids[place] ?? []
      if (ofRecord.length > 0) wanted[place]?.record.requireView(caller)
      return list(caller, sql`${ofRecord}::uuid[]`)
    })
    const rows = await lookUp(sql`select ${together(selects)}`)
    return rowsIn(rows)
  }
}

/** The rows of a record to which columns of a page lead. */
interface Linked extends Wanted {
  readonly from: readonly string[]
}

/** Returns the rows of the page in their order, and for each record those to which they lead, in any order. */
export type PageSelector = (caller: Caller, page: SelectPage) => Promise<[Row[], Row[][]]>

/** Selects the rows of a page together with those to which its columns lead, by one statement. Needs VIEW for all of them. */
export const pageSelector = ({ names }: Wanted, linked: readonly Linked[]): PageSelector => {
  const columns = identifier(names.map(columnName).join(', '))
  const nulls = identifier(names.map(() => 'null').join(', '))
  const idsOf = (from: readonly string[]) => from.map((name) => `select ${columnName(name)} from page t`)
  const lists = linked.map((of) => ({
    of,
    list: listByIds(of),
    ids: identifier(`array(${idsOf(of.from).join(' union all ')})`),
  }))
  return async (caller, page) => {
    const selects = lists.map(({ of, list, ids }) => {
      of.record.requireView(caller)
      return list(caller, ids)
    })
    const rows = await lookUp(sql`
      with page as materialized (${page(columns)})
      select t.*, null::json from page t union all select ${nulls}, ${together(selects)}`)
    const last = rows.splice(-1)
    return [rows, rowsIn(last)]
  }
}

/**
 * The rows with these ids, as a list of lists of text in JSON. Rows of their own would need the columns of all others too, and a null costs nearly
 * as much as a value.
 */
const listByIds = ({ record, names }: Wanted) => {
  const columns = identifier(names.map((name) => `${columnName(name)}::text`).join(', '))
  return (caller: Caller, ids: Sql) => sql`
    (select to_json(array_agg(array[${columns}])) from ${record.table} t where ${record.visibleTo(caller)} and t.id = any(${ids}))`
}

const together = (lists: readonly Sql[]) => sql`json_build_array(${join(lists)})`

/** The lists in the last column. A list without rows is null. */
const rowsIn = ([row]: readonly Row[]): Row[][] =>
  (JSON.parse(row?.at(-1) ?? '[]') as (Row[] | null)[]).map((rows) => rows ?? [])
