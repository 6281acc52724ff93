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

/** Of each gateway. Gateways with fewer callers send fewer statements together, which is not a cost of the second gateway. */
const CALLERS = 16
/**
 * Requests of each gateway in a second, about a third of what two cores can serve. A busier process needs less CPU for a request, because it
 * sleeps and wakes less often. At full load two gateways share the cores, so each of them is less busy than one alone.
 */
const PACE = 50
const ROUNDS = 15
const PAGE_SIZE = 50

export const WAIT_GOAL_MS = 1

export interface Gateways {
  /** Each gateway has the same number of requests in a second. */
  readonly atSamePace: Comparison
  /** Who holds a lock may itself wait for a core. */
  readonly atFullLoad: Comparison
}

export interface Comparison {
  /** CPU of a request with two gateways, divided by that with one: the medians of the rounds. */
  readonly gateways: number
  readonly postgres: number
  /** For an account that the other gateway changes too. */
  readonly accounts: Waits
  /** For any other lock of the other gateway. */
  readonly others: Waits
}

export interface Waits {
  /** The kinds of locks, with their tables or with the beginnings of the statements that wait. */
  readonly names: readonly string[]
  /** Milliseconds that a gateway had waited at most, in any sample. */
  readonly longest: number
  /** The share of samples in which a gateway had waited longer than the goal. */
  readonly aboveGoal: number
}

interface Sample {
  readonly name: string
  readonly milliseconds: number
}

/** Milliseconds of CPU for each request, with the jobs that it leads to. */
interface Cost {
  readonly gateways: number
  readonly postgres: number
  readonly samples: readonly Sample[][]
}

interface Round {
  readonly one: Cost
  readonly two: Cost
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
  const atSamePace: Round[] = []
  const atFullLoad: Round[] = []
  // Each gateway needs the same number of requests to warm up. They are slower here than alone.
  for (const side of [one, two]) {
    await costOf(load, side, 2 * WARM_UP_SECONDS * side.gateways.length)
    // Its quotes would expire during the measurement.
    await side.client.query("delete from graphile_worker._private_jobs where run_at > now() + interval '1 minute'")
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    // Fewer requests need longer: Postgres' CPU is counted in ticks.
    const slow = await costOf(load, one, 2 * seconds, PACE)
    atSamePace.push({ one: slow, two: await costOf(load, two, 2 * seconds, PACE) })
    const fast = await costOf(load, one, seconds)
    atFullLoad.push({ one: fast, two: await costOf(load, two, seconds) })
  }
  return { atSamePace: comparisonOf(atSamePace), atFullLoad: comparisonOf(atFullLoad) }
}

const comparisonOf = (rounds: readonly Round[]): Comparison => {
  const samples = rounds.flatMap(({ two }) => two.samples)
  return {
    gateways: median(rounds.map(({ one, two }) => two.gateways / one.gateways)),
    postgres: median(rounds.map(({ one, two }) => two.postgres / one.postgres)),
    accounts: waitsIn(samples, isOfAccount),
    others: waitsIn(samples, (name) => !isOfAccount(name)),
  }
}

const waitsIn = (samples: readonly Sample[][], isMeant: (name: string) => boolean): Waits => {
  const waits = samples.map((sample) => sample.filter(({ name }) => isMeant(name)))
  const longest = waits.map((sample) => Math.max(0, ...sample.map(({ milliseconds }) => milliseconds)))
  return {
    names: [...new Set(waits.flat().map(({ name }) => name))],
    longest: Math.max(0, ...longest),
    aboveGoal: longest.filter((milliseconds) => milliseconds > WAIT_GOAL_MS).length / samples.length,
  }
}

/** `pace` is the number of requests of each gateway in a second. */
const costOf = async (load: Worker, side: Side, seconds: number, pace?: number): Promise<Cost> => {
  const sampling = new AbortController()
  const sampled = sampleWaits(side.client, sampling.signal)
  const before = await cpuOf(side)
  const { length } = side.gateways
  const { sent, failed } = await load.ask<Load>({
    targets: mixOf(side),
    seconds,
    callers: CALLERS * length,
    ...(pace && { pace: pace * length }),
  })
  if (failed > 0) throw new Error(`${failed} requests failed`)
  await untilJobsEnd(side.client)
  const used = cpuBetween(before, await cpuOf(side))
  sampling.abort()
  return { gateways: used.gateways / sent, postgres: used.postgres / sent, samples: await sampled }
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

const isOfAccount = (name: string) => name.endsWith(' internal_accounts')

/** Who waits for a row waits for the transaction that has changed it, and meanwhile holds or awaits a lock of the tuple. */
const WAITS = `
  select concat_ws(' ', lock.locktype, coalesce(
      coalesce(tuple.relation, lock.relation)::regclass::text,
      left(regexp_replace(waiting.query, '\\s+', ' ', 'g'), 60))) as name,
    extract(epoch from clock_timestamp() - lock.waitstart)::float8 * 1000 as milliseconds
  from pg_locks lock
  join pg_stat_activity waiting on waiting.pid = lock.pid and waiting.datname = current_database()
  cross join lateral unnest(pg_blocking_pids(lock.pid)) blocking (pid)
  join pg_stat_activity holder on holder.pid = blocking.pid
    and holder.backend_type = 'client backend' and holder.application_name <> waiting.application_name
  left join pg_locks tuple on tuple.pid = lock.pid and tuple.locktype = 'tuple'
  where not lock.granted and lock.waitstart is not null`
const SAMPLE_EVERY_MS = 5

const sampleWaits = async (client: pg.Client, signal: AbortSignal): Promise<Sample[][]> => {
  const samples: Sample[][] = []
  while (!signal.aborted) {
    samples.push((await client.query<Sample>(WAITS)).rows)
    await wait(SAMPLE_EVERY_MS)
  }
  return samples
}
