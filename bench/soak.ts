// Applies steady load for a long time, to see whether memory and connections stay constant.
import { randomBytes } from 'node:crypto'
import { API_VERSION } from '#core/api-version.ts'
import type { Load, Round, Target } from './load.ts'
import { get, graphqlTarget, headers } from './throughput.ts'
import { startGateway, startWorker } from './workers.ts'

const SHARE_OF_CAPACITY = 0.8
const CALLERS = 16
/** Enough callers to start each request on time while earlier ones are still running. */
const PACED_CALLERS = 64
const WARM_UP_MINUTES = 3
const SECONDS = 60

interface Minute extends Load {
  readonly memory: number
  readonly heap: number
  readonly connections: number
  readonly files: number
}

/** Mixes reads with one quote in twenty requests, so that the jobs that expire quotes run too. */
export const soak = async (databaseUrl: string, minutes: number) => {
  const gateway = await startGateway({
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    GRAPHQL_LIMITS: 'nodesPerMinute=1000000000',
    LOG_LEVEL: 'warn',
    // The demo serves `/metrics` at the same port.
    DEMO: 'true',
  })
  const load = await startWorker('load.ts')
  try {
    const { url } = gateway.hello
    const targets = await mixOf(url)
    const put = (round: Partial<Round>) => load.ask<Load>({ targets, seconds: SECONDS, callers: CALLERS, ...round })
    const capacity = await put({ seconds: SECONDS / 3 })
    const pace = capacity.perSecond * SHARE_OF_CAPACITY
    console.log(`Capacity ${capacity.perSecond.toFixed(0)} requests/s. Continuing with ${pace.toFixed(0)} requests/s.`)
    console.log(
      ['minute', 'req/s', 'failed', 'p50 ms', 'p99 ms', 'RSS MB', 'heap MB', 'conns', 'files']
        .map((name) => name.padStart(8))
        .join(''),
    )
    const seen: Minute[] = []
    for (let minute = 1; minute <= minutes; minute += 1) {
      const now = { ...(await put({ pace, callers: PACED_CALLERS })), ...(await numbersOf(url)) }
      seen.push(now)
      const figures = [now.perSecond, now.failed, now.p50, now.p99, now.memory, now.heap, now.connections, now.files]
      console.log(
        [minute, ...figures.map((figure) => figure.toFixed(0))].map((text) => String(text).padStart(8)).join(''),
      )
    }
    report(seen.slice(WARM_UP_MINUTES))
  } finally {
    await Promise.all([gateway.stop(), load.stop()])
  }
}

const report = (minutes: readonly Minute[]) => {
  const range = (figures: readonly number[]) =>
    `${Math.min(...figures).toFixed(0)} to ${Math.max(...figures).toFixed(0)}`
  const memory = minutes.map((minute) => minute.memory)
  console.log(
    `After ${WARM_UP_MINUTES} minutes: memory ${range(memory)} MB, ${slopeOf(memory).toFixed(2)} MB a minute;`,
  )
  console.log(
    `connections ${range(minutes.map(({ connections }) => connections))}, files ${range(minutes.map(({ files }) => files))}`,
  )
}

/** The slope per minute, by least squares. */
const slopeOf = (figures: readonly number[]) => {
  const middle = (figures.length - 1) / 2
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length
  const over = figures.reduce((sum, figure, index) => sum + (index - middle) * (figure - mean), 0)
  return over / figures.reduce((sum, _figure, index) => sum + (index - middle) ** 2, 0)
}

const numbersOf = async (url: string) => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    )
  return {
    memory: sum('process_resident_memory_bytes') / 1e6,
    heap: sum('nodejs_heap_size_used_bytes') / 1e6,
    connections: sum('database_connections') - sum('database_connections{state="awaited"}'),
    files: sum('process_open_fds'),
  }
}

const mixOf = async (url: string): Promise<Target[]> => {
  const read = [graphqlTarget(url, 20), get('page', `${url}/${API_VERSION}/transactions?limit=20`)]
  const quote = await quoteTarget(url)
  return [...Array.from({ length: 19 }, (_, index) => read[index % read.length] as Target), quote]
}

const ACCOUNTS = `{ customers(first: 100) { nodes {
  internalAccounts { nodes { id type currency { code } balance { amount } } } externalAccounts { nodes { id currency { code } } }
} } }`

interface Accounts {
  readonly data: {
    readonly customers: {
      readonly nodes: readonly {
        readonly internalAccounts: {
          readonly nodes: readonly {
            id: string
            type: string
            currency: { code: string }
            balance: { amount: number }
          }[]
        }
        readonly externalAccounts: { readonly nodes: readonly { id: string; currency: { code: string } }[] }
      }[]
    }
  }
}

/** A quote from one account of a customer to another. */
const quoteTarget = async (url: string): Promise<Target> => {
  const json = { ...headers, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ query: ACCOUNTS }),
  })
  const { data } = (await answer.json()) as Accounts
  for (const customer of data.customers.nodes) {
    const [internalAccounts, externalAccounts] = [customer.internalAccounts.nodes, customer.externalAccounts.nodes]
    const from = internalAccounts.find(({ type, balance }) => type === 'INTERNAL_FIAT' && balance.amount > 1000)
    const to = externalAccounts[0]
    if (!from || !to) continue
    const body = JSON.stringify({
      source: { sourceType: 'ACCOUNT', accountId: from.id },
      destination: { destinationType: 'ACCOUNT', accountId: to.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1000,
    })
    return { name: 'quote', url: `${url}/${API_VERSION}/quotes`, method: 'POST', headers: json, body }
  }
  throw new Error('No customer has both types of accounts')
}
