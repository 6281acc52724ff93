// Opens connections to Postgres: directly, or through a pooler that lends a server connection for each transaction.
import type { Socket } from 'node:net'
import pg from 'pg'
import { config } from '#core/config.ts'
import { TextClient } from './pg/text-client.ts'

/** The settings that answers depend on. Every wait has a timeout, in milliseconds. */
export const SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  jit: 'off',
  statement_timeout: '5000',
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '5000',
}

/** Longer than the statement timeout, so it only expires if the server does not respond at all. */
export const SILENCE_MS = 8_000

/**
 * Whether `DATABASE_URL` leads to a pooler. Session state is then lost: a pooler refuses or ignores the settings that a client
 * sends at the start of a connection, and it may pass each statement to another server connection.
 */
export const isPooled = config.directDatabaseUrl !== config.databaseUrl

const startOptions = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** Through a pooler the settings come from the role or from the pooler; `checkConnections` checks that they do. */
const forServing = (more: Readonly<Record<string, string>>): pg.ClientConfig => ({
  connectionString: config.databaseUrl,
  ...(!isPooled && { options: startOptions({ ...SETTINGS, ...more }) }),
  keepAlive: true,
})

/** For connections that need a session: they listen, run migrations or hold jobs. */
export const direct = (settings: Readonly<Record<string, string>>): pg.ClientConfig => ({
  connectionString: config.directDatabaseUrl,
  options: startOptions(settings),
  keepAlive: true,
})

/**
 * An idle connection is closed after this time. A new one plans every statement again, so connections must outlast the pauses of light traffic.
 * Load balancers forget silent connections after four minutes or more, and a query on such a connection would fail.
 */
const IDLE_FOR_MS = 180_000

/**
 * A pool that replaces a broken connection at the next query. A query that was using the broken connection fails on its own. So does a
 * query whose server says nothing for `silenceMs`, if it is given.
 */
export const openPool = (settings: pg.PoolConfig, silenceMs = 0): pg.Pool => {
  const opened = new pg.Pool({ idleTimeoutMillis: IDLE_FOR_MS, ...settings, Client: TextClient })
  opened.on('error', () => {})
  opened.on('connect', (client) => {
    client.on('error', () => {})
    endAfterSilence(client as unknown as Busy, silenceMs)
  })
  return opened
}

/** A client of `pg`, whose types leave these members out. */
interface Busy {
  readonly _activeQuery: object | null
  readonly connection: { readonly stream: Socket }
}

/**
 * The timeout of the socket, which has one timer. The `query_timeout` of `pg` makes a timer for each query, and under load those keep the rows
 * of all queries in memory until the next full collection.
 */
const endAfterSilence = (client: Busy, silenceMs: number) => {
  const { stream } = client.connection
  stream.setTimeout(silenceMs)
  stream.on('timeout', () => {
    if (client._activeQuery) stream.destroy(new Error('Query read timeout'))
  })
}

/** Replicas are reached directly. A statement that takes long there is repeated at the primary, within the time of the request. */
export const openReplicaPool = (url: string, planCacheMode: PlanCacheMode): pg.Pool =>
  openPool(
    {
      connectionString: url,
      options: startOptions({ ...SETTINGS, statement_timeout: '2000', plan_cache_mode: planCacheMode }),
      keepAlive: true,
      max: config.databasePoolSize,
      connectionTimeoutMillis: 1_000,
    },
    2_500,
  )

type PlanCacheMode = 'auto' | 'force_custom_plan' | 'force_generic_plan'

/** `more` settings hold at direct connections only. */
export const openServingPool = (
  planCacheMode: PlanCacheMode,
  limits: pg.PoolConfig,
  more: Readonly<Record<string, string>> = {},
  silenceMs = SILENCE_MS,
): pg.Pool => openPool({ ...forServing({ plan_cache_mode: planCacheMode, ...more }), ...limits }, silenceMs)
