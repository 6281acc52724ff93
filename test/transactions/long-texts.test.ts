// An entry of an index holds 2,704 bytes. A text of 1,000 characters may take more.
import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createPayer, quoteInput } from '#test/setup/payments/payers.ts'
import { paymentFaces } from '#test/setup/payments/payment-faces.ts'
import {
  cardUse,
  createCustomer,
  createInternalAccount,
  createPlatform,
  createTransactions,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

/** Random, so that Postgres cannot compress it. */
const longText = () => Array.from({ length: 1_000 }, () => String.fromCharCode(randomInt(0x4e00, 0x9fff))).join('')

const found = async (platform: Platform, list: 'transactions' | 'customers', search: string) => {
  const type = list === 'transactions' ? 'TransactionFilter' : 'CustomerFilter'
  const document = `query ($filter: ${type}) { ${list}(filter: $filter) { nodes { ... on Node { id } } } }`
  const { body } = await callGraphQL(basic(platform), document, { filter: { search } })
  return body.data[list].nodes.map(({ id }: { id: string }) => id)
}

it.each(paymentFaces)('a memo of 1,000 characters is accepted over $name, and found by its start', async (face) => {
  const { platform, dollars, iban } = await createPayer()
  const description = longText()
  const { status, body } = await face.createQuote(platform, quoteInput(dollars, iban, 10_000, { description }))
  expect([status, body.code]).toEqual([201, undefined])
  for (const length of [1, 20, 255]) {
    expect(await found(platform, 'transactions', description.slice(0, length))).toEqual([body.transactionId])
  }
  expect(await found(platform, 'transactions', `${description.slice(0, 254)}x`)).toEqual([])
})

it('merchants, counterparties and customers with long names are found by their start', async () => {
  const platform = await createPlatform()
  const { id: sourceInternalAccountId } = await createInternalAccount(platform)
  const [merchantDescriptor, FULL_NAME, name] = [longText(), longText(), longText()]
  await createTransactions(platform, [
    cardUse({ merchantDescriptor, sourceInternalAccountId }),
    outgoing({ counterpartyInformation: { FULL_NAME } }),
  ])
  const customer = await createCustomer(platform, { name })
  for (const text of [merchantDescriptor, FULL_NAME]) {
    expect(await found(platform, 'transactions', text.slice(0, 255))).toHaveLength(1)
  }
  expect(await found(platform, 'customers', name.slice(0, 254))).toEqual([`Customer:${customer.id}`])
})
