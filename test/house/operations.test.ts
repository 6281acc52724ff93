// Every operation of the specification is served over REST, and GraphQL has fields that do the same.
import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { operations } from '#contract.ts'
import { restRoutes } from '#test/setup/places/rest-places.ts'
import { unnamed } from '#test/setup/places/rest-routes.ts'
import { operationsPage, problemOf } from '../../dev/operations-page.ts'

const schema = buildSchema(readFileSync('src/graphql/schema.graphql', 'utf8'))

/** `# Area` and below it `METHOD /path`, one a line. */
const specified = readFileSync('test/house/operations.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))

const contract = new Map(
  Object.entries(operations).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation['x-graphql']]),
  ),
)

const fieldsOf = (operation: string) => contract.get(operation) ?? []

/** Operations whose read over REST asks someone else and stores the answer, or whose `POST` changes nothing. */
const OTHER_KIND = [
  'GET /receiver/external-account/{accountId}',
  'GET /receiver/uma/{receiverUmaAddress}',
  'POST /crypto/estimate-withdrawal-fee',
]

describe('the 154 operations of the specification', () => {
  it('are all in the list', () => expect(new Set(specified.map(unnamed)).size).toBe(154))

  it('are served', () => {
    const served = new Set(restRoutes().map(unnamed))
    expect(specified.filter((operation) => !served.has(unnamed(operation)))).toEqual([])
  })

  it('are in the contract, with the same names of parameters', () => {
    expect(specified.filter((operation) => !contract.has(operation))).toEqual([])
  })

  it('each have at least one field of GraphQL, and it exists', () => {
    const holes = specified.filter((operation) => fieldsOf(operation).length === 0)
    const problems = specified.flatMap((operation) =>
      fieldsOf(operation).flatMap((field) => problemOf(schema, field) ?? []),
    )
    expect({ holes, problems }).toEqual({ holes: [], problems: [] })
  })

  it('read with queries and write with mutations', () => {
    const other = specified.filter((operation) =>
      fieldsOf(operation).some((field) => operation.startsWith('GET ') === field.startsWith('Mutation.')),
    )
    expect(other).toEqual(OTHER_KIND)
  })
})

describe('docs/operations.md', () => {
  const page = readFileSync('docs/operations.md', 'utf8')

  it('is what the source generates', () => expect(page).toBe(operationsPage(operations, schema)))

  it('has every operation and every field of the roots', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    const fields = roots.flatMap((root) =>
      Object.keys(root?.getFields() ?? {}).map((field) => new RegExp(`\`${root?.name}\\.${field}( |\`)`)),
    )
    expect(specified.filter((operation) => !page.includes(`| \`${operation}\` |`))).toEqual([])
    expect(fields.filter((field) => !field.test(page))).toEqual([])
  })

  it('cannot be generated from fields that do not exist', () => {
    const small = buildSchema(`
      interface Node { id: ID! }
      type Card implements Node { id: ID! }
      type Money { amount: Int }
      type Query { node: Node, card: Card }
    `)
    const wrong = [
      'Query.cards',
      'Mutation.createCard',
      'Query.node ... on Money',
      'Query.card ... on Card',
      'Card',
      '',
    ]
    for (const field of wrong) {
      const one = { get: { 'x-graphql': [field] as [string], responses: {} } }
      expect(() => operationsPage({ '/cards': one }, small), field).toThrow('GET /cards: ')
    }
    for (const field of ['Query.card', 'Query.node ... on Card', 'Card.id'])
      expect(problemOf(small, field)).toBeUndefined()
  })
})
