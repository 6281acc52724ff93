// The operation of each screen costs what the README of the dashboard says: nodes of the limit, and SQL statements however long its lists are.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { postMovement } from '#accounts/ledger.ts'
import { publicId } from '#core/ids.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { createActing, transferOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { type Authorization, callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { builtDashboard } from '#test/setup/dashboard.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import { cardUse, createCard, createTransactions, createWallet, incoming, outgoing } from '#test/setup/world.ts'

const README = fileURLToPath(new URL('../../examples/dashboard/README.md', import.meta.url))

const documents: string[] = Object.values(JSON.parse(readFileSync(builtDashboard().documents, 'utf8')))
const documentOf = (name: string) => documents.find((text) => new RegExp(`\\bquery ${name}\\b`).test(text)) ?? ''

const COST =
  'query ($document: String!, $variables: JSON) { queryCost(document: $document, variables: $variables) { nodes } }'

let owner: Authorization
let variablesOf: Readonly<Record<string, object>>
beforeAll(async () => {
  const acting = await createActing({ approvalThresholdAmount: 1_000n, approvalThresholdCurrency: 'USD' })
  const { platform, customerId, accountId, platformCustomerId } = acting
  owner = acting.owner
  const [, customer = ''] = customerId.split(':')
  const [, account = ''] = accountId.split(':')
  await createWallet(platform, { customerId: customer })
  const card = await createCard(platform, { customerId: customer, accountId: account })
  const of = { customerId: customer, platformCustomerId }
  const paid = await createTransactions(
    platform,
    Array.from({ length: 12 }, () => [
      outgoing(of),
      incoming(of),
      cardUse({ sourceInternalAccountId: account, cardId: card.id, ...of }),
    ]).flat(),
  )
  await inTransaction((tx) =>
    postMovement(tx, platform.id, {
      kind: 'PAYMENT',
      transactionId: paid[0]?.id ?? '',
      entries: [
        { accountId: account, currency: 'USD', amount: -100n },
        { book: 'OUTSIDE', currency: 'USD', amount: 100n },
      ],
    }),
  )
  for (let count = 0; count < 3; count += 1) await actionFaces[0]?.transferOut(acting.agent, transferOf(acting, 5_000))
  const none = { after: null, before: null, last: null }
  variablesOf = {
    Home: {
      startDate: '2026-10-01',
      endDate: '2026-10-30',
      beforeStart: '2026-09-01',
      beforeEnd: '2026-09-30',
      currencies: null,
    },
    Payments: { filter: {}, first: 25, isCounting: true, ...none },
    Payment: { id: publicId('Transaction', paid[0]?.id ?? '') },
    Approvals: {},
    Customers: { filter: {}, first: 25, ...none },
    Customer: { id: customerId },
    Cards: { filter: null, first: 50, ...none, id: publicId('Card', card.id), hasCard: true },
    Wallets: { first: 20, ...none },
    Developers: { filter: null, first: 25, ...none },
    Tokens: { first: 50, ...none },
    Events: { filter: null, first: 25, ...none },
  }
})

/** `| Home | 123 | 4 | 5.6 |` */
const ROW = /^\| `(\w+)` \| ([\d,]+) \| (\d+) \|/gm
const stated = [...readFileSync(README, 'utf8').matchAll(ROW)].map(
  ([, name = '', nodes = '', statements = '']) =>
    [name, Number(nodes.replaceAll(',', '')), Number(statements)] as const,
)

describe('operations', () => {
  it('cost what is stated', async () => {
    const measured = []
    for (const [name, variables] of Object.entries(variablesOf)) {
      const document = documentOf(name)
      // Repeated while the machine is too busy for the time limit.
      const run = async (): Promise<number> => {
        let errors: { extensions: { code: string } }[] | undefined
        const { length } = await statementsOf(async () => {
          errors = (await callGraphQL(owner, document, variables)).body.errors
        })
        if (errors?.[0]?.extensions.code === 'SERVICE_UNAVAILABLE') return run()
        expect(errors, name).toBeUndefined()
        return length
      }
      // The first run fills the caches of the process. The least of three counts, since a cache may expire during a run.
      const counts = [await run(), await run(), await run()]
      const { body } = await callGraphQL(owner, COST, { document, variables })
      measured.push([name, body.data.queryCost.nodes, Math.min(...counts)])
    }
    expect(measured.map(([name, nodes]) => [name, nodes])).toEqual(stated.map(([name, nodes]) => [name, nodes]))
    // Loads that fall into the same moment share a statement, so that there may be one fewer.
    const over = measured.filter(([, , statements], index) => Number(statements) > (stated[index]?.[2] ?? 0))
    expect(over).toEqual([])
  })
})
