import { Kind, type ValueNode } from 'graphql'
import { createGraphQLError } from 'graphql-yoga'
import { ApiError } from '#core/errors.ts'
import { builder } from './builder.ts'

/** A scalar of text. Inputs stay text here, because the domain parses them for both faces. */
const textScalar = (
  name: 'DateTime' | 'Date' | 'Decimal' | 'Base64URL' | 'Hex',
  description: string,
  specifiedByURL?: string,
) => {
  const asText = (value: unknown, nodes: ValueNode | null = null) => {
    if (typeof value === 'string') return value
    // The field is found from the location of a literal in the document.
    throw createGraphQLError(`${name} must be a string`, { nodes })
  }
  builder.scalarType(name, {
    description,
    ...(specifiedByURL && { specifiedByURL }),
    serialize: (value) => asText(value),
    parseValue: (value) => asText(value),
    parseLiteral: (node) => asText(node.kind === Kind.STRING ? node.value : undefined, node),
  })
}

const asInteger = (value: unknown, nodes: ValueNode | null = null) => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  throw createGraphQLError('Int64 must be an integer within ±9007199254740991', { nodes })
}

textScalar(
  'DateTime',
  'ISO 8601 date-time, for example `2025-10-13T12:00:00.000Z`. Responses use UTC with milliseconds. Inputs may have any offset.',
  'https://scalars.graphql.org/andimarek/date-time.html',
)
textScalar('Date', 'A day in UTC, for example `2025-10-13`.', 'https://scalars.graphql.org/andimarek/local-date.html')

builder.scalarType('Int64', {
  description: 'Integer within ±9007199254740991, sent as a JSON number. JavaScript represents it exactly.',
  serialize: (value) => {
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    if (typeof value === 'bigint') throw new ApiError('AMOUNT_OUT_OF_RANGE', 'The amount is outside ±9007199254740991')
    throw createGraphQLError('Int64 must be an integer')
  },
  parseValue: (value) => asInteger(value),
  parseLiteral: (value) => asInteger(value.kind === Kind.INT ? Number(value.value) : undefined, value),
})

textScalar('Decimal', 'Exact decimal number as a string, for example `"10.50"`.')
textScalar('Base64URL', 'Bytes in base64url, without padding.')
textScalar('Hex', 'Bytes in hexadecimal.')

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
})
