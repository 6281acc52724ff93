// Takes every row of a list that is read in pages: for tasks that continue what no job drives any more.
import { type Sql, sql } from '#database/db.ts'
import { logTaskFailure } from '#database/outage.ts'

/** The place of a row in its list. The next page begins after it. */
export interface Position {
  readonly at: Date
  readonly id: string
}

/** Each list takes less than half of the minute until the next run. */
const MAX_MS = 25_000

/** At most this many failures are logged in one run. */
const MAX_LOGGED = 20

/** A failure does not stop the others. */
export const takeAll = async <P extends Pick<Position, 'id'>>(
  task: string,
  pageAfter: (after?: P) => Promise<P[]>,
  take: (item: P) => Promise<unknown>,
): Promise<void> => {
  const end = performance.now() + MAX_MS
  let failures = 0
  let page = await pageAfter()
  while (page.length > 0) {
    for (const item of page) {
      if (performance.now() > end) return
      try {
        await take(item)
      } catch (error) {
        failures += 1
        if (failures <= MAX_LOGGED) logTaskFailure(`${task} ${item.id}`, error)
      }
    }
    page = await pageAfter(page.at(-1))
  }
}

/** Holds for the rows after this position. `place` is the time and the id that the list is ordered by. */
export const isAfter = (place: Sql, after: Position | undefined): Sql =>
  after === undefined ? sql`true` : sql`(${place}) > (${after.at}::timestamptz, ${after.id}::uuid)`
