// What a transaction moved in the ledger, as its field `ledgerMovements` shows it (docs/domain/transactions.md#ledger-movements).
import { describe, expect, it } from 'vitest'
import { postMovement } from '#accounts/ledger.ts'
import { publicId } from '#core/ids.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { graphql } from '#test/gql/index.ts'
import { createActing, transferOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { query } from '#test/setup/faces.ts'
import { createPayer, fund, movementsOf, quoteInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { sandboxFaces } from '#test/setup/sandbox/sandbox-faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import {
  createInternalAccount,
  createPlatform,
  createTransactions,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

const Ledger = graphql(/* GraphQL */ `
  query Ledger($id: ID!) {
    transaction(id: $id) {
      ... on TransactionNode {
        ledgerMovements { kind createdAt entries { account { id } book amount { amount currency { code } } } }
      }
    }
  }
`)
const LedgerPage = graphql(/* GraphQL */ `
  query LedgerPage($first: Int!) {
    transactions(first: $first) {
      nodes { ledgerMovements { kind entries { account { id currency { code } } book amount { amount } } } }
    }
  }
`)

const bare = (id: string) => id.slice(id.indexOf(':') + 1)

describe('the ledger movements of a transaction', () => {
  it('are the booked entries: money leaves the account, fees and the exchange take their parts, and each currency adds up to zero', async () => {
    const { platform, dollars, iban } = await createPayer()
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
    expect((await send(platform, 'POST', `/quotes/${quote.id}/execute`)).status).toBe(200)
    await sandboxFaces[0]?.advanceTime(platform, { seconds: 600 })
    const { transaction } = await query(platform, Ledger, { id: quote.transactionId })
    const movements = transaction?.ledgerMovements ?? []
    const texts = movements.map(
      ({ kind, entries }) =>
        `${kind}: ${entries.map(({ account, book, amount }) => `${account ? 'account' : book} ${amount.amount} ${amount.currency.code}`).join(', ')}`,
    )
    expect(texts).toEqual(await movementsOf(platform, quote.transactionId))
    expect(movements[0]?.entries[0]).toMatchObject({
      account: { id: dollars },
      book: null,
      amount: { amount: -10_000 },
    })
    const sums = new Map<string, number>()
    for (const { entries } of movements)
      for (const { amount } of entries)
        sums.set(amount.currency.code, (sums.get(amount.currency.code) ?? 0) + Number(amount.amount))
    expect(Object.fromEntries(sums)).toEqual({ USD: 0, EUR: 0 })
  })

  it('do not exist before money moves', async () => {
    const platform = await createPlatform()
    const [made] = await createTransactions(platform, [outgoing({ status: 'PENDING' })])
    const { transaction } = await query(platform, Ledger, { id: `Transaction:${made?.id}` })
    expect(transaction?.ledgerMovements).toEqual([])
  })

  it('are seen by an agent of the customer, without accounts of others; not by other agents, and not by other platforms', async () => {
    const acting = await createActing({ dailyLimit: 50_000n })
    const { platform, agent } = acting
    const { body } = (await actionFaces[0]?.transferOut(agent, transferOf(acting, 2_000))) ?? {}
    const id = body.transaction.id as string
    const own = await fundedByPlatform(platform, id)
    const read = async (by: typeof agent) => (await callGraphQL(by, String(Ledger), { id })).body
    const ofAgent = (await read(agent)).data.transaction.ledgerMovements
    const ofOwner = (await read(acting.owner)).data.transaction.ledgerMovements
    expect(ofOwner.at(-1).entries[0].account).toEqual({ id: own })
    expect(ofAgent.at(-1).entries[0]).toMatchObject({ account: null, book: null })
    expect(ofAgent).toHaveLength(ofOwner.length)
    const other = await createActing({ dailyLimit: 50_000n })
    expect((await read(other.agent)).data.transaction).toBeNull()
    expect((await read(other.owner)).data.transaction).toBeNull()
  })

  it('are at most a hundred, the oldest ones', async () => {
    const { platform, dollars } = await createPayer()
    const [made] = await createTransactions(platform, [outgoing({ status: 'PENDING' })])
    const id = made?.id ?? ''
    await inTransaction(async (tx) => {
      for (let count = 1; count <= 101; count += 1) await postMovement(tx, platform.id, feeOf(id, dollars, count))
    })
    const { transaction } = await query(platform, Ledger, { id: `Transaction:${id}` })
    const amounts = transaction?.ledgerMovements?.map(({ entries }) => -Number(entries[0]?.amount.amount))
    expect(amounts).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  })

  it('take the same number of statements for any number of transactions', async () => {
    const { platform, dollars } = await createPayer()
    await fund(platform, dollars, 'USD', 100_000n)
    const made = await createTransactions(
      platform,
      Array.from({ length: 40 }, () => outgoing({ status: 'PENDING' })),
    )
    for (const { id } of made)
      await inTransaction(async (tx) => {
        await postMovement(tx, platform.id, feeOf(id, dollars, 1))
        await postMovement(tx, platform.id, feeOf(id, dollars, 2))
      })
    const counts: number[] = []
    for (const first of [2, 10, 40, 2, 10, 40])
      counts.push((await statementsOf(() => query(platform, LedgerPage, { first }))).length)
    const [few, , , again] = counts.map((count, index) => Math.min(count, counts[(index + 3) % 6] ?? count))
    console.log(`ledger movements: ${counts.join(', ')} statements`)
    expect(few).toBe(again)
    expect(Math.max(...counts.slice(3))).toBeLessThanOrEqual(few ?? 0)
  })
})

/** Books money of the platform's own account for the transaction. */
const fundedByPlatform = async (platform: Platform, transactionId: string) => {
  const account = await createInternalAccount(platform, { customerId: null, balance: 1_000n })
  const id = publicId('InternalAccount', account.id)
  await inTransaction((tx) => postMovement(tx, platform.id, feeOf(bare(transactionId), id, 5)))
  return id
}

const feeOf = (transactionId: string, accountId: string, amount: number) =>
  ({
    kind: 'PAYMENT',
    transactionId,
    entries: [
      { accountId: bare(accountId), currency: 'USD', amount: BigInt(-amount) },
      { book: 'FEES', currency: 'USD', amount: BigInt(amount) },
    ],
  }) as const
