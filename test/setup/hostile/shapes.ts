// Input of any length in shapes that attack parsers, patterns, hash tables, and errors that quote their input.

/** About this number of bytes as sent. */
export type Shape = (bytes: number) => string

/** A start, a repeated part, and an end. */
type Pattern = readonly [start: string, unit: string, end?: string]

const PATTERNS: Readonly<Record<string, Pattern>> = {
  'one word': ['', 'a'],
  words: ['', 'a '],
  'mixed case': ['', 'aA'],
  underscores: ['', '_'],
  digits: ['', '7'],
  'a fraction': ['0.', '1'],
  hex: ['', '0f'],
  spaces: ['x', ' ', 'x'],
  tabs: ['x', '\t', 'x'],
  'line ends': ['', '\r\n'],
  'double quotes': ['', '"'],
  'single quotes': ['', "'"],
  backslashes: ['', '\\'],
  'percent signs': ['', '%'],
  'percent encoding': ['', '%25'],
  'malformed percent encoding': ['', '%zz'],
  'percent-encoded bytes that are no UTF-8': ['', '%ff'],
  emoji: ['', '👩‍👧'],
  'combining accents': ['e', '\u0301'],
  'lone surrogates': ['', '\ud800'],
  NUL: ['', '\0'],
  brackets: ['', '[{('],
  'opening brackets': ['', '['],
  'opening braces': ['', '{'],
  commas: ['', ','],
  colons: ['', 'a:'],
  dots: ['', 'a.'],
  slashes: ['', '/'],
  'dot segments': ['', '../'],
  semicolons: ['', ';a=b'],
  ampersands: ['', 'a&'],
  'equals signs': ['', '='],
  'plus signs': ['', '+'],
  dashes: ['', '-'],
  hashes: ['', '#'],
  dollars: ['', '$a'],
  'at signs': ['a', '@'],
  'a place in a message': [' at "', 'a'],
  'places in a message': ['', ' at "aaa'],
  'a path in a message': [' at "a', '.a[0]'],
  suggestions: ['', ' Did you mean '],
  'a suggestion': [' Did you mean ', 'a', '?'],
  'variables in a message': ['', 'Variable "$a" got invalid value '],
  'an id': ['Customer:', '0'],
  'kinds of ids': ['', 'Customer:'],
  'a date': ['2025-10-13T00:00:00.', '0', 'Z'],
  'an email address': ['a@', 'a.', 'example'],
  'a phone number': ['+', '1'],
  'a UMA address': ['$', 'a', '@bank.example'],
  'an identity token': ['eyJhbGciOiJub25lIn0.', 'e30', '.'],
  base64url: ['', 'A-_'],
  'Basic credentials': ['Basic ', 'QUJD'],
  'a bearer token': ['Bearer ', 'sat_'],
  'spaces after a scheme': ['Basic', ' ', 'a'],
  'media types': ['text/html', ',a/b;q=0.1'],
  'parameters of a media type': ['application/json', ';a="b\\"'],
  origins: ['https://a', '.a'],
  'forwarded addresses': ['1.1.1.1', ', 1.1.1.1'],
  'vendors of a trace': ['a=b', ',a=b'],
}

/** Long texts that begin as a pattern asks, and then fail it, which makes a careless pattern try every way to match. */
const WRONG_ENDS: Readonly<Record<string, Pattern>> = {
  'a word': ['', 'a', ' \0'],
  digits: ['', '7', ' \0'],
  'white space': ['a', ' ', '\0'],
  'a web address': ['https://', 'a', ' '],
  'a domain': ['', 'a.', ' '],
  'an email address': ['a@', 'a.', ' '],
  'a phone number': ['+', '1', ' '],
  'a UMA address': ['$a@', 'a', ' '],
  'an id': ['Customer:', '0', ' '],
  'a date': ['2025-10-13T00:00:00.', '0', ' '],
}

/** As JSON, for that many places that share the length. */
export const wrongEnds = (places: number) =>
  Object.entries(WRONG_ENDS).map(([name, [start, unit, end = '']]): readonly [string, Shape] => [
    `${name} and a wrong end`,
    (bytes) => JSON.stringify(start + unit.repeat(bytes / unit.length / places) + end),
  ])

type Encode = (text: string) => string

