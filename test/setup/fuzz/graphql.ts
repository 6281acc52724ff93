// GraphQL requests: valid ones with hostile values, and garbled ones.

import type { FittingByMutation } from '#test/setup/places/graphql-places.ts'
import { everythingOf, mutations, placesIn, queries, questionOf, typeOf } from '#test/setup/places/schema-queries.ts'
import { randomQuery, type Values } from './random-queries.ts'
import type { FuzzedRequest } from './requests.ts'
import { below, type Choose, garble, hostileText, hostileValue, isChosen, mutate, oneOf, ownName } from './values.ts'

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/graphql',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  '',
]
const METHODS = ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']
const GARBAGE = [
  '',
  'null',
  '[]',
  '{',
  '1',
  '"x"',
  '[[[[',
  '\ufeff{}',
  '{"query":1}',
  '{"query":"{__typename}","query":"{"}',
  '[{"query":"{__typename}"}]',
]

interface Operation {
  readonly query: unknown
  readonly variables: unknown
}

/** `fitting` gives the kinds of the required ids of each mutation. */
export const fuzzedGraphQL = (choose: Choose, fitting: FittingByMutation): FuzzedRequest => {
  const headers: Record<string, string> = {
    'content-type': isChosen(choose, 97) ? 'application/json' : oneOf(choose, TYPES),
  }
  if (isChosen(choose, 10))
    headers['accept'] = oneOf(choose, [
      'application/graphql-response+json',
      '*/*',
      'text/html',
      'text/event-stream',
      'x',
      'application/json;q=0',
    ])
  if (isChosen(choose, 10)) headers['x-query-cost'] = hostileText(choose)
  const operation = operationOf(choose, fitting)
  const envelope = isChosen(choose, 85) ? operation : disturbed(choose, operation)
  if (isChosen(choose, 4)) {
    const query = new URLSearchParams({
      query: String(operation.query),
      variables: JSON.stringify(operation.variables),
    })
    return { face: 'graphql', method: 'GET', target: `/graphql?${query}`, headers, body: null }
  }
  const text = JSON.stringify(envelope) ?? ''
  const body = isChosen(choose, 95) ? text : isChosen(choose, 50) ? garble(choose, text) : oneOf(choose, GARBAGE)
  const method = isChosen(choose, 98) ? 'POST' : oneOf(choose, METHODS)
  const target = isChosen(choose, 98)
    ? '/graphql'
    : oneOf(choose, ['/graphql/', '/graphql?x=%zz', '/graphql//', '/GraphQL'])
  return { face: 'graphql', method, target, headers, body: ['GET', 'HEAD'].includes(method) ? null : body }
}

const operationOf = (choose: Choose, fitting: FittingByMutation): Operation => {
  const kind = below(choose, 10)
  const operation = kind < 2 ? randomQuery((count) => below(choose, count), valuesOf(choose)) : fieldOf(choose, fitting)
  if (isChosen(choose, 90)) return operation
  return { ...operation, query: garble(choose, operation.query) }
}

const valuesOf = (choose: Choose): Values => ({
  'node.id': [ownName(choose), hostileText(choose)],
  'nodes.ids': [[ownName(choose), ownName(choose)], [hostileText(choose)]],
  'transaction.id': ['@@Transaction.3@@', hostileText(choose)],
  'customer.by': [{ id: '@@Customer.2@@' }, { platformCustomerId: hostileText(choose) }],
  'agentDeviceCode.code': ['@@deviceCode.5@@', hostileText(choose)],
  'queryCost.document': ['{ apiInfo { version } }', '{ transactions { totalCount } }', hostileText(choose)],
})

/** A root field with one hostile input, as a variable or in the document. */
const fieldOf = (choose: Choose, fitting: FittingByMutation) => {
  const isMutation = isChosen(choose, 65)
  const field = oneOf(choose, isMutation ? mutations() : queries())
  const places = placesIn(field)
  const path = places.length > 0 && isChosen(choose, 75) ? oneOf(choose, places) : null
  const group = below(choose, 17)
  const idAt = (at: readonly string[]) => `@@${fitting.get(field.name)?.get(at.join('.')) ?? 'Customer'}.${group}@@`
  const kind = isMutation ? 'mutation' : 'query'
  const { query, variables } = questionOf(kind, field, everythingOf(typeOf(field), 1), path, hostileValue(choose), idAt)
  if (isChosen(choose, 80)) return { query, variables }
  if (isChosen(choose, 50)) return { query, variables: mutate(choose, variables) as object }
  return { query: inlined(query, variables), variables: {} }
}

/** Puts the variables into the document as literals. */
const inlined = (query: string, variables: Readonly<Record<string, unknown>>): string =>
  query.replace(/\(\$.*?\) \{/, '{').replaceAll(/\$(\w+)/g, (_all, name: string) => literal(variables[name]))

const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{ ${Object.entries(value)
    .map(([name, part]) => `${name}: ${literal(part)}`)
    .join(', ')} }`
}

/** Another request format around the operation. */
const disturbed = (choose: Choose, operation: Operation): unknown => {
  switch (below(choose, 8)) {
    case 0:
      return { ...operation, operationName: hostileValue(choose) }
    case 1:
      return { ...operation, extensions: hostileValue(choose) }
    case 2:
      return { ...operation, extensions: { persistedQuery: { version: 1, sha256Hash: hostileText(choose) } } }
    case 3:
      return { documentId: hostileValue(choose), variables: operation.variables }
    case 4:
      return { ...operation, variables: hostileValue(choose) }
    case 5:
      return { ...operation, query: hostileValue(choose) }
    case 6:
      return [operation, operation]
    default:
      return mutate(choose, operation)
  }
}
