// Checks at the start that connections have the settings that answers depend on, and finds out what a pooler can do.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { config } from '#core/config.ts'
import { StartupError } from '#core/environment.ts'
import { direct, isPooled, SETTINGS } from './connections.ts'
import { pool } from './db.ts'
import { isOutage } from './outage.ts'
import { nameLookUps } from './pg/statement-names.ts'

/** The times in messages of UMA are compared with the clock of the process, and webhooks are signed with it. Elsewhere that of the database decides. */
const MOST_SECONDS_APART = 30
/** At most this many server connections of a pooler are checked. */
const CONNECTIONS = 8

/**
 * Throws a `StartupError` if the settings do not hold at every connection, or if the clocks differ, and the error of `pg` if the database does not
 * respond. Then lets look-ups have names, if `DATABASE_URL` leads to a pooler that prepares named statements.
 */
export const checkConnections = async (): Promise<void> => {
  if (isPooled) await checkDirect()
  const connections = isPooled ? Math.min(CONNECTIONS, config.databasePoolSize) : 1
  await checkSettings('DATABASE_URL', Array<pg.Pool>(connections).fill(pool))
  await checkClock()
  if (isPooled && (await preparesNames())) nameLookUps()
}

/** The time that the answer takes counts for neither side. */
const checkClock = async () => {
  const asked = Date.now()
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  const now = Number(rows[0]?.now)
  const seconds = Math.round(Math.max(asked - now, now - Date.now()) / 1_000)
  if (seconds <= MOST_SECONDS_APART) return
  throw new StartupError(
    `The clock of the gateway is ${seconds} seconds ${asked > now ? 'ahead of' : 'behind'} that of the database. Synchronize them, for example with chrony.`,
  )
}

type Variable = 'DATABASE_URL' | 'DATABASE_DIRECT_URL'

const checkDirect = async () => {
  const client = new pg.Client({ ...direct(SETTINGS), connectionTimeoutMillis: config.databaseWaitMs })
  client.on('error', () => {})
  try {
    await client.connect().catch((error) => {
      throw whyNotConnected('DATABASE_DIRECT_URL', error)
    })
    await checkSettings('DATABASE_DIRECT_URL', [client])
  } finally {
    await client.end()
  }
}

/** Concurrent statements use different server connections, as far as the pooler has them. The sleep keeps each of them for a moment. */
const checkSettings = async (variable: Variable, connections: readonly (pg.Pool | pg.Client)[]) => {
  const text = `select name, setting, (select pg_sleep($2)) from pg_settings where name = any($1)`
  const values = [Object.keys(SETTINGS), connections.length > 1 ? 0.02 : 0]
  const answers = await Promise.all(
    connections.map((connection) =>
      connection.query<{ name: string; setting: string }>(text, values).catch((error: Error) => {
        throw whyNotConnected(variable, error)
      }),
    ),
  )
  const others = answers.flatMap(({ rows }) => rows).filter(({ name, setting }) => SETTINGS[name] !== setting)
  const lines = others.map(({ name, setting }) => `${name} is ${setting}, not ${SETTINGS[name]}`)
  if (lines.length > 0) throw wrong(variable, [...new Set(lines)].sort().join(', '))
}

/** An outage ends by itself. Anything else, such as a wrong password, is for the operator. */
const whyNotConnected = (variable: Variable, error: Error): Error => {
  if (isRefused(error)) return wrong(variable, error.message)
  return isOutage(error) ? error : new StartupError(`Cannot connect to ${variable}: ${error.message}`)
}

/** PgBouncer refuses the settings that a direct connection sends, with the code that it uses for every error. */
const isRefused = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === '08P01' && error.message.includes('startup parameter')

const ADVICE: Record<Variable | 'POOLED', string> = {
  DATABASE_URL: `If it leads to a pooler, set DATABASE_DIRECT_URL to the address of the database itself.`,
  DATABASE_DIRECT_URL: 'It must lead to the database itself, not to a pooler.',
  POOLED:
    'Run the command set-connection-settings once, and have the pooler reconnect to the database (RECONNECT in the console of PgBouncer).',
}

const wrong = (variable: Variable, what: string) => {
  const advice = isPooled && variable === 'DATABASE_URL' ? 'POOLED' : variable
  return new StartupError(
    `Connections of ${variable} do not have the settings of the gateway: ${what}. ${ADVICE[advice]}`,
  )
}

/**
 * A pooler that prepares named statements gives the statement a name of its own. Any other pooler passes the name to one of its server
 * connections.
 */
const preparesNames = async (): Promise<boolean> => {
  const name = `probe_${randomUUID()}`
  const text = 'select from pg_prepared_statements where name = $1'
  const { rowCount } = await pool.query({ name, text, values: [name] })
  return rowCount === 0
}

/** Stores the settings on the role of `DATABASE_URL`, for this database. New server connections of a pooler then have them. */
export const storeSettings = async (): Promise<void> => {
  const { rows } = await pool.query<{ database: string }>('select quote_ident(current_database()) as database')
  for (const [name, value] of Object.entries(SETTINGS))
    await pool.query(`alter role current_user in database ${rows[0]?.database} set ${name} = '${value}'`)
}
