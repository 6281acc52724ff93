// A side of a comparison: a copy of the database with its gateways, on a server of this machine.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Paying } from '../bare.ts'
import { withCopy } from '../databases.ts'
import type { Usage } from '../usage.ts'
import { startGateway, startWorker, type Worker } from '../workers.ts'

export interface Side {
  /** Its statements are not part of any measurement. */
  readonly client: pg.Client
  readonly gateways: readonly (Worker & { readonly hello: { readonly url: string } })[]
  readonly paying: Paying
}

/** Opens two sides with gateways of these names. Each gateway has its name as `application_name`, and runs jobs. */
export const withSides = <T>(
  databaseUrl: string,
  names: readonly [readonly string[], readonly string[]],
  measure: (one: Side, other: Side) => Promise<T>,
): Promise<T> =>
  withCopy(databaseUrl, (first) =>
    withCopy(first, async (second) => {
      const one = await openSide(first, names[0])
      const other = await openSide(second, names[1])
      try {
        return await measure(one, other)
      } finally {
        for (const { client, gateways } of [one, other]) {
          await Promise.all(gateways.map((gateway) => gateway.stop()))
          await client.end()
        }
      }
    }),
  )

const CLIENT = 'bench'
/** So many that two payments rarely change the same account at the same time. */
const PAYERS = 400

const openSide = async (databaseUrl: string, names: readonly string[]): Promise<Side> => {
  const environment = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    GRAPHQL_LIMITS: 'nodesPerMinute=1000000000',
    LOG_LEVEL: 'warn',
    DATABASE_WAIT_MS: '30000',
    // Otherwise a refusal by a busy machine would end the measurement.
    OVERLOAD_DELAY_MS: '60000',
  }
  const bare = await startWorker<Paying>('bare.ts', { ...environment, PAYERS: String(PAYERS) })
  await bare.stop()
  const gateways: Side['gateways'][number][] = []
  for (const name of names) gateways.push(await startGateway({ ...environment, PGAPPNAME: name }))
  const client = new pg.Client({ connectionString: databaseUrl, application_name: CLIENT })
  await client.connect()
  return { client, gateways, paying: bare.hello }
}

/** Milliseconds of CPU that the gateways have used, and for them each process of Postgres. */
export const cpuOf = async ({ client, gateways }: Side) => {
  const used = await Promise.all(gateways.map((gateway) => gateway.ask<Usage>('usage')))
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and application_name <> $1',
    [CLIENT],
  )
  return {
    gateways: used.reduce((sum, { cpu }) => sum + cpu, 0),
    postgres: new Map(rows.map(({ pid }) => [pid, cpuOfProcess(pid)])),
  }
}

type Cpu = Awaited<ReturnType<typeof cpuOf>>

/** What was used between the two. The rest of a process that has ended is not known. */
export const cpuBetween = (before: Cpu, after: Cpu) => ({
  gateways: after.gateways - before.gateways,
  postgres: [...after.postgres].reduce((sum, [pid, cpu]) => sum + cpu - (before.postgres.get(pid) ?? 0), 0),
})

const TICK_MS = 10

/** As Linux counts it. The name of the process is in brackets and may contain spaces. */
const cpuOfProcess = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
