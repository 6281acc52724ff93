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
  read(row: Row): T
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

interface ReadingOfPages {
  readonly reading?: Reading
  /**
   * Finds the rows in this select, which has their keys and the columns of the alternatives, instead of in the whole table. All of them satisfy
   * `visible`.
   */
  readonly among?: { readonly select: Sql; readonly visible: Sql }
  /** Plans the page of each parent for itself: which index is best differs between them. */
  readonly isPlannedEach?: boolean
}

/**
 * One page per parent, in the order of `parentIds`. The alternatives are those of the parent with this id.
 * A parent gets an error instead if the cursor does not belong to its list.
 */
export const readPagesOf = <T>(
  type: Listable<T>,
  parentIds: readonly string[],
  listOf: (parentId: string) => ListKey,
  window: Window,
  alternativesOf: (parentId: Sql) => readonly Sql[],
  { reading, among, isPlannedEach }: ReadingOfPages = {},
): Promise<(Page<T> | Error)[]> =>
  readParents(parentIds, listOf, window, async (ids, beyond) => {
    const found = among ? { table: sql`among`, columns: sql`t.platform_id, t.created_at, t.id` } : type
    const pages = eachOf(ids, isPlannedEach, (id) => selectPage(found, alternativesOf(id), beyond, window, reading))
    const order = sql`order by parent_id, ${readOrder(window)}`
    const rows = await query(
      among
        ? sql`
          with among as ${ids.length > 1 ? sql`materialized` : nothing} (${among.select})
          select ${type.columns}, parent_id from (${pages}) page
          join ${type.table} t on t.platform_id = page.platform_id and t.id = page.id where ${among.visible} ${order}`
        : sql`select ${type.columns}, parent_id from (${pages}) t ${order}`,
    )
    const items = byParent(ids, rows, type)
    return (id) => pageOf(items.get(id) ?? [], window, listOf(id))
  })

interface ReadingAmongNext extends Pick<ReadingOfPages, 'isPlannedEach'> {
  readonly condition: Sql
  readonly depth: number
}

/**
 * For each parent the page of the rows that also satisfy the condition, as far as it is found among the next `depth` rows that match any of the
 * alternatives.
 */
export const readPagesAmongNext = <T>(
  type: Listable<T>,
  parentIds: readonly string[],
  listOf: (parentId: string) => ListKey,
  window: Window,
  alternativesOf: (parentId: Sql) => readonly Sql[],
  { condition, depth, isPlannedEach }: ReadingAmongNext,
): Promise<(Found<T> | Error)[]> =>
  readParents(parentIds, listOf, window, async (ids, beyond) => {
    const whole = { table: type.table, columns: sql`t.*` }
    const next = { ...window, size: depth }
    // The row beyond the depth is selected whether it matches or not: it shows that the list continues.
    const pages = eachOf(
      ids,
      isPlannedEach,
      (id) => sql`
        select place > ${depth}::int as is_beyond, t.*
        from (select t.*, row_number() over (order by ${readOrder(window)}) as place from (${selectPage(whole, alternativesOf(id), beyond, next)}) t) t
        where place > ${depth}::int or ${condition} ${orderAndLimit(window)}`,
    )
    const rows = await query(
      sql`select ${type.columns}, is_beyond, parent_id from (${pages}) t order by parent_id, ${readOrder(window)}`,
    )
    const isBeyond = (row: Row) => row.at(-2) === 't'
    const beyondDepth = new Set(rows.filter(isBeyond).map((row) => row.at(-1)))
    const found = rows.filter((row) => !isBeyond(row))
    const items = byParent(ids, found, type)
    return (id) => ({ ...pageOf(items.get(id) ?? [], window, listOf(id)), isComplete: !beyondDepth.has(id) })
  })

/** Reads the pages of the parents to whose list the cursor belongs. The others get an error. */
const readParents = async <P>(
  parentIds: readonly string[],
  listOf: (parentId: string) => ListKey,
  window: Window,
  read: (ids: readonly string[], beyond: Sql) => Promise<(id: string) => P>,
): Promise<(P | Error)[]> => {
  const starts = parentIds.map((id) => startOf(window, listOf(id)))
  // Apart from errors, all parents start at the same place: either there is no cursor, or it belongs to a single list.
  const beyond = starts.find((start) => !(start instanceof Error))
  if (!beyond || beyond instanceof Error) return starts.filter((start) => start instanceof Error)
  const ids = new Set(parentIds.filter((_, index) => !(starts[index] instanceof Error)))
  const pageOfParent = await read([...ids], beyond)
  return parentIds.map((id, index) => {
    const start = starts[index]
    return start instanceof Error ? start : pageOfParent(id)
  })
}

/** The rows of `select` for each parent, with its id as `parent_id`. */
const eachOf = (ids: readonly string[], isPlannedEach: boolean | undefined, select: (id: Sql) => Sql): Sql =>
  isPlannedEach
    ? join(
        ids.map((id) => sql`select ${id}::uuid as parent_id, page.* from (${select(sql`${id}::uuid`)}) page`),
        ' union all ',
      )
    : sql`select parent.id as parent_id, page.* from unnest(${ids}::uuid[]) as parent (id)
      cross join lateral (${select(sql`parent.id`)}) page`

const byParent = <T>(ids: readonly string[], rows: readonly Row[], type: Listable<T>): Map<string, T[]> => {
  const items = new Map(ids.map((id) => [id, [] as T[]]))
  for (const row of rows) items.get(row.at(-1) ?? '')?.push(type.read(row))
  return items
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
