// A count that takes too long is left out, and the page is answered without it.
// Own process: it puts views in the place of two tables.
// Not distributed: Citus does not distribute views.
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createCustomer, createPlatform, createTransactions, outgoing } from '#test/setup/world.ts'

const SECONDS = 6

it('a count that exceeds the statement timeout is absent over REST and null over GraphQL, and the page is complete', async () => {
  const platform = await createPlatform()
  const customer = await createCustomer(platform)
  await createTransactions(platform, [
    outgoing({ customerId: customer.id, platformCustomerId: customer.platformCustomerId }),
  ])
  await db.$queryRaw`select fold_transaction_counts()`
  for (const table of ['platform_transaction_counts', 'customer_transaction_counts']) {
    await db.$executeRawUnsafe(`alter table ${table} rename to counted_${table}`)
    await db.$executeRawUnsafe(
      `create view ${table} as select c.* from counted_${table} c, lateral (select pg_sleep(${SECONDS})) slow`,
    )
  }

  const rest = callRest(basic(platform), 'GET', '/transactions')
  // A plan answers the first one, and the resolvers the second one.
  const planned = callGraphQL(basic(platform), '{ transactions { totalCount nodes { id } } }')
  const resolved = callGraphQL(
    basic(platform),
    '{ viewer { __typename } customers { nodes { transactions { totalCount nodes { id } } } } }',
  )
  expect(await rest).toMatchObject({ status: 200, body: { hasMore: false } })
  expect((await rest).body.data).toHaveLength(1)
  expect((await rest).body).not.toHaveProperty('totalCount')
  const transactions = { totalCount: null, nodes: [{ id: (await rest).body.data[0].id }] }
  expect((await planned).body).toEqual({ data: { transactions } })
  expect((await resolved).body).toMatchObject({ data: { customers: { nodes: [{ transactions }] } } })
}, 30_000)
