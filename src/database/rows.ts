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
  const columns = columnsOf(wanted)
  return async (caller, ids) => {
    const selects = wanted.map(({ record }, place) => {
      const ofRecord = ids[place] ?? []
      if (ofRecord.length > 0) record.requireView(caller)
      return selectByIds(caller, record, columns(place), sql`${ofRecord}::uuid[]`)
    })
    return rowsByPlace(await lookUp(join(selects, ' union all ')), wanted.length)
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
  // Casting a column to text costs as much as reading it. So the columns of the page keep their types, and the linked rows use further columns.
  const columnsOfLinked = columnsOf(linked)
  const nulls = names.map(() => 'null')
  const width = widthOf(linked)
  const columnsOfPage = identifier(
    [...names.map(columnName), ...Array.from({ length: width }, () => 'null::text'), linked.length].join(', '),
  )
  const links = identifier([...new Set(linked.flatMap(({ from }) => from))].map(columnName).join(', '))
  return async (caller, page) => {
    const selects = linked.map(({ record, from }, place) => {
      record.requireView(caller)
      const ids = from.map((name) => identifier(`select ${columnName(name)} from links t`))
      const columns = sql`${identifier(nulls.join(', '))}, ${columnsOfLinked(place)}`
      return selectByIds(caller, record, columns, sql`array(${join(ids, ' union all ')})`)
    })
    // Reading the page twice costs less than keeping all its columns.
    const rows = await lookUp(sql`
      with links as materialized (${page(links)}) (${page(columnsOfPage)}) union all ${join(selects, ' union all ')}`)
    const found = rowsByPlace(rows, linked.length + 1)
    const ofPage = found.pop() ?? []
    return [ofPage, found.map((those) => those.map((row) => row.slice(names.length)))]
  }
}

const selectByIds = (caller: Caller, record: AnyRecord, columns: Sql, ids: Sql) => sql`
  select ${columns} from ${record.table} t where ${record.visibleTo(caller)} and t.id = any(${ids})`

const widthOf = (wanted: readonly Wanted[]) => Math.max(...wanted.map(({ names }) => names.length))

/** The columns of each record as text, filled up to the same number, with its place at the end. */
const columnsOf = (wanted: readonly Wanted[]) => {
  const width = widthOf(wanted)
  const columns = wanted.map(({ names }, place) => {
    const nulls = Array.from({ length: width - names.length }, () => 'null')
    return identifier([...names.map((name) => `${columnName(name)}::text`), ...nulls, place].join(', '))
  })
  return (place: number) => columns[place] as Sql
}

/** The rows of each place, which is their last column. */
const rowsByPlace = (rows: readonly Row[], places: number): Row[][] => {
  const found = Array.from({ length: places }, (): Row[] => [])
  for (const row of rows) found[Number(row.at(-1))]?.push(row)
  return found
}
