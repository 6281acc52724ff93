// A page of card transactions with everything around them costs the same number of statements for any number of them.
import { beforeAll, expect, it } from 'vitest'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { createShopper, purchase, type Shopper } from '#test/setup/cards/shoppers.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'

const PAGE = `query ($first: Int!) {
  transactions(first: $first, filter: { types: [CARD] }) {
    nodes { ... on CardTransaction { id status customer { name } account { id customer { name } } pullSummary { count }
      card { last4 customer { name } account { id } fundingSources { id customer { name } } } } }
  }
}`
const CARDS = `query ($first: Int!) { cards(first: $first) {
  nodes { id fundingSources { id } customer { name } transactions(first: 2) { nodes { id } } } } }`

let shoppers: Shopper[]
beforeAll(async () => {
  const first = await createShopper()
  const { platform } = first
  shoppers = [first, ...(await Promise.all(Array.from({ length: 9 }, () => createShopper({ platform }))))]
  for (const { cardId } of shoppers)
    for (let use = 0; use < 5; use += 1) {
      const { status } = await callRest(
        platform,
        'POST',
        `/sandbox/cards/${cardId}/simulate/authorization`,
        purchase(10),
      )
      expect(status).toBe(202)
    }
  await passTime(platform.id, 60)
})

it.each([
  ['card transactions', PAGE, 50, 'transactions'],
  ['cards', CARDS, 10, 'cards'],
] as const)('%s', async (_name, text, most, field) => {
  const [{ platform }] = shoppers as [Shopper]
  const counts: number[] = []
  for (const first of [2, most]) {
    const statements = await statementsOf(async () => {
      const { body } = await callGraphQL(basic(platform), text, { first })
      expect(body.errors).toBeUndefined()
      expect(body.data[field].nodes).toHaveLength(first)
    })
    counts.push(statements.length)
  }
  console.log(`${counts.join(' and ')} statements for 2 and ${most} rows`)
  expect(counts[1]).toBe(counts[0])
})

it('cards over REST', async () => {
  const [{ platform }] = shoppers as [Shopper]
  const counts: number[] = []
  for (const limit of [2, 10]) {
    const statements = await statementsOf(async () => {
      const { status, body } = await callRest(platform, 'GET', `/cards?limit=${limit}`)
      expect([status, body.data.length]).toEqual([200, limit])
    })
    counts.push(statements.length)
  }
  expect(counts[1]).toBe(counts[0])
})
