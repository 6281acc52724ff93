// Reads counts. A count that exceeds the statement timeout is null, and the page is answered without it.
import { sqlState } from './pg/sql-state.ts'
import type { Row } from './row.ts'

/** The count that a statement returns. */
export const readCount = async (counting: Promise<Row[]>): Promise<number | null> => {
  const [row] = await countedInTime(counting)
  return countFrom(row?.[0])
}

/** The count of each parent, in order. The statement returns pairs of a parent's id and its count. */
export const readCountsOf = async (
  parentIds: readonly string[],
  counting: Promise<Row[]>,
): Promise<(number | null)[]> => {
  const rows = await countedInTime(counting)
  const counts = new Map(rows.map(([id, count]) => [id, countFrom(count)]))
  return parentIds.map((id) => counts.get(id) ?? null)
}

/** No rows if Postgres cancelled the statement at its time limit. */
const countedInTime = (counting: Promise<Row[]>): Promise<Row[]> =>
  counting.catch((error) => {
    if (sqlState(error) === '57014') return []
    throw error
  })

const countFrom = (text: string | null | undefined): number | null => (text ? Number(text) : null)
