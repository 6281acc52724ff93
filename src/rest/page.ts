// The answer of a list: one page, with the cursor of the next.
import type { Context } from 'hono'
import type { Caller } from '#core/caller.ts'
import { jsonBytes } from '#core/json/json-size.ts'
import { cursorOf, type Page } from '#database/page.ts'
import { filterOf, type RecordList } from '#database/record-list.ts'
import { conditionsOf, queryOf, WINDOW_PARAMETERS, windowOfQuery } from './query.ts'

interface Found<T> {
  readonly page: Page<T>
  readonly totalCount: number
}

/** The page that the query string asks for, by these of the filter's conditions and by those that the path gives. */
export const pageOfList = async <T, F>(
  caller: Caller,
  url: string,
  list: RecordList<T, F, never>,
  conditions: readonly string[],
  given: object = {},
): Promise<Found<T>> => {
  const query = queryOf(url, [...conditions, ...WINDOW_PARAMETERS])
  const filter = filterOf(list, { ...conditionsOf(query, conditions), ...given }, '')
  const window = windowOfQuery(query)
  const [page, totalCount] = await Promise.all([list.page(caller, filter, window), list.count(caller, filter)])
  return { page, totalCount }
}

/** A response has at most 8 MiB of items. */
const MAX_PAGE_BYTES = 2 ** 23
/** A UTF-16 code unit takes at most this many bytes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3

/**
 * Answers with the page. `data` are the bodies of its items. A page that would be too long ends earlier, and `nextCursor` continues it, so
 * that no row is out of reach. `nextCursor` is absent on the last page.
 */
export const sendPage = <T extends { readonly id: string; readonly createdAt: string }>(
  context: Context,
  { page: { items, hasMore, list }, totalCount }: Found<T>,
  data: readonly object[],
): Response => {
  const textOf = (count: number) => {
    const last = items[count - 1]
    const more = hasMore || count < data.length
    const nextCursor = more && last ? cursorOf(last, list) : undefined
    return JSON.stringify({ data: data.slice(0, count), hasMore: more, nextCursor, totalCount })
  }
  const whole = textOf(data.length)
  // Only a text of this length is worth measuring.
  const text = whole.length * MAX_BYTES_PER_UNIT <= MAX_PAGE_BYTES ? whole : textOf(countThatFits(data))
  return context.body(text, 200, { 'content-type': 'application/json' })
}

/** At least one, so that every page makes progress. */
const countThatFits = (data: readonly object[]): number => {
  let left = MAX_PAGE_BYTES
  const tooMany = data.findIndex((item) => {
    left -= jsonBytes(item, left)
    return left < 0
  })
  return tooMany < 0 ? data.length : Math.max(tooMany, 1)
}
