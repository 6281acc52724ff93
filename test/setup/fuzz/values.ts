// Unexpected values, strings and JSON that the fuzz test puts in place of valid ones. `@@Agent.3@@` stands for an id of the caller.
import fc, { type GeneratorValue } from 'fast-check'
import { CRAWLED_NAMES } from '#test/setup/places/crawled-platforms.ts'

export type Choose = GeneratorValue

/** Without a preference for small numbers. */
const even = (max: number) => fc.noBias(fc.nat({ max }))

export const below = (choose: Choose, count: number): number => choose(even, count - 1)
export const isChosen = (choose: Choose, percent: number): boolean => below(choose, 100) < percent
export const oneOf = <T>(choose: Choose, items: readonly T[]): T => items[below(choose, items.length)] as T

const UUID = '018f3a7e-0000-7000-8000-000000000000'

export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'nul\0inside',
  '\ud800',
  'half \udc4b',
  '👩‍👩‍👧‍👦',
  'e\u0301\u202e\u200b',
  '\u2028\r\n\t',
  "' or '1'='1",
  "'; drop table customers; --",
  '$1::uuid',
  '{"$ne":null}',
  '%00%ff%zz',
  '../../../etc/passwd',
  '..%2f..%2f',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '-0',
  '1e999',
  '0x10',
  '9007199254740993',
  '99999999999999999999999999',
  'infinity',
  '0000-00-00T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999999999-23:59',
  UUID,
  `Customer:${UUID}`,
  `Customer:${UUID.toUpperCase()}`,
  `Nothing:${UUID}`,
  'Customer:',
  'Agent:Agent:Agent',
  '$payee@bank.example',
  'USD',
  'EUR',
  'XXX',
  'a@b.example',
  '+14155550123',
  'eyJhbGciOiJub25lIn0.e30.',
  '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  'x'.repeat(300),
  'x'.repeat(20_000),
  '[['.repeat(200),
]

const HOSTILE_NUMBERS = [0, -0, -1, 1, 1.5, 101, 255, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324]

export const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then']

/** One of the platform's own ids. */
export const ownName = (choose: Choose): string => `@@${oneOf(choose, CRAWLED_NAMES)}.${below(choose, 17)}@@`

export const hostileText = (choose: Choose): string => {
  const kind = below(choose, 10)
  if (kind < 3) return ownName(choose)
  if (kind < 8) return oneOf(choose, HOSTILE_TEXTS)
  return choose(fc.string, { unit: 'binary', maxLength: 40 })
}

export const hostileValue = (choose: Choose): unknown => {
  const kind = below(choose, 12)
  if (kind < 6) return hostileText(choose)
  if (kind < 8) return oneOf(choose, HOSTILE_NUMBERS)
  if (kind < 9) return oneOf(choose, [null, true, false, [], {}, [[]], [null], { not: '' }, { in: [] }])
  if (kind < 10) return deep(1 + below(choose, 60))
  return choose(fc.jsonValue)
}

const deep = (levels: number): unknown => (levels === 0 ? 'x' : { a: [deep(levels - 1)] })

/** JSON with parts replaced, removed, duplicated, nested or added. */
export const mutate = (choose: Choose, value: unknown): unknown => {
  if (Array.isArray(value) && value.length > 0 && isChosen(choose, 80)) {
    const at = below(choose, value.length)
    return value.map((part, index) => (index === at ? mutate(choose, part) : part))
  }
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : []
  if (names.length === 0) return isChosen(choose, 10) ? [value, value] : hostileValue(choose)
  const object = value as Record<string, unknown>
  const name = oneOf(choose, names)
  const { [name]: part, ...rest } = object
  switch (below(choose, 8)) {
    case 0:
      return rest
    case 1:
      return { ...object, [name]: null }
    case 2:
      // An own property of that name, as JSON.parse creates.
      return { ...object, ...JSON.parse(`{${JSON.stringify(oneOf(choose, PROTOTYPE_NAMES))}: {"isAdmin": true}}`) }
    case 3:
      return { ...object, [hostileText(choose)]: hostileValue(choose) }
    case 4:
      return { ...object, [name]: hostileValue(choose) }
    default:
      return { ...object, [name]: mutate(choose, part) }
  }
}

/** Text that is truncated, or with a part duplicated, removed or replaced. */
export const garble = (choose: Choose, text: string): string => {
  const [from, to] = [below(choose, text.length + 1), below(choose, text.length + 1)].toSorted((a, b) => a - b)
  const [head, part, tail] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
  switch (below(choose, 5)) {
    case 0:
      return head
    case 1:
      return head + part.slice(0, 200) + part + tail
    case 2:
      return head + tail
    case 3:
      return head + hostileText(choose) + tail
    default:
      return head + oneOf(choose, [...'{}[]()"\\:,$@!|&#\0\ufeff'.split(''), '...', '"""']) + text.slice(from)
  }
}
