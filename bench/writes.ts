// Measures calls that write, each as a share of one handwritten transaction with the same effects, and what a payment costs.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { API_VERSION } from '#core/api-version.ts'
import type { Bare, Paying } from './bare.ts'
import { withCopy } from './databases.ts'
import type { Load, Target } from './load.ts'
import { median } from './report.ts'
import type { SignedRetries } from './signed-retries.ts'
import { WARM_UP_SECONDS } from './warm-up.ts'
import { startGateway, startWorker, type Worker } from './workers.ts'

const CALLERS = 16
const ROUNDS = 3

export interface Writes {
  /** Requests per second, by name. The figures of `bare …` are those of the transactions alone. */
  readonly perSecond: ReadonlyMap<string, number>
  /** The cost of one payment from its transfer to its arrival: transactions that wrote, and bytes of write-ahead log. */
  readonly commits: number
  readonly walBytes: number
}

/** Runs on a copy of the database, because leftover work would be done in the next round. */
export const measureWrites = (databaseUrl: string, seconds: number): Promise<Writes> =>
  withCopy(databaseUrl, (copyUrl) => measure(copyUrl, seconds))

const measure = async (databaseUrl: string, seconds: number): Promise<Writes> => {
  const environment = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
    DATABASE_POOL_SIZE: String(CALLERS),
    DATABASE_WAIT_MS: '30000',
    // Otherwise a refusal by a busy machine would end the measurement.
    OVERLOAD_DELAY_MS: '60000',
  }
  const bare = await startWorker<Paying>('bare.ts', environment)
  const cost = await measurePayment(environment, bare.hello)
  const gateway = await startGateway({ ...environment, WITH_JOBS: 'false' })
  const load = await startWorker('load.ts')
  const signer = await startWorker('signed-retries.ts', environment)
  try {
    return { perSecond: await measureRounds(gateway.hello.url, { bare, load, signer }, seconds), ...cost }
  } finally {
    await Promise.all([gateway, bare, load, signer].map((worker) => worker.stop()))
  }
}

interface Workers {
  readonly bare: Worker & { readonly hello: Paying }
  readonly load: Worker
  readonly signer: Worker
}

const measureRounds = async (url: string, { bare, load, signer }: Workers, seconds: number) => {
  const { transfers, quotes } = targetsOf(url, bare.hello)
  const results = new Map<string, number[]>()
  const put = async (name: string, targets: readonly Target[], isOnce = false) => {
    const { perSecond, failed } = await load.ask<Load>({ targets, seconds, callers: CALLERS, isOnce })
    if (failed > 0) throw new Error(`${name} failed ${failed} times`)
    return perSecond
  }
  const bareOf = async (question: Bare) => (await bare.ask<{ perSecond: number }>(question)).perSecond
  const signedBy = async (question: SignedRetries) => (await signer.ask<{ perSecond: number }>(question)).perSecond
  const measures: Record<string, () => Promise<number>> = {
    'bare transfer': () => bareOf({ what: 'transfer', seconds }),
    transfer: () => put('transfer', transfers),
    'hot transfer': () => put('hot transfer', transfers.slice(0, 1)),
    'bare quote': () => bareOf({ what: 'quote', seconds }),
    quote: () => put('quote', quotes),
    'bare execute': () => bareOf({ what: 'execute', count: QUOTES_OF_A_CALLER }),
    execute: async () => put('execute', await executionsOf(quotes), true),
    'bare signed retry': () => signedBy({ url: null, seconds }),
    'signed retry': () => signedBy({ url, seconds }),
  }
  for (const measure of Object.values(measures)) {
    const warmAt = performance.now() + WARM_UP_SECONDS * 1_000
    while (performance.now() < warmAt) await measure()
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, measure] of Object.entries(measures)) {
      results.set(name, [...(results.get(name) ?? []), await measure()])
    }
  }
  return new Map([...results].map(([name, values]) => [name, median(values)]))
}

/** Each quote can be executed only once, so the quotes are made beforehand. */
const QUOTES_OF_A_CALLER = 40

const executionsOf = async (quotes: readonly Target[]): Promise<Target[]> => {
  const made = await Promise.all(
    quotes.map(async (target) => {
      const ids: string[] = []
      while (ids.length < QUOTES_OF_A_CALLER) ids.push((await send<{ id: string }>(target)).id)
      return ids.map((id) => ({ ...target, url: `${target.url}/${id}/execute`, body: '' }))
    }),
  )
  // Accounts are used in turn, so that callers do not wait for the same one.
  return Array.from({ length: QUOTES_OF_A_CALLER }, (_, index) =>
    made.flatMap((targets) => targets[index] ?? []),
  ).flat()
}

const send = async <Body>({ url, method, headers, body }: Target): Promise<Body> => {
  const response = await fetch(url, { method, headers, ...(body && { body }) })
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`)
  return (await response.json()) as Body
}

/** A transfer and a quote of each payer. */
export const targetsOf = (url: string, { authorization, payers }: Paying) => {
  const post = (name: string, path: string, input: object): Target => {
    const body = JSON.stringify(input)
    const headers = { authorization, 'content-type': 'application/json' }
    return { name, url: `${url}/${API_VERSION}${path}`, method: 'POST', headers, body }
  }
  return {
    transfers: payers.map(({ from, to }) =>
      post('transfer', '/transfer-out', { source: { accountId: from }, destination: { accountId: to }, amount: 100 }),
    ),
    quotes: payers.map(({ from, to }) =>
      post('quote', '/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: from },
        destination: { destinationType: 'ACCOUNT', accountId: to },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 100,
      }),
    ),
  }
}

export const PAYMENTS = 320

/** Makes payments with a gateway that runs their jobs, until all have arrived. */
export const payAll = async (client: pg.Client, url: string, paying: Paying): Promise<void> => {
  const { transfers } = targetsOf(url, paying)
  await Promise.all(
    transfers.map(async (target) => {
      for (let paid = 0; paid < PAYMENTS / CALLERS; paid += 1) await send(target)
    }),
  )
  await arrived(client, paying.platformId)
}

const measurePayment = async (environment: Record<string, string>, paying: Paying) => {
  const client = new pg.Client({ connectionString: environment['DATABASE_URL'] })
  await client.connect()
  const gateway = await startGateway(environment)
  try {
    // After a checkpoint, the first change to a page writes the whole page to the log. Postgres makes the next one in five minutes.
    await client.query('checkpoint')
    for (let round = 0; round < ROUNDS; round += 1) await payAll(client, gateway.hello.url, paying)
    const before = await costOf(client)
    await payAll(client, gateway.hello.url, paying)
    const after = await costOf(client)
    return {
      commits: (after.transactions - before.transactions) / PAYMENTS,
      walBytes: (after.bytes - before.bytes) / PAYMENTS,
    }
  } finally {
    await gateway.stop()
    await client.end()
  }
}

const arrived = async (client: pg.Client, platformId: string) => {
  for (;;) {
    const { rowCount } = await client.query(
      `select from transactions where platform_id = $1 and (status = 'PROCESSING' or status = 'PENDING' and quote_id is null)
       union all select from events where platform_id = $1 and position is null limit 1`,
      [platformId],
    )
    if (rowCount === 0) return
    await wait(50)
  }
}

/** Only a transaction that writes gets an id. */
const costOf = async (client: pg.Client) => {
  const { rows } = await client.query<{ transactions: number; bytes: number }>(`
    select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as transactions, (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`)
  const [row] = rows
  if (!row) throw new Error('No cost was read')
  return row
}
