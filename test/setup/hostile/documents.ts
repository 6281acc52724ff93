// GraphQL documents with a long text wherever the grammar allows one, and with many of everything that can repeat or nest.
import { type HostilePlace, postJson } from './places.ts'
import { nameShapes, nested, type Shape, series, textShapes } from './shapes.ts'

const NAMES: Readonly<Record<string, (name: string) => string>> = {
  'an alias': (name) => `{ ${name}: __typename }`,
  'a field': (name) => `{ ${name} }`,
  'a field of a type': (name) => `{ apiInfo { ${name} } }`,
  'an argument': (name) => `{ apiInfo(${name}: 1) { version } }`,
  'an input field': (name) => `{ transactions(filter: { ${name}: 1 }) { totalCount } }`,
  'a value of an enum': (name) => `{ transactions(sortOrder: ${name}) { totalCount } }`,
  'a variable': (name) => `query ($${name}: Int) { __typename }`,
  'a required variable': (name) => `query ($${name}: ID!) { node(id: $${name}) { id } }`,
  'an undefined variable': (name) => `{ node(id: $${name}) { id } }`,
  'the type of a variable': (name) => `query ($v: ${name}) { __typename }`,
  'an operation': (name) => `query ${name} { __typename }`,
  'a fragment': (name) => `{ ...${name} } fragment ${name} on Query { __typename }`,
  'an unknown fragment': (name) => `{ ...${name} }`,
  'a type condition': (name) => `{ ... on ${name} { __typename } }`,
  'a directive': (name) => `{ __typename @${name} }`,
  'an argument of a directive': (name) => `{ __typename @include(${name}: true) }`,
}

/** Half of the input is the name, the other half the content below it. */
const below = (open: string, part: (index: number) => string, close: string): Shape => {
  return (bytes) => {
    const parts = series('', part, ' ', '')(Math.min(bytes / 2, 9_000))
    return open.replace('NAME', 'a'.repeat(Math.max(1, bytes - parts.length))) + parts + close
  }
}

