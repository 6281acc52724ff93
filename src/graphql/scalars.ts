import { Kind, type ValueNode } from 'graphql'
import { createGraphQLError } from 'graphql-yoga'
import { ApiError } from '#core/errors.ts'
import { builder } from './builder.ts'

const asText = (name: string) => (value: unknown) => {
  if (typeof value === 'string') return value
  throw createGraphQLError(`${name} must be a string`)
}

/** For a literal in the document. The error carries the location of the literal, from which the field is found. */
const asTextLiteral = (name: string) => (value: ValueNode) => {
  if (value.kind === Kind.STRING) return value.value
  throw createGraphQLError(`${name} must be a string`, { nodes: value })
}

const asInteger = (value: unknown, nodes: ValueNode | null = null) => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  throw createGraphQLError('Int64 must be an integer within ±9007199254740991', { nodes })
}

// Inputs stay text here, because the domain parses them for both faces.
builder.scalarType('DateTime', {
  description:
    'ISO 8601 date-time, for example `2025-10-13T12:00:00.000Z`. Responses use UTC with milliseconds. Inputs may have any offset.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: asText('DateTime'),
  parseValue: asText('DateTime'),
  parseLiteral: asTextLiteral('DateTime'),
})

builder.scalarType('Date', {
  description: 'A day in UTC, for example `2025-10-13`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  serialize: asText('Date'),
  parseValue: asText('Date'),
  parseLiteral: asTextLiteral('Date'),
})

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

builder.scalarType('Decimal', {
  description: 'Exact decimal number as a string, for example `"10.50"`.',
  serialize: asText('Decimal'),
  parseValue: asText('Decimal'),
  parseLiteral: asTextLiteral('Decimal'),
})

builder.scalarType('Base64URL', {
  description: 'Bytes in base64url, without padding.',
  serialize: asText('Base64URL'),
  parseValue: asText('Base64URL'),
  parseLiteral: asTextLiteral('Base64URL'),
})

builder.scalarType('Hex', {
  description: 'Bytes in hexadecimal.',
  serialize: asText('Hex'),
  parseValue: asText('Hex'),
  parseLiteral: asTextLiteral('Hex'),
})

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
})
