// One idempotency key used over both APIs: the second call returns what the first one did, and nothing is paid twice.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createPayer, fundsOf, type Payer, quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'

interface Told {
  readonly status: number
  readonly id?: string
  readonly code?: string
  readonly field?: string
}

type Say = (key: string) => Promise<Told>

interface Case {
  readonly rest: Say
  readonly graphql: Say
}

const overRest = async ({ platform }: Payer, path: string, body: object | undefined, key: string): Promise<Told> => {
  const answer = await send(platform, 'POST', path, body, { 'idempotency-key': key })
  const { id, code, details } = answer.body
  return { status: answer.status, ...(code ? { code, field: details?.field } : { id }) }
}

const overGraphQL = async ({ platform }: Payer, name: string, input: object, key: string): Promise<Told> => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { answer: ${name}(input: $input) {
    ... on CreateQuoteSuccess { quote { id } }
    ... on ExecuteQuoteSuccess { quote { id } }
    ... on TransferSuccess { transaction { ... on TransactionNode { id } } }
    ... on ApiError { status code details { field } }
  } }`
  const spreads = query
    .split('\n')
    .filter((line) => !line.includes('Success') || line.includes(SUCCESS_OF[name] ?? ''))
    .join('\n')
  const { body } = await callGraphQL(basic(platform), spreads, { input: { ...input, idempotencyKey: key } })
  const { quote, transaction, status, code, details } = body.data.answer
  if (code) return { status, code, field: details?.field?.replace('input.', '') }
  return { status: name === 'executeQuote' ? 200 : 201, id: (quote ?? transaction).id }
}

const SUCCESS_OF: Readonly<Record<string, string>> = {
  createQuote: 'CreateQuoteSuccess',
  executeQuote: 'ExecuteQuoteSuccess',
  transferOut: 'TransferSuccess',
  transferIn: 'TransferSuccess',
}

const CASES: Readonly<Record<string, (payer: Payer) => Case | Promise<Case>>> = {
  createQuote: (payer) => ({
    rest: (key) => overRest(payer, '/quotes', quoteInput(payer.dollars, payer.iban), key),
    graphql: (key) =>
      overGraphQL(
        payer,
        'createQuote',
        {
          source: { accountId: payer.dollars },
          destination: { accountId: payer.iban, paymentRail: null },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 10_000,
        },
        key,
      ),
  }),
  executeQuote: async (payer) => {
    const { body } = await send(payer.platform, 'POST', '/quotes', quoteInput(payer.dollars, payer.iban))
    return {
      rest: (key) => overRest(payer, `/quotes/${body.id}/execute`, undefined, key),
      graphql: (key) => overGraphQL(payer, 'executeQuote', { id: body.id }, key),
    }
  },
  transferOut: (payer) => transferCase(payer, 'transferOut', payer.dollars, payer.outside, 1_000),
  transferIn: (payer) => transferCase(payer, 'transferIn', payer.outside, payer.dollars, 1_000),
  'a refused transferOut': (payer) => transferCase(payer, 'transferOut', payer.dollars, payer.outside, 100_001),
  'an invalid transferOut': (payer) => transferCase(payer, 'transferOut', payer.dollars, payer.outside, 0),
}

const transferCase = (payer: Payer, name: string, from: string, to: string, amount: number): Case => ({
  rest: (key) =>
    overRest(payer, name === 'transferOut' ? '/transfer-out' : '/transfer-in', transferInput(from, to, amount), key),
  graphql: (key) => overGraphQL(payer, name, { sourceAccountId: from, destinationAccountId: to, amount }, key),
})

const effectsOf = async ({ platform, dollars }: Payer) => [
  await db.transaction.count({ where: { platformId: platform.id } }),
  await fundsOf(platform, dollars),
]

const ORDERS = [
  ['rest', 'graphql'],
  ['graphql', 'rest'],
] as const

describe.each(ORDERS)('after %s, %s with the same key', (first, second) => {
  it.each(Object.keys(CASES))('%s returns the result of the first call, and has no effect', async (name) => {
    const payer = await createPayer()
    const faces = (await CASES[name]?.(payer)) as Case
    const key = randomUUID()
    const told = await faces[first](key)
    const before = await effectsOf(payer)
    for (const face of [second, first, second]) expect(await faces[face](key)).toEqual(told)
    expect(await effectsOf(payer)).toEqual(before)
  })

  it('another input is a conflict', async () => {
    const payer = await createPayer()
    const key = randomUUID()
    const one = transferCase(payer, 'transferOut', payer.dollars, payer.outside, 1_000)
    const other = transferCase(payer, 'transferOut', payer.dollars, payer.outside, 1_001)
    expect((await one[first](key)).status).toBe(201)
    expect(await other[second](key)).toMatchObject({ status: 409, code: 'CONFLICT' })
  })

  it('a corrected input is a conflict: it needs a key of its own', async () => {
    const payer = await createPayer()
    const key = randomUUID()
    const wrong = transferCase(payer, 'transferOut', payer.dollars, payer.outside, 0)
    const corrected = transferCase(payer, 'transferOut', payer.dollars, payer.outside, 1_000)
    expect(await wrong[first](key)).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(await corrected[second](key)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(await wrong[second](key)).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(await corrected[second](randomUUID())).toMatchObject({ status: 201 })
  })

  it('an invalid key is refused before an invalid input', async () => {
    const payer = await createPayer()
    const wrong = transferCase(payer, 'transferOut', payer.dollars, payer.outside, 0)
    for (const face of [first, second]) {
      const { status, field } = await wrong[face]('x'.repeat(256))
      expect([status, field?.toLowerCase().replace('-', '')]).toEqual([400, 'idempotencykey'])
    }
  })
})

it('a key sent over both APIs at once pays once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const payer = await createPayer()
    const { rest, graphql } = transferCase(payer, 'transferOut', payer.dollars, payer.outside, 1_000)
    const key = randomUUID()
    const answers = await Promise.all([rest(key), graphql(key), rest(key), graphql(key)])
    expect(new Set(answers.flatMap(({ id }) => id ?? [])).size).toBe(1)
    expect(await effectsOf(payer)).toEqual([1, [99_000, 100_000]])
  }
})

describe('a call that the database could neither make nor end', () => {
  /** The database answers these statements as while it shuts down. */
  const duringShutdown = async ({ platform }: Payer, work: () => Promise<void>) => {
    await db.$executeRaw`
      create function refuse_shutdown() returns trigger language plpgsql as $$ begin raise 'shut down' using errcode = '57P01'; end $$`
    const trigger = (event: string, table: string, row: string) =>
      db.$executeRawUnsafe(
        `create trigger refuse before ${event} on ${table} for each row when (${row}.platform_id = '${platform.id}') execute function refuse_shutdown()`,
      )
    try {
      await trigger('insert', 'transactions', 'new')
      await trigger('delete', 'idempotent_replies', 'old')
      await work()
    } finally {
      await db.$executeRaw`drop function refuse_shutdown cascade`
    }
  }

  it('tells its repetition how long to wait, and is then made once', async () => {
    const payer = await createPayer()
    const { platform, dollars, outside } = payer
    const key = randomUUID()
    const overHttp = () =>
      send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 1_000), { 'idempotency-key': key })
    await duringShutdown(payer, async () => expect(await overHttp()).toMatchObject({ status: 503 }))

    const { status, body, headers } = await overHttp()
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', message: expect.stringContaining('still running') },
    })
    const seconds = body.details.retryAfterSeconds
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(10)
    expect(headers.get('retry-after')).toBe(String(seconds))
    const input = {
      sourceAccountId: dollars,
      destinationAccountId: outside,
      amount: 1_000,
      idempotencyKey: key,
    }
    const document = 'mutation ($input: TransferOutInput!) { transferOut(input: $input) { ... on ApiError { code } } }'
    const reply = await callGraphQL(basic(platform), document, { input })
    expect(reply.body.data.transferOut).toEqual({ code: 'CONFLICT' })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)

    await db.$executeRaw`
      update idempotent_replies set created_at = now() - interval '10 seconds' where platform_id = ${platform.id}::uuid`
    expect((await overHttp()).status).toBe(201)
    expect((await overHttp()).status).toBe(201)
    expect(await effectsOf(payer)).toEqual([1, [99_000, 100_000]])
  })
})

it('one key for two quotes is a conflict, not a second payment', async () => {
  const payer = await createPayer()
  const ids = await Promise.all(
    [1_000, 2_000].map(async (amount) => {
      const input = quoteInput(payer.dollars, payer.iban, amount)
      return (await send(payer.platform, 'POST', '/quotes', input)).body.id as string
    }),
  )
  const key = randomUUID()
  expect((await overRest(payer, `/quotes/${ids[0]}/execute`, undefined, key)).status).toBe(200)
  expect(await overRest(payer, `/quotes/${ids[1]}/execute`, undefined, key)).toMatchObject({ status: 409 })
})
