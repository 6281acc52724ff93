// The gateway behind PgBouncer in transaction mode, which lends a server connection for each transaction.
// Own process: starts poolers, and locks and frees jobs of its database.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { cloneDatabase } from '#test/setup/clone.ts'
import { nextWhere, subscribe } from '#test/setup/event-streams.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway, through } from '#test/setup/gateway-process.ts'
import { createPayer, fundsOf, quoteInput, timelineOf, transferInput } from '#test/setup/payments/payers.ts'
import { type Answer, paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { CONNECT_QUERY, hasPooler, type Pooler, poolerVersion, startPooler } from '#test/setup/pooler.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const { DATABASE_DIRECT_URL: url = '' } = process.env

const gateways: GatewayProcess[] = []
const start = async (settings: Record<string, string>) => {
  const gateway = await startGateway(settings)
  gateways.push(gateway)
  return gateway
}
const ready = ({ url }: GatewayProcess) =>
  vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 60_000, interval: 100 })
/** The line that it printed when it refused to start. */
const refusalOf = async (settings: Record<string, string>) => {
  const refusal = await startGateway(settings).then(
    (gateway) => gateway.kill().then(() => 'It started.'),
    (error: Error) => error.message,
  )
  expect(refusal.trimEnd().split('\n').slice(1).filter(Boolean)).toHaveLength(1)
  return refusal
}

const command = async (settings: Record<string, string>, name: string) => {
  const { PATH, MASTER_KEY } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [inject('gatewayMain'), name], {
    env: { PATH, MASTER_KEY, ...settings },
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout
}

const poolers: Pooler[] = []
const pooled = async (settings?: Parameters<typeof startPooler>[1]) => {
  const pooler = await startPooler(url, settings)
  poolers.push(pooler)
  return pooler
}
const at = (pooler: Pooler, database = url) => new URL(new URL(database).pathname, pooler.url).href

const withServer = async <T>(work: (client: pg.Client) => Promise<T>, database = url): Promise<T> => {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  return work(client).finally(() => client.end())
}
const createEmptyDatabase = async () => {
  const name = `${inject('template')}_${randomBytes(4).toString('hex')}`
  await withServer((client) => client.query(`CREATE DATABASE ${name}`), inject('serverUrl'))
  return new URL(`/${name}`, url).href
}

let pooler: Pooler
beforeAll(async () => {
  if (hasPooler) pooler = await pooled({ connectQuery: CONNECT_QUERY })
})
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.kill()))
  await Promise.all(poolers.map((pooler) => pooler.stop()))
})

describe.skipIf(!hasPooler)(`through PgBouncer ${poolerVersion}, the gateway`, () => {
  it('refuses to start with only the address of a pooler', async () => {
    const refusal = await refusalOf({ DATABASE_URL: at(pooler) })
    expect(refusal).toContain(
      'Connections of DATABASE_URL do not have the settings of the gateway: unsupported startup',
    )
    expect(refusal).toContain('set DATABASE_DIRECT_URL')
  })

  it('refuses likewise if the pooler ignores settings', async () => {
    const careless = await pooled({ more: ['ignore_startup_parameters = options'] })
    const refusal = await refusalOf({ DATABASE_URL: at(careless) })
    expect(refusal).toContain('statement_timeout is 0, not 5000')
    expect(refusal).toContain('set DATABASE_DIRECT_URL')
    const swapped = await refusalOf({ DATABASE_URL: url, DATABASE_DIRECT_URL: at(careless) })
    expect(swapped).toContain('Connections of DATABASE_DIRECT_URL')
    expect(swapped).toContain('not to a pooler')
  })

  it('refuses to start until the role has the settings, and says which command stores them', async () => {
    const database = await cloneDatabase()
    const plain = await pooled()
    const settings = { DATABASE_URL: at(plain, database), DATABASE_DIRECT_URL: database }
    const refusal = await refusalOf(settings)
    expect(refusal).toContain(
      'idle_in_transaction_session_timeout is 0, not 5000, jit is on, not off, lock_timeout is 0, not 2000, statement_timeout is 0, not 5000',
    )
    expect(refusal).toContain('Run the command set-connection-settings once')
    expect(await command(settings, 'set-connection-settings')).toContain('Have the pooler reconnect')
    await plain.reconnect()
    const gateway = await start(settings)
    await ready(gateway)
    const migrated = await withServer((client) => client.query('show statement_timeout'), database)
    expect(migrated.rows).toEqual([{ statement_timeout: '5s' }])
  })

  it('starts three times at once on an empty database', async () => {
    const database = await createEmptyDatabase()
    const settings = { DATABASE_URL: at(pooler, database), DATABASE_DIRECT_URL: database }
    const three = await Promise.all([1, 2, 3].map(() => start(settings)))
    await Promise.all(three.map(ready))
    expect(three.map((gateway) => gateway.log()).join('')).not.toContain('"level":"error"')
    await Promise.all(three.map((gateway) => gateway.kill()))
  })
})

