// The query string of a list: strictly decoded, each parameter at most once.
import type { Caller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { jsonBytes } from '#core/json/json-size.ts'
import { checkPageSize, cursorOf, DEFAULT_PAGE_SIZE, type Page, type Window } from '#database/page.ts'
import { filterOf, type RecordList } from '#database/record-list.ts'

/** Throws 400 `INVALID_INPUT` for invalid percent-encoding or UTF-8, and for parameters that are repeated or not in `names`. */
export const queryOf = (url: string, names: readonly string[]): Record<string, string> => {
  const query = new Map<string, string>()
  for (const pair of new URL(url).search.slice(1).split('&')) {
    const equals = pair.indexOf('=')
    if (pair === '') continue
    if (equals < 1) throw invalidInput(pair, `${pair} must have a value`)
    const name = decode(pair.slice(0, equals), pair.slice(0, equals))
    if (!names.includes(name)) throw invalidInput(name, `${name} is not a parameter of this path`, { enum: names })
    if (query.has(name)) throw invalidInput(name, `${name} must be given only once`)
    query.set(name, decode(pair.slice(equals + 1), name))
  }
  return Object.fromEntries(query)
}

const decode = (text: string, field: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidInput(field, `${field} must be percent-encoded UTF-8`)
  }
}

export const QUERY_SORT_ORDERS = ['asc', 'desc'] as const

const WINDOW_PARAMETERS = ['limit', 'cursor', 'sortOrder'] as const

/** Reads `limit` (1 to 100, default 20), `cursor` and `sortOrder` (asc or desc, default desc). */
export const windowOfQuery = ({ limit, cursor, sortOrder = 'desc' }: Record<string, string>): Window => {
  if (sortOrder !== 'asc' && sortOrder !== 'desc') {
    throw invalidInput('sortOrder', 'sortOrder must be one of asc, desc', { enum: QUERY_SORT_ORDERS })
  }
  const size = limit === undefined ? DEFAULT_PAGE_SIZE : /^[1-9]\d{0,8}$/.test(limit) ? Number(limit) : Number.NaN
  return {
    size: checkPageSize(size, 'limit'),
    backward: false,
    sortOrder: sortOrder === 'asc' ? 'ASC' : 'DESC',
    cursor: cursor === undefined ? null : { text: cursor, field: 'cursor' },
  }
}

/** The conditions among the parameters. Those whose names begin with `is` are flags; a text that is none is left to be refused. */
export const conditionsOf = (query: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, /^is[A-Z]/.test(name) ? flagOf(query[name]) : query[name]]))

const flagOf = (text: string | undefined) => (text === 'true' ? true : text === 'false' ? false : text)

interface Listed {
  readonly id: string
  readonly createdAt: string
}

/** The page that the query string asks for, by these of the filter's conditions and by those that the path gives. */
export const pageOfList = async <T, F>(
  caller: Caller,
  url: string,
  list: RecordList<T, F, never>,
  conditions: readonly string[],
  given: object = {},
): Promise<{ readonly page: Page<T>; readonly totalCount: number }> => {
  const query = queryOf(url, [...conditions, ...WINDOW_PARAMETERS])
  const filter = filterOf(list, { ...conditionsOf(query, conditions), ...given }, '')
  const window = windowOfQuery(query)
  const [page, totalCount] = await Promise.all([list.page(caller, filter, window), list.count(caller, filter)])
  return { page, totalCount }
}

/** A response has at most 8 MiB of items. */
const MAX_PAGE_BYTES = 2 ** 23

/**
 * The body of a page. `data` are the bodies of its items. A page that would be too long ends earlier, and `nextCursor` continues it, so
 * that no row is out of reach. `nextCursor` is absent on the last page.
 */
export const pageBody = <T extends Listed>(
  { page: { items, hasMore, list }, totalCount }: { readonly page: Page<T>; readonly totalCount: number },
  data: readonly object[],
) => {
  const count = countThatFits(data)
  const last = items[count - 1]
  const more = hasMore || count < data.length
  return {
    data: data.slice(0, count),
    hasMore: more,
    nextCursor: more && last ? cursorOf(last, list) : undefined,
    totalCount,
  }
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
