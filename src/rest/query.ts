// The query string of a list: strictly decoded, each parameter at most once.
import { invalidInput } from '#core/errors.ts'
import { checkPageSize, cursorOf, DEFAULT_PAGE_SIZE, type Page, type Window } from '#database/page.ts'

/** 400 `INVALID_INPUT` for broken percent-encoding, text that is no UTF-8, a parameter given twice, and one that is not among `names`. */
export const queryOf = (url: string, names: readonly string[]): Record<string, string> => {
  const query = new Map<string, string>()
  for (const pair of new URL(url).search.slice(1).split('&')) {
    const equals = pair.indexOf('=')
    if (pair === '') continue
    if (equals < 1) throw invalidInput(pair, `${pair} must have a value`)
    const name = decode(pair.slice(0, equals), pair.slice(0, equals))
    if (!names.includes(name)) throw invalidInput(name, `${name} is no parameter of this path`, { enum: names })
    if (query.has(name)) throw invalidInput(name, `${name} must be given once`)
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

export const WINDOW_PARAMETERS = ['limit', 'cursor', 'sortOrder'] as const

/** `limit` 1 to 100 (20), `cursor`, `sortOrder` asc or desc (desc). */
export const windowOf = ({ limit, cursor, sortOrder = 'desc' }: Record<string, string>): Window => {
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

/** The body of a list: `nextCursor` only when there is more. */
export const pageBody = <T extends { readonly id: string; readonly createdAt: string }>(
  { items, hasMore, list }: Page<T>,
  totalCount: number,
  bodyOf: (item: T) => object,
) => {
  const last = items.at(-1)
  return {
    data: items.map(bodyOf),
    hasMore,
    nextCursor: hasMore && last ? cursorOf(last, list) : undefined,
    totalCount,
  }
}
