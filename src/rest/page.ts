// The answer of a list: one page, with the cursor of the next.
import type { Context } from 'hono'
import type { Caller } from '#core/caller.ts'
import { bytesOfUtf8Json, utf8Json } from '#core/utf8-json.ts'
import { cursorOf, type Listed, type Page } from '#database/page.ts'
import { filterOf, type RecordList } from '#database/record-list.ts'
import { conditionsOf, firstOf, valuesOf, WINDOW_PARAMETERS, windowOfQuery } from './query.ts'

interface Found<T> {
  readonly page: Page<T>
  readonly totalCount: number | null
}

/**
 * The page that the query string asks for, by these of the filter's conditions and by those that the path gives. The `repeatable` ones are
 * lists. Throws 403 `FORBIDDEN` before it reads the query string.
 */
export const pageOfList = async <T, F>(
  caller: Caller,
  url: string,
  list: RecordList<T, F, never>,
  conditions: readonly string[],
  given: object = {},
  repeatable: readonly string[] = [],
): Promise<Found<T>> => {
  list.record.requireView(caller)
  const values = valuesOf(url, [...conditions, ...WINDOW_PARAMETERS], repeatable)
  const query = firstOf(values)
  const lists = Object.fromEntries(repeatable.map((name) => [name, values[name]]))
  const filter = filterOf(list, { ...conditionsOf(query, conditions), ...lists, ...given }, '')
  const window = windowOfQuery(query)
  const [page, totalCount] = await Promise.all([list.page(caller, filter, window), list.count(caller, filter)])
  return { page, totalCount }
}

/** A response has at most 8 MiB of items. */
const MAX_PAGE_BYTES = 2 ** 23

/** Sends a page. `data` holds the body of each item. */
export const sendPage = (context: Context, found: Found<Listed>, data: readonly object[]): Response =>
  sendTexts(
    context,
    found,
    data.map((body) => utf8Json(JSON.stringify(body))),
  )

/**
 * Sends a page. `data` holds the body of each item as `utf8Json`. A page that would be too long ends earlier, and
 * `nextCursor` continues it, so that every row can be reached. `nextCursor` is absent on the last page,
 * and `totalCount` if counting would take too long.
 */
export const sendTexts = (
  context: Context,
  { page: { items, hasMore, list: key }, totalCount }: Found<Listed>,
  data: readonly string[],
): Response => {
  const count = countThatFits(data)
  const last = items[count - 1]
  const more = hasMore || count < data.length
  const rest = JSON.stringify({
    hasMore: more,
    nextCursor: more && last ? cursorOf(last, key) : undefined,
    totalCount: totalCount ?? undefined,
  })
  // Joined to the left, so that V8 copies the characters only once.
  const list = data.slice(0, count).reduce((text, item, index) => (index === 0 ? item : `${text},${item}`), '')
  const text = `{"data":[${list}],${rest.slice(1)}`
  return context.body(bytesOfUtf8Json(text), 200, { 'content-type': 'application/json' })
}

/** A page has at least one item, so that every page makes progress. */
const countThatFits = (data: readonly string[]): number => {
  let bytes = 0
  const tooMany = data.findIndex(({ length }) => {
    bytes += length
    return bytes > MAX_PAGE_BYTES
  })
  return tooMany < 0 ? data.length : Math.max(tooMany, 1)
}