const DOCUMENTS: Readonly<Record<string, Shape>> = {
  'distinct fields': series('{ ', (index) => `a${index}`, ' ', ' }'),
  'equal fields': series('{ ', () => '__typename', ' ', ' }'),
  'misspelt fields': series('{ ', (index) => `transaction${index}`, ' ', ' }'),
  aliases: series('{ ', (index) => `a${index}: __typename`, ' ', ' }'),
  'distinct arguments': series('{ apiInfo(', (index) => `a${index}: 1`, ' ', ') { version } }'),
  'equal arguments': series('{ apiInfo(', () => 'a: 1', ' ', ') { version } }'),
  'distinct input fields': series('{ agents(filter: {', (index) => `a${index}: 1`, ' ', '}) { totalCount } }'),
  'equal input fields': series('{ agents(filter: {', () => 'isPaused: true', ' ', '}) { totalCount } }'),
  'values of a list': series('{ nodes(ids: [', (index) => `"Customer:${index}"`, ' ', ']) { id } }'),
  'numbers of a list': series('{ nodes(ids: [', (index) => String(index), ' ', ']) { id } }'),
  'values of an enum': series(
    '{ transactions(filter: { statuses: [',
    (index) => `A${index}`,
    ' ',
    '] }) { totalCount } }',
  ),
  directives: series('{ __typename ', () => '@include(if: true)', ' ', ' }'),
  'unknown directives': series('{ __typename ', (index) => `@a${index}`, ' ', ' }'),
  variables: series('query (', (index) => `$v${index}: Int`, ' ', ') { __typename }'),
  'equal variables': series('query (', () => '$v: Int', ' ', ') { __typename }'),
  operations: series('', (index) => `query q${index} { __typename }`, ' ', ''),
  'anonymous operations': series('', () => '{ __typename }', ' ', ''),
  fragments: series('{ __typename } ', (index) => `fragment f${index} on Query { __typename }`, ' ', ''),
  'equal fragments': series('{ __typename } ', () => 'fragment f on Query { __typename }', ' ', ''),
  'fragments that spread the next': series(
    '{ ...f0 } ',
    (index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`,
    ' ',
    '',
  ),
  'spreads of one fragment': series(
    '{ ',
    () => '...f',
    ' ',
    ' } fragment f on Query { __typename apiInfo { version } }',
  ),
  'unknown spreads': series('{ ', (index) => `...f${index}`, ' ', ' }'),
  'inline fragments': series('{ ', () => '... on Query { __typename }', ' ', ' }'),
  'nested fields': nested('{ a ', '', ' }'),
  'nested inline fragments': nested('{ ... ', '{ __typename }', ' }'),
  'nested lists': (bytes) => `{ nodes(ids: ${nested('[', '', ']')(bytes)}) { id } }`,
  'nested objects': (bytes) => `{ agents(filter: ${nested('{a:', '1', '}')(bytes)}) { totalCount } }`,
  'nested types of a variable': (bytes) => `query ($v: ${nested('[', 'Int', ']')(bytes)}) { __typename }`,
  'unclosed braces': (bytes) => '{a'.repeat(bytes / 2),
  'unclosed parentheses': (bytes) => `{ a${'('.repeat(bytes)}`,
  commas: (bytes) => `{ __typename ${','.repeat(bytes)} }`,
  'byte order marks': (bytes) => `{ __typename ${'\ufeff'.repeat(bytes / 3)} }`,
  'bangs of a type': (bytes) => `query ($v: Int${'!'.repeat(bytes)}) { __typename }`,
  'a long number': (bytes) => `{ transactions(first: ${'1'.repeat(bytes)}) { totalCount } }`,
  'a long fraction': (bytes) => `{ transactions(first: 1.${'1'.repeat(bytes)}) { totalCount } }`,
  'lines of comments': series('', () => '#\n', '', '{ __typename }'),
  'an unclosed string': (bytes) => `{ node(id: "${'a'.repeat(bytes)}`,
  'an unclosed block string': (bytes) => `{ node(id: """${'\n a'.repeat(bytes / 3)}`,
  'a block string of indented lines': (bytes) => `{ node(id: """${'\n   a'.repeat(bytes / 5)}""") { id } }`,
  'an unclosed comment': (bytes) => `{ __typename } #${'a'.repeat(bytes)}`,
  'a long alias over many fields': below('{ NAME: apiInfo { ', (index) => `a${index}`, ' } }'),
  'a long alias over one field, often': below('{ NAME: apiInfo { ', () => 'version', ' } }'),
  'a long variable over many uses': below('query ($NAME: Int) { apiInfo { ', (index) => `a${index}`, ' } }'),
  'a long fragment over many fields': below(
    '{ apiInfo { ...f } } fragment NAME on ApiInfo { ',
    (index) => `a${index}`,
    ' }',
  ),
}

/** Lists of the schema below aliases of each other, which multiply. */
const aliasedIntrospection: Shape = (bytes) => {
  const each = (member: (index: number) => string) =>
    Array.from({ length: bytes / 37 }, (_, at) => member(at)).join(' ')
  return `{ ${each((at) => `s${at}: __schema { ...S }`)} } fragment S on __Schema { ${each((at) => `t${at}: types { ...T }`)} } fragment T on __Type { name fields { name } }`
}

export const documentPlaces = (authorization: string | null): HostilePlace[] => {
  const send = (document: string) => postJson('/graphql', authorization, `{"query":${JSON.stringify(document)}}`)
  const place = (name: string, shapes: HostilePlace['shapes'], document: (input: string) => string): HostilePlace => ({
    name: `GraphQL ${name}`,
    shapes,
    request: (input) => send(document(input)),
  })
  const strings = textShapes(JSON.stringify)
  const lines = textShapes(String, (each) => !/[\r\n]/.test(each))
  return [
    ...Object.entries(NAMES).map(([name, document]) => place(`the name of ${name}`, nameShapes(), document)),
    place('a string', strings, (input) => `{ node(id: ${input}) { id } }`),
    place('a string of a public mutation', strings, (input) => redeem(`{ code: ${input} }`)),
    place('a block string', textShapes(String), (input) => `{ node(id: """${input}""") { id } }`),
    place('a comment', lines, (input) => `# ${input}\n{ __typename }`),
    place('after the document', textShapes(String), (input) => `{ __typename } ${input}`),
    { ...place('the document', Object.entries(DOCUMENTS), (input) => input), isAlwaysWhole: true },
    {
      ...place('aliases of introspection', [['of each other', aliasedIntrospection]], (input) => input),
      limit: 'introspection',
      isData: true,
    },
  ]
}

const redeem = (input: string) => `mutation { redeemAgentDeviceCode(input: ${input}) { __typename } }`
