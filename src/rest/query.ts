// The query string of a list: strictly decoded, each parameter at most once unless the list says otherwise.
import { invalidInput } from '#core/errors.ts'
import { checkPageSize, DEFAULT_PAGE_SIZE, type Window } from '#database/page.ts'

/** Throws 400 `INVALID_INPUT` for invalid percent-encoding or UTF-8, and for parameters that are repeated or not in `names`. */
export const queryOf = (url: string, names: readonly string[]): Record<string, string> =>
  firstOf(valuesOf(url, names, []))

/** The first value of each parameter. */
export const firstOf = (values: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, [value = '']]) => [name, value]))

/** Like `queryOf`, for parameters of which those in `repeatable` may be given several times. */
export const valuesOf = (
  url: string,
  names: readonly string[],
  repeatable: readonly string[],
): Record<string, readonly string[]> => {
  const query = new Map<string, string[]>()
  for (const pair of searchOf(url).split('&')) {
    const equals = pair.indexOf('=')
    if (pair === '') continue
    if (equals < 1) throw invalidInput(pair, `${pair} must have a value`)
    const name = decode(pair.slice(0, equals), pair.slice(0, equals))
    if (!names.includes(name)) throw invalidInput(name, `${name} is not a parameter of this path`, { enum: names })
    const given = query.get(name) ?? []
    if (given.length > 0 && !repeatable.includes(name)) throw invalidInput(name, `${name} must be given only once`)
    query.set(name, [...given, decode(pair.slice(equals + 1), name)])
  }
  return Object.fromEntries(query)
}

/** The part after `?`. */
const searchOf = (url: string): string => {
  const [resource = ''] = url.split('#', 1)
  const at = resource.indexOf('?')
  return at < 0 ? '' : resource.slice(at + 1)
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

/**
 * The conditions among the parameters. Those whose names begin with `is` or `has` are flags; a text that is not a flag is passed on, to be
 * refused later.
 */
export const conditionsOf = (query: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, /^(is|has)[A-Z]/.test(name) ? flagOf(query[name]) : query[name]]))

const flagOf = (text: string | undefined) => (text === 'true' ? true : text === 'false' ? false : text)
