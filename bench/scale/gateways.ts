// Measures what a request costs two gateways of one database, compared with one, and how long they wait for each other.
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { API_VERSION } from '#core/api-version.ts'
import type { Load, Target } from '../load.ts'
import { median } from '../report.ts'
import { get, graphqlTarget } from '../throughput.ts'
import { WARM_UP_SECONDS } from '../warm-up.ts'
import { startWorker, type Worker } from '../workers.ts'
import { targetsOf } from '../writes.ts'
import { cpuBetween, cpuOf, type Side, withSides } from './sides.ts'

const CALLERS = 16
const ROUNDS = 15
const PAGE_SIZE = 50

export const WAIT_GOAL_MS = 1

export interface Gateways {
  /** CPU of a request with two gateways, divided by that with one: the medians of the rounds. */
  readonly gatewayCpu: number
  readonly postgresCpu: number
  /** Milliseconds that a gateway waited at most for a lock of the other, in any sample. */
  readonly longestWait: number
  /** The share of samples in which a gateway had waited longer than the goal. */
  readonly aboveGoal: number
  readonly samples: number
}

export const measureGateways = async (databaseUrl: string, seconds: number): Promise<Gateways> => {
  const load = await startWorker('load.ts')
  try {
    return await withSides(databaseUrl, [['one'], ['left', 'right']], (one, two) => measure(load, one, two, seconds))
  } finally {
    await load.stop()
  }
}

const measure = async (load: Worker, one: Side, two: Side, seconds: number): Promise<Gateways> => {
  const ratios: { gateways: number; postgres: number }[] = []
  const waits: number[] = []
  // Each gateway needs the same number of requests to warm up. They are slower here than alone.
  for (const side of [one, two]) {
    await costOf(load, side, 2 * WARM_UP_SECONDS * side.gateways.length)
    // Its quotes would expire during the measurement.
    await side.client.query("delete from graphile_worker._private_jobs where run_at > now() + interval '1 minute'")
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const ofOne = await costOf(load, one, seconds)
    const sampling = new AbortController()
    const sampled = sampleWaits(two.client, sampling.signal)
    const ofTwo = await costOf(load, two, seconds)
    sampling.abort()
    waits.push(...(await sampled))
    ratios.push({ gateways: ofTwo.gateways / ofOne.gateways, postgres: ofTwo.postgres / ofOne.postgres })
  }
  return {
    gatewayCpu: median(ratios.map(({ gateways }) => gateways)),
    postgresCpu: median(ratios.map(({ postgres }) => postgres)),
    longestWait: Math.max(...waits),
    aboveGoal: waits.filter((longest) => longest > WAIT_GOAL_MS).length / waits.length,
    samples: waits.length,
  }
}

/** Milliseconds of CPU for each request, with the jobs that it leads to. */
const costOf = async (load: Worker, side: Side, seconds: number) => {
  const before = await cpuOf(side)
  const { sent, failed } = await load.ask<Load>({ targets: mixOf(side), seconds, callers: CALLERS })
  if (failed > 0) throw new Error(`${failed} requests failed`)
  await untilJobsEnd(side.client)
  const used = cpuBetween(before, await cpuOf(side))
  return { gateways: used.gateways / sent, postgres: used.postgres / sent }
}

/** Jobs of payments fall due within a second, those of quotes later. */
const WAITING = `
  select from graphile_worker._private_jobs where is_available and run_at < now() + interval '10 seconds' limit 1`

/** Two gateways run twice as many jobs at once. Without this wait, one would leave more of them for later. */
const untilJobsEnd = async (client: pg.Client) => {
  while ((await client.query(WAITING)).rows.length > 0) await wait(50)
}

/** Queries, pages, transfers and quotes, sent to each gateway in turn. The gateways never pay from the same account at the same time. */
const mixOf = ({ gateways, paying }: Side): Target[] => {
  const { payers } = paying
  const mixes = gateways.map(({ hello: { url } }, place) => {
    const first = Math.floor((place * payers.length) / gateways.length)
    const { transfers, quotes } = targetsOf(url, {
      ...paying,
      payers: [...payers.slice(first), ...payers.slice(0, first)],
    })
    const query = graphqlTarget(url, PAGE_SIZE)
    const page = get('page', `${url}/${API_VERSION}/transactions?limit=${PAGE_SIZE}`)
    return transfers.flatMap((transfer, payer) => [query, page, transfer, quotes[payer] ?? transfer])
  })
  return (mixes[0] ?? []).flatMap((_, place) => mixes.flatMap((mix) => mix[place] ?? []))
}

const LONGEST = `
  select coalesce(max(extract(epoch from clock_timestamp() - lock.waitstart) * 1000), 0)::float8 as longest
  from pg_locks lock
  join pg_stat_activity waiting on waiting.pid = lock.pid and waiting.datname = current_database()
  cross join lateral unnest(pg_blocking_pids(lock.pid)) blocking (pid)
  join pg_stat_activity holder on holder.pid = blocking.pid and holder.application_name <> waiting.application_name
  where not lock.granted`
const SAMPLE_EVERY_MS = 5

const sampleWaits = async (client: pg.Client, signal: AbortSignal): Promise<number[]> => {
  const waits: number[] = []
  while (!signal.aborted) {
    const { rows } = await client.query<{ longest: number }>(LONGEST)
    waits.push(rows[0]?.longest ?? 0)
    await wait(SAMPLE_EVERY_MS)
  }
  return waits
}
