// Reads some columns of records and leaves them as text, for callers that only pass them on.
import type { Caller } from '#core/caller.ts'
import { snakeCase } from './columns.ts'
import { identifier, join, lookUp, type Sql, sql } from './db.ts'
import type { Listable, SelectPage } from './list.ts'
import { type AnyRecord, columnName } from './record.ts'
import type { Row } from './row.ts'

/** Reads only these columns. */
export const rowsOf = ({ table }: AnyRecord, names: readonly string[]): Listable<Row> => ({
  table,
  columns: columnsOf(names),
  read: (row) => row,
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
      return list(caller, ofRecord)
    })
    const [row] = await lookUp(sql`select json_build_array(${join(selects)})`)
    // A list without rows is null.
    return (JSON.parse(row?.[0] ?? '[]') as (Row[] | null)[]).map((rows) => rows ?? [])
  }
}

/** The rows of a record to which the columns at these places of a page lead. */
interface Linked extends Wanted {
  readonly from: readonly number[]
}

/** Selects the rows of a page, each joined with the rows that its columns refer to. */
export interface PageSelector {
  /** Returns the rows of the page in their order. Each continues with the columns of its linked rows. Needs VIEW for all of them. */
  select(caller: Caller, page: SelectPage): Promise<Row[]>
  /**
   * For each record, where its linked rows begin, by the place of the column that leads to them. The page already has the id of a linked row,
   * so the row has `t` in its place, or null if there is no such row.
   */
  readonly starts: readonly (readonly number[])[]
}

export const pageSelector = (names: readonly string[], linked: readonly Linked[]): PageSelector => {
  const columns = columnsOf(names)
  let end = names.length
  const starts = linked.map(({ from, names }) => {
    const placed: number[] = []
    for (const place of from) {
      placed[place] = end
      end += names.length
    }
    return placed
  })
  const composeJoins = (caller: Caller): Sql => {
    const rows = linked.flatMap((of) =>
      of.from.map((place) => rowWithId(of, caller, identifier(`page.${snakeCase(names[place] ?? '')}`), 'true as id')),
    )
    return join(
      rows.map((row, index) => sql`left join lateral (${row}) ${identifier(`linked_${index}`)} on true`),
      ' ',
    )
  }
  // `knownCaller` gives the requests of half a second the same object.
  const joinsOf = new WeakMap<Caller, Sql>()
  return {
    select: (caller, page) => {
      for (const { record } of linked) record.requireView(caller)
      const joins = joinsOf.get(caller) ?? composeJoins(caller)
      joinsOf.set(caller, joins)
      return lookUp(sql`select * from (${page(columns)}) page ${joins}`)
    },
    starts,
  }
}

/** The rows with these ids, as a list of lists of text in JSON, so that rows of several records can be selected together. */
const listByIds = (wanted: Wanted) => {
  const texts = identifier(wanted.names.map((name) => `${columnName(name)}::text`).join(', '))
  return (caller: Caller, ids: readonly string[]) => sql`
    (select to_json(array_agg(array[${texts}]))
    from unnest(${ids}::uuid[]) as wanted (id) cross join lateral (${rowWithId(wanted, caller, identifier('wanted.id'))}) t)`
}

/**
 * The row with this id, found anew for each id. `limit all` prevents a join, which would be planned for few rows or many: for a page of unknown
 * size, Postgres reads all rows of the platform by another index. `first` is the first column.
 */
const rowWithId = ({ record, names }: Wanted, caller: Caller, id: Sql, first = 't.id') => sql`
  select ${identifier([first, ...names.slice(1).map(columnName)].join(', '))} from ${record.table} t
  where ${record.visibleTo(caller)} and t.id = ${id} limit all`

const columnsOf = (names: readonly string[]) => identifier(names.map(columnName).join(', '))