describe.skipIf(!hasPooler)(`two gateways behind PgBouncer ${poolerVersion}`, () => {
  let two: [GatewayProcess, GatewayProcess]
  beforeAll(async () => {
    const settings = { DATABASE_URL: at(pooler), DATABASE_DIRECT_URL: url }
    two = [await start(settings), await start(settings)]
    await Promise.all(two.map(ready))
  })
  const other = (index: number) => two[index % 2] as GatewayProcess
  /** Retries after a 503, like a client. Nothing has changed at that point. */
  const untilHeard = async (call: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await call()
      if (answer.status !== 503) return answer
    }
  }

  it.each(paymentFaces)('complete a payment over $name, with its jobs', async (face) => {
    const { platform, dollars, iban } = await createPayer()
    const { body: quote } = await through(two[0], () => face.createQuote(platform, quoteInput(dollars, iban)))
    expect((await through(two[1], () => face.executeQuote(platform, quote.id))).status).toBeLessThan(300)
    await vi.waitFor(
      async () =>
        expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED']),
      { timeout: 60_000, interval: 100 },
    )
    expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
  })

  it('let an account pay no more than it has, in a race', async () => {
    const { platform, dollars, outside } = await createPayer()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        untilHeard(() =>
          through(other(index), () => send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 10_000))),
        ),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(
      answers.filter(
        ({ body }) => body.details?.reason === 'INSUFFICIENT_BALANCE' || body.code === 'INSUFFICIENT_BALANCE',
      ),
    ).toHaveLength(10)
    // Jobs collect the money that the transfers hold.
    await vi.waitFor(async () => expect(await fundsOf(platform, dollars)).toEqual([0, 0]), {
      timeout: 60_000,
      interval: 100,
    })
  })

  it('answer each client with its own rows when they read at the same time', async () => {
    const payers = await Promise.all([createPayer(), createPayer(), createPayer()])
    const reads = Array.from({ length: 120 }, (_, index) => payers[index % 3] ?? payers[0])
    const answers = await Promise.all(
      reads.map((payer, index) =>
        untilHeard(() => through(other(index), () => send(payer.platform, 'GET', `/customers/${payer.customerId}`))),
      ),
    )
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(
      reads.map(({ customerId }) => [200, customerId]),
    )
  })

  it('notify open streams of events at once, over a direct connection that listens', async () => {
    const { platform, dollars, outside } = await createPayer()
    const query = 'subscription { events { cursor events { id eventType } } }'
    const stream = await subscribe(basic(platform), query, {}, { url: two[0].url })
    expect(stream.response.status).toBe(200)
    // A connection through the pooler has the host in its name.
    await vi.waitFor(async () => {
      const listening = await db.$queryRaw<object[]>`
        select from pg_stat_activity where application_name = ${two[0].name} and query = 'listen events'`
      expect(listening).toHaveLength(1)
    }, 30_000)
    await untilHeard(() =>
      through(two[1], () => send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 1_000))),
    )
    await nextWhere(stream, ({ data }) => data?.data?.events.events.length > 0)
    stream.close()
  })

  it('lose no job when one of them is killed', async () => {
    const { platform, dollars, outside } = await createPayer()
    const transfers = await Promise.all(
      Array.from({ length: 5 }, () =>
        untilHeard(() =>
          through(two[0], () => send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 1_000))),
        ),
      ),
    )
    await two[0].kill()
    for (const { body } of transfers)
      await vi.waitFor(
        async () => {
          const { body: transaction } = await through(two[1], () => send(platform, 'GET', `/transactions/${body.id}`))
          expect(transaction.status).toBe('COMPLETED')
        },
        { timeout: 60_000, interval: 100 },
      )
    expect(await fundsOf(platform, dollars)).toEqual([95_000, 95_000])
  })
})
