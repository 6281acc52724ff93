// Every customer has a UMA address: the contracts require it, and an upgrade gives one to those that have none.
// Not distributed: a table that is distributed is not changed back to the one of the release before.
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { callRest } from '#test/setup/agents/agent-faces.ts'
import { customerFaces } from '#test/setup/customers/customer-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { migrateAgain } from '#test/setup/migrate-again.ts'
import { changePlatform, createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

const MIGRATIONS = ['20261206100000_uma_addresses_given', '20261206100100_uma_addresses_required']

/** A customer of the release before, in which the column was optional. */
const createWithout = async (platform: Platform) => {
  const { id } = await createCustomer(platform)
  await db.$executeRaw`update customers set uma_address = null where platform_id = ${platform.id}::uuid and id = ${id}::uuid`
  return publicId('Customer', id)
}

it('the contract of REST requires it of persons and of businesses', async () => {
  const platform = await createPlatform()
  const { body } = await callRest(basic(platform), 'GET', '/openapi.json')
  const { IndividualCustomer, BusinessCustomer } = body.components.schemas
  expect(IndividualCustomer.required).toContain('umaAddress')
  expect(BusinessCustomer.required).toContain('umaAddress')
})

it.each(customerFaces)('customers without one have one of their own after the upgrade, over $name', async (face) => {
  await db.$executeRaw`alter table customers alter column uma_address drop not null`
  const [plain, named] = [await createPlatform(), await createPlatform()]
  await changePlatform(named, { umaDomain: 'pay.bank.example' })
  const kept = await createCustomer(plain, { umaAddress: '$kept@bank.example' })
  const without = await Promise.all([createWithout(plain), createWithout(plain), createWithout(named)])
  for (const name of MIGRATIONS) await migrateAgain(name)
  const addressOf = async (platform: Platform, id: string) => (await face.read(platform, id)).body.umaAddress
  const [first, second] = [await addressOf(plain, without[0]), await addressOf(plain, without[1])]
  expect([first, second]).toEqual(Array(2).fill(expect.stringMatching(/^\$[0-9a-f]{16}@[0-9a-f]{32}\.uma\.example$/)))
  expect(first).not.toBe(second)
  expect(await face.list(plain, { umaAddress: first })).toEqual([without[0]])
  expect(await addressOf(named, without[2])).toMatch(/^\$[0-9a-f]{16}@pay\.bank\.example$/)
  expect(await addressOf(plain, publicId('Customer', kept.id))).toBe('$kept@bank.example')
  await expect(createWithout(plain)).rejects.toThrow('uma_address')
})