/** Shapes of a text that is sent encoded. The encoded form has the requested length. */
export const textShapes = (encode: Encode, isAdmitted: (text: string) => boolean = () => true) =>
  Object.entries(PATTERNS)
    .filter(([, parts]) => isAdmitted(parts.join('')))
    .map(([name, [start, unit, end = '']]): readonly [string, Shape] => {
      const size = (Buffer.byteLength(encode(unit.repeat(8))) - Buffer.byteLength(encode(''))) / 8
      return [name, (bytes) => encode(start + unit.repeat(Math.ceil(bytes / size)) + end)]
    })

/** Values that may replace a GraphQL name. */
export const nameShapes = () => textShapes(String, (text) => /^[_a-z]\w*$/i.test(text))

/** A list of different parts. */
export const series = (start: string, part: (index: number) => string, separator: string, end: string): Shape => {
  return (bytes) => {
    const parts: string[] = []
    for (let length = 0, index = 0; length < bytes; index++) {
      const next = part(index)
      parts.push(next)
      length += next.length + separator.length
    }
    return start + parts.join(separator) + end
  }
}

export const nested = (open: string, middle: string, close: string): Shape => {
  return (bytes) => {
    const levels = Math.ceil(bytes / (open.length + close.length))
    return open.repeat(levels) + middle + close.repeat(levels)
  }
}

const quote = (text: string) => JSON.stringify(text)

/** Half of the input is one key, the other half the content below it. */
const belowLongKey = (shape: Shape): Shape => {
  return (bytes) => `{"${'a'.repeat(bytes / 2)}":${shape(bytes / 2)}}`
}

/** V8 hashes strings of more than 16,383 characters by their length. */
const HASHED_BY_LENGTH = 16_400

const STRUCTURES: Readonly<Record<string, Shape>> = {
  'a list of numbers': series('[', () => '1', ',', ']'),
  'a list of nulls': series('[', () => 'null', ',', ']'),
  'a list of words': series('[', (index) => quote(`w${index}`), ',', ']'),
  'a list of equal words': series('[', () => '"a"', ',', ']'),
  'a list of empty objects': series('[', () => '{}', ',', ']'),
  'a list of empty lists': series('[', () => '[]', ',', ']'),
  'a list of objects': series('[', (index) => `{"id":"${index}","k":{"a":[${index}]}}`, ',', ']'),
  'a list of long words': series('[', (index) => quote(`${index}`.padEnd(1_000, 'a')), ',', ']'),
  'nested lists': nested('[', '', ']'),
  'nested objects': nested('{"a":', '1', '}'),
  'nested lists and objects': nested('[{"a":', '1', '}]'),
  'distinct keys': series('{', (index) => `"k${index}":1`, ',', '}'),
  'equal keys': series('{', () => '"a":1', ',', '}'),
  'numeric keys': series('{', (index) => `"${index}":1`, ',', '}'),
  'sparse numeric keys': series('{', (index) => `"${(index * 104_729) % 2 ** 31}":1`, ',', '}'),
  'long keys of one hash': series('{', (index) => `"${`k${index}`.padEnd(HASHED_BY_LENGTH, 'a')}":1`, ',', '}'),
  'a list below a long key': belowLongKey(series('[', () => '1', ',', ']')),
  'texts below a long key': belowLongKey(series('[', () => '"a"', ',', ']')),
  'distinct keys below a long key': belowLongKey(series('{', (index) => `"k${index}":1`, ',', '}')),
  'objects below distinct keys': series('{', (index) => `"k${index}":{"a":[1]}`, ',', '}'),
  'ids below distinct keys': series('{', (index) => `"id${index}":"Customer:${index}"`, ',', '}'),
  'a prototype below a prototype': nested('{"__proto__":', '1', '}'),
  'a long number': series('1', () => '0'.repeat(50), '', ''),
  'a long fraction': series('1.', () => '1'.repeat(50), '', ''),
  'a long exponent': series('1e', () => '1'.repeat(50), '', ''),
  'escaped letters': series('"', () => '\\u0061', '', '"'),
  'white space': series('[', () => ' \n\t ', '', ']'),
}

/** Any JSON value: strings, strings as object keys, and structures. */
export const jsonShapes = (): (readonly [string, Shape])[] => [
  ...textShapes(quote),
  ...textShapes((text) => `{${quote(text)}:1}`).map(([name, shape]) => [`key of ${name}`, shape] as const),
  ...Object.entries(STRUCTURES),
]
