// The filters by currency and by verification of a list of customers.
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { ask, rest } from '#test/setup/faces.ts'
import {
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  createWallet,
} from '#test/setup/world.ts'

interface Customers {
  readonly customers: { readonly nodes: readonly { readonly id: string }[]; readonly totalCount: number }
}

it('finds customers by their internal accounts, but not by embedded wallets or external accounts', async () => {
  const platform = await createPlatform()
  const { id } = await createCustomer(platform)
  await createInternalAccount(platform, { customerId: id, currency: 'USDB' })
  await createWallet(platform)
  const { id: payee } = await createCustomer(platform)
  await createExternalAccount(platform, { customerId: payee, currency: 'USDB' })
  const expected = [{ id: publicId('Customer', id) }]

  const query = '{ customers(filter: { currency: "USDB" }) { nodes { id } totalCount } }'
  const { data } = await ask<Customers, never>(platform, query)
  expect(data.customers).toEqual({ nodes: expected, totalCount: 1 })
  const { body } = await rest<{ data: object[] }>(platform, '/customers?currency=USDB')
  expect(body.data).toEqual([expect.objectContaining({ id: expected[0]?.id })])
})

it('finds customers by the status of their verification', async () => {
  const platform = await createPlatform()
  const statuses = ['HOLD', 'REJECTED', 'APPROVED'] as const
  const [held, rejected] = await Promise.all(
    statuses.map((verificationStatus) => createCustomer(platform, { verificationStatus })),
  )
  const query = '{ customers(filter: { verificationStatuses: [HOLD, REJECTED] }) { nodes { id } totalCount } }'
  const { data } = await ask<Customers, never>(platform, query)
  const expected = [held, rejected].map((customer) => publicId('Customer', String(customer?.id)))
  expect(data.customers.nodes.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
  expect(data.customers.totalCount).toBe(2)
})
