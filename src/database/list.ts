// Reads a page of one list, or a page per parent for several parents, with one statement.
import { join, lookUp, nothing, query, type Sql, sql } from './db.ts'
import {
  beyondCursor,
  type ListKey,
  orderAndLimit,
  orderAndLongest,
  type Page,
  pageOf,
  type Reading,
  readOrder,
  type Window,
} from './page.ts'
import type { Row } from './row.ts'

/** The statement of a page with these columns. */
export type SelectPage = (columns: Sql) => Sql

/** How to read the rows of a table: a record, or some of its columns as text. The columns contain `created_at` and `id`. */
export interface Listable<T> {
  readonly table: Sql
  readonly columns: Sql
  read(row: Row, offset?: number): T
  /** Sends a page that is planned once, together with other selects. */
  send?(page: SelectPage): Promise<Row[]>
}

/** The page of the rows that match any of the alternatives. */
export const readPage = async <T>(
  type: Listable<T>,
  list: ListKey,
  window: Window,
  alternatives: readonly Sql[],
  reading?: Reading,
): Promise<Page<T>> => {
  const beyond = beyondCursor(window, list)
  const page: SelectPage = (columns) =>
    selectPage({ table: type.table, columns }, alternatives, beyond, window, reading)
  const rows = await sendPage(type, page, reading)
  return pageOf(
    rows.map((row) => type.read(row)),
    window,
    list,
  )
}

const sendPage = async (
  { columns, send }: Listable<unknown>,
  page: SelectPage,
  reading: Reading | undefined,
): Promise<Row[]> => {
  if (reading !== 'PLANNED_ONCE') return query(page(columns))
  return send ? send(page) : lookUp(page(columns))
}

/** A page found among the next rows of a list. `isComplete` is false if rows after these could belong to the page. */
export interface Found<T> extends Page<T> {
  readonly isComplete: boolean
}

/** The page of the rows that also satisfy the condition, as far as it is found among the next `depth` rows that match any of the alternatives. */
export const readPageAmongNext = async <T>(
  type: Listable<T>,
  list: ListKey,
  window: Window,
  alternatives: readonly Sql[],
  condition: Sql,
  depth: number,
): Promise<Found<T>> => {
  const next = selectPage({ table: type.table, columns: sql`t.*` }, alternatives, beyondCursor(window, list), {
    ...window,
    size: depth,
  })
  // The row beyond the depth is selected whether it matches or not: it shows that the list continues.
  const rows = await query(sql`
    select place > ${depth}::int, ${type.columns} from (select t.*, row_number() over (order by ${readOrder(window)}) as place from (${next}) t) t
    where place > ${depth}::int or ${condition} ${orderAndLimit(window)}`)
  const isComplete = rows.at(-1)?.[0] !== 't'
  const found = isComplete ? rows : rows.slice(0, -1)
  return {
    ...pageOf(
      found.map((row) => type.read(row, 1)),
      window,
      list,
    ),
    isComplete,
  }
}

interface ReadingOfPages {
  readonly reading?: Reading
  /** Reads the rows of this select instead of the whole table. */
  readonly among?: Sql
  /** Plans the page of each parent for itself: which index is best differs between them. */
  readonly isPlannedEach?: boolean
}

/**
 * One page per parent, in the order of `parentIds`. The alternatives are those of the parent with this id.
 * A parent gets an error instead if the cursor does not belong to its list.
 */
export const readPagesOf = async <T>(
  type: Listable<T>,
  parentIds: readonly string[],
  listOf: (parentId: string) => ListKey,
  window: Window,
  alternativesOf: (parentId: Sql) => readonly Sql[],
  { reading, among, isPlannedEach }: ReadingOfPages = {},
): Promise<(Page<T> | Error)[]> => {
  const starts = parentIds.map((id) => startOf(window, listOf(id)))
  // Apart from errors, all parents start at the same place: either there is no cursor, or it belongs to a single list.
  const beyond = starts.find((start) => !(start instanceof Error))
  if (!beyond || beyond instanceof Error) return starts.filter((start) => start instanceof Error)
  const found = new Map<string, T[]>()
  parentIds.forEach((id, index) => {
    if (!(starts[index] instanceof Error)) found.set(id, [])
  })
  const ids = [...found.keys()]
  const { columns } = type
  const rowsOf = { columns, table: among ? sql`among` : type.table }
  const pageOfParent = (id: Sql) => selectPage(rowsOf, alternativesOf(id), beyond, window, reading)
  const pages = isPlannedEach
    ? join(
        ids.map((id) => sql`select ${id}::uuid as parent_id, page.* from (${pageOfParent(sql`${id}::uuid`)}) page`),
        ' union all ',
      )
    : sql`select parent.id as parent_id, page.* from unnest(${ids}::uuid[]) as parent (id)
      cross join lateral (${pageOfParent(sql`parent.id`)}) page`
  const rows = await query(sql`
    ${among ? sql`with among as materialized (${among})` : nothing}
    select parent_id, ${columns} from (${pages}) t order by parent_id, ${readOrder(window)}`)
  for (const row of rows) found.get(row[0] ?? '')?.push(type.read(row, 1))
  return parentIds.map((id, index) => {
    const start = starts[index]
    return start instanceof Error ? start : pageOf(found.get(id) ?? [], window, listOf(id))
  })
}

const startOf = (window: Window, list: ListKey): Sql | Error => {
  try {
    return beyondCursor(window, list)
  } catch (error) {
    return error as Error
  }
}

/**
 * Selects the rows of the page and one more. Each alternative should read a short range of an index, and no row may match two
 * alternatives.
 */
const selectPage = (
  { table, columns }: Pick<Listable<unknown>, 'table' | 'columns'>,
  alternatives: readonly Sql[],
  beyond: Sql,
  window: Window,
  reading?: Reading,
): Sql => {
  const ranges = alternatives.map((conditions) => {
    const where = sql`${table} t where ${conditions} ${beyond}`
    return reading === 'PLANNED_ONCE'
      ? sql`select ${columns} from (select t.* from ${where} ${orderAndLongest(window)}) t ${orderAndLimit(window)}`
      : sql`select ${columns} from ${where} ${orderAndLimit(window, reading)}`
  })
  const [only, ...others] = ranges
  return only && others.length === 0
    ? only
    : sql`select ${columns} from ((${join(ranges, ') union all (')})) t ${orderAndLimit(window)}`
}
