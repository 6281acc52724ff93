import { Kind, type ValueNode } from 'graphql'
import { createGraphQLError } from 'graphql-yoga'
import { builder } from './builder.ts'

const asText = (name: string) => (value: unknown) => {
  if (typeof value === 'string') return value
  throw createGraphQLError(`${name} must be a string`)
}

/** Of a value in the document: the error knows its place, which tells the field. */
const asTextLiteral = (name: string) => (value: ValueNode) => {
  if (value.kind === Kind.STRING) return value.value
  throw createGraphQLError(`${name} must be a string`, { nodes: value })
}

const asInteger = (value: unknown, nodes: ValueNode | null = null) => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  throw createGraphQLError('Int64 must be an integer within ±9007199254740991', { nodes })
}

// Inputs stay text here: the domain parses them, once for both faces.
builder.scalarType('DateTime', {
  description:
    'ISO 8601 date-time in UTC with millisecond precision, for example `2025-10-13T12:00:00.000Z`. Inputs may have any offset.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: asText('DateTime'),
  parseValue: asText('DateTime'),
  parseLiteral: asTextLiteral('DateTime'),
})

builder.scalarType('Int64', {
  description:
    'Integer of up to 64 bits, sent as a JSON number. The service never stores a value outside ±9007199254740991, so JavaScript clients lose nothing.',
  serialize: (value) => {
    const number = Number(value)
    if (!Number.isSafeInteger(number)) throw createGraphQLError('Int64 holds a value that a JSON number cannot carry')
    return number
  },
  parseValue: (value) => asInteger(value),
  parseLiteral: (value) => asInteger(value.kind === Kind.INT ? Number(value.value) : undefined, value),
})

builder.scalarType('Decimal', {
  description: 'Decimal number as a string, for example `"10.50"`. Never rounded.',
  serialize: asText('Decimal'),
  parseValue: asText('Decimal'),
  parseLiteral: asTextLiteral('Decimal'),
})

builder.scalarType('Base64URL', {
  description: 'Bytes as unpadded base64url text.',
  serialize: asText('Base64URL'),
  parseValue: asText('Base64URL'),
  parseLiteral: asTextLiteral('Base64URL'),
})

builder.scalarType('Hex', {
  description: 'Bytes as hexadecimal text.',
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
