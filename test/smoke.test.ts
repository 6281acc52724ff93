import { expect, it } from 'vitest'
import { graphql } from './gql/index.ts'
import { query } from './setup/faces.ts'
import { cardUse, createCustomer, createInternalAccount, createPlatform, createTransactions, incoming, outgoing } from './setup/world.ts'

const Rows = graphql(/* GraphQL */ `query Rows { transactions { totalCount nodes { __typename } } }`)
it('lists all types newest first', async () => {
  const platform = await createPlatform()
  const customer = await createCustomer(platform)
  const account = await createInternalAccount(platform, { customerId: customer.id })
  const mine = { customerId: customer.id, platformCustomerId: customer.platformCustomerId }
  await createTransactions(platform, [
    incoming({ ...mine, createdAt: new Date(1000) }),
    outgoing({ ...mine, createdAt: new Date(2000) }),
    cardUse({ ...mine, sourceInternalAccountId: account.id, createdAt: new Date(3000) }),
  ])
  const { transactions } = await query(platform, Rows)
  expect(transactions).toEqual({ totalCount: 3, nodes: ['CardTransaction', 'OutgoingTransaction', 'IncomingTransaction'].map((__typename) => ({ __typename })) })
})
