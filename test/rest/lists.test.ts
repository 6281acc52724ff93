// REST lists, and lookups of single transactions that do not exist.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { rest } from '#test/setup/faces.ts'
import { cardUse, createInternalAccount, createPlatform, createTransactions, outgoing } from '#test/setup/world.ts'

describe('a list', () => {
  it('has data, hasMore and totalCount, and nextCursor only when there are more items', async () => {
    const lister = await createPlatform()
    const rows = await createTransactions(
      lister,
      [0, 1, 2].map((second) => outgoing({ createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) })),
    )
    const ids = rows.map(({ id }) => publicId('Transaction', id)).reverse()
    const first = await rest<List>(lister, '/transactions?limit=2')
    expect(first.body).toEqual({
      data: [expect.objectContaining({ id: ids[0] }), expect.objectContaining({ id: ids[1] })],
      hasMore: true,
      nextCursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      totalCount: 3,
    })
    const last = await rest<List>(lister, `/transactions?limit=2&cursor=${first.body.nextCursor}`)
    expect(last.body).toEqual({ data: [expect.objectContaining({ id: ids[2] })], hasMore: false, totalCount: 3 })
    const alone = await rest(lister, `/transactions/${ids[2]}`)
    expect(last.body.data[0]).toEqual(alone.body)
  })

  it('returns any text and any currency as UTF-8, as a single transaction does', async () => {
    const lister = await createPlatform()
    const description = 'Zoë "Z"\\/\n\t\u0001 £ € \u2028 😀 \u007f'
    const counterpartyInformation = { FULL_NAME: description, 'naïve €': 'ÿ' }
    await createTransactions(lister, [
      outgoing({ description, counterpartyInformation, sentAmount: 100n, sentCurrency: 'EUR' }),
    ])
    const { body } = await rest<{ data: { id: string }[] }>(lister, '/transactions')
    const [item] = body.data
    expect(item).toMatchObject({
      description,
      counterpartyInformation,
      sentAmount: { amount: 100, currency: { symbol: '€' } },
    })
    expect((await rest(lister, `/transactions/${item?.id}`)).body).toEqual(item)
  })

  it('of long items has pages of at most 8 MiB, which together have every item', async () => {
    const lister = await createPlatform()
    const rows = await createTransactions(
      lister,
      Array.from({ length: 60 }, (_, second) =>
        outgoing({ description: 'é'.repeat(100_000), createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) }),
      ),
    )
    const pages: (readonly object[])[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body }: { body: List } = await rest<List>(
        lister,
        `/transactions?limit=100${cursor && `&cursor=${cursor}`}`,
      )
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(2 ** 23 + 1_000)
      expect(body.hasMore).toBe(body.nextCursor !== undefined)
      pages.push(body.data)
      cursor = body.nextCursor
    }
    expect(pages.map(({ length }) => length)).toEqual([41, 19])
    expect(pages.flat()).toEqual(
      rows.reverse().map(({ id }) => expect.objectContaining({ id: publicId('Transaction', id) })),
    )
  })

  it('without items returns an empty array', async () => {
    const { status, body } = await rest(await createPlatform(), '/transactions')
    expect({ status, body }).toEqual({ status: 200, body: { data: [], hasMore: false, totalCount: 0 } })
  })
})

interface List {
  readonly data: readonly object[]
  readonly hasMore: boolean
  readonly nextCursor?: string
}

it('an unknown id is 404, and so is the id of a transaction of the other type', async () => {
  const platform = await createPlatform()
  const account = await createInternalAccount(platform)
  const [payment, card] = await createTransactions(platform, [
    outgoing(),
    cardUse({ sourceInternalAccountId: account.id }),
  ])
  const ids = [
    publicId('Transaction', randomUUID()),
    publicId('CardTransaction', randomUUID()),
    publicId('CardTransaction', payment?.id ?? ''),
    publicId('Transaction', card?.id ?? ''),
  ]
  for (const id of ids) {
    const { status, body } = await rest(platform, `/transactions/${id}`)
    expect({ status, body }).toEqual({
      status: 404,
      body: { status: 404, code: 'TRANSACTION_NOT_FOUND', message: 'There is no such transaction' },
    })
  }
})
