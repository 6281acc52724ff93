// Reading the pages of a list: of one, or of the same list of several parents. One statement each, whatever the number of rows and parents.
import { join, query, type Row, type Sql, sql } from './db.ts'
import {
  beyondCursor,
  type ListKey,
  orderAndLimit,
  type Page,
  pageOf,
  type Reading,
  readOrder,
  type Window,
} from './page.ts'

interface Listable<T> {
  readonly table: Sql
  readonly columns: Sql
  read(row: Row, offset?: number): T
}

/** The page of the rows that match one of the alternatives. */
export const readPage = async <T>(
  type: Listable<T>,
  list: ListKey,
  window: Window,
  alternatives: readonly Sql[],
  reading?: Reading,
): Promise<Page<T>> => {
  const rows = await query(selectPage(type, alternatives, beyondCursor(window, list), window, reading))
  return pageOf(
    rows.map((row) => type.read(row)),
    window,
    list,
  )
}

/** The page of those among the first rows of the list that satisfy the condition: without `hasMore` there may be more further on. */
export const readPageAmongFirst = async <T>(
  type: Listable<T>,
  list: ListKey,
  window: Window,
  alternatives: readonly Sql[],
  condition: Sql,
  depth: number,
): Promise<Page<T>> => {
  const first = selectPage({ table: type.table, columns: sql`t.*` }, alternatives, beyondCursor(window, list), {
    ...window,
    size: depth,
  })
  const rows = await query(sql`select ${type.columns} from (${first}) t where ${condition} ${orderAndLimit(window)}`)
  return pageOf(
    rows.map((row) => type.read(row)),
    window,
    list,
  )
}

/**
 * The page of each parent, in their order; the alternatives name the parent as `parent.id`.
 * An error stands in the place of a parent to whose list the cursor does not belong.
 */
export const readPagesOf = async <T>(
  type: Listable<T>,
  parentIds: readonly string[],
  listOf: (parentId: string) => ListKey,
  window: Window,
  alternatives: readonly Sql[],
  reading?: Reading,
): Promise<(Page<T> | Error)[]> => {
  const starts = parentIds.map((id) => startOf(window, listOf(id)))
  // All starts are the same but for errors: there is no cursor, or it belongs to one list.
  const beyond = starts.find((start) => !(start instanceof Error))
  if (!beyond || beyond instanceof Error) return starts.filter((start) => start instanceof Error)
  const found = new Map<unknown, T[]>()
  parentIds.forEach((id, index) => {
    if (!(starts[index] instanceof Error)) found.set(id, [])
  })
  const rows = await query(sql`
    select parent.id, ${type.columns} from unnest(${[...found.keys()]}::uuid[]) as parent (id)
    cross join lateral (${selectPage(type, alternatives, beyond, window, reading)}) t
    order by parent.id, ${readOrder(window)}`)
  for (const row of rows) found.get(row[0])?.push(type.read(row, 1))
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
 * One row more than the page of what matches one of the alternatives. Each of them reads one short range of an index, and a row
 * matches at most one.
 */
export const selectPage = (
  { table, columns }: Pick<Listable<unknown>, 'table' | 'columns'>,
  alternatives: readonly Sql[],
  beyond: Sql,
  window: Window,
  reading?: Reading,
): Sql => {
  const ranges = alternatives.map(
    (conditions) =>
      sql`select ${columns} from ${table} t where ${conditions} ${beyond} ${orderAndLimit(window, reading)}`,
  )
  const [only, ...others] = ranges
  return only && others.length === 0
    ? only
    : sql`select ${columns} from ((${join(ranges, ') union all (')})) t ${orderAndLimit(window)}`
}
