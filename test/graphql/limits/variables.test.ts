// An invalid variable is 400 and names the argument that uses it, whatever the variable is called.
import { beforeAll, expect, it } from 'vitest'
import { ask } from '#test/setup/faces.ts'
import { createPlatform, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
  await createTransactions(platform, [incoming()])
})

const FILTER = 'query ($given: TransactionFilter) { transactions(filter: $given) { totalCount } }'
const STATUS = 'query ($given: TransactionStatus) { transactions(filter: { status: $given }) { totalCount } }'
const LOCALE =
  'query ($given: String) { transactions { nodes { ... on TransactionNode { amount { formatted(locale: $given) } } } } }'

it.each<[string, string, unknown]>([
  ['filter.status', FILTER, { status: 'X' }],
  ['filter.status', STATUS, 'X'],
  ['ids.1', 'query ($given: [ID!]!) { nodes(ids: $given) { id } }', ['Customer:x', {}]],
  ['id', 'query ($given: ID!) { node(id: $given) { id } }', undefined],
  ['id', 'query ($given: ID!) { ...Deep } fragment Deep on Query { node(id: $given) { id } }', null],
  ['locale', LOCALE, null],
])('%s: %s given %j', async (field, query, given) => {
  const { errors } = await ask(platform, query, { given })
  expect(errors).toMatchObject([{ extensions: { status: 400, code: 'INVALID_INPUT', details: { field } } }])
})
