// Measures payments, and a gateway without requests, while a million jobs wait for their time.
import { setTimeout as wait } from 'node:timers/promises'
import { median } from '../report.ts'
import { PAYMENTS, payAll } from '../writes.ts'
import { cpuBetween, cpuOf, type Side, withSides } from './sides.ts'

const ROUNDS = 5
const IDLE_MS = 5_000

export interface WaitingJobs {
  /** Payments per second with the waiting jobs, divided by those without: the median of the rounds. */
  readonly payments: number
  /** Milliseconds of CPU of Postgres per second of a gateway without requests: with the waiting jobs, and without. */
  readonly idle: number
  readonly idleWithout: number
}

const TASK = `insert into graphile_worker._private_tasks (identifier) values ('expireQuote') on conflict do nothing`
const JOBS = `
  insert into graphile_worker._private_jobs (task_id, payload, run_at)
  select id, json_build_object('platformId', gen_random_uuid(), 'quoteId', gen_random_uuid()), now() + interval '1 day' + n * interval '1 second'
  from graphile_worker._private_tasks, generate_series(1, 1000000) n where identifier = 'expireQuote'`

export const measureWaitingJobs = (databaseUrl: string): Promise<WaitingJobs> =>
  withSides(databaseUrl, [['without'], ['with']], async (without, full) => {
    await full.client.query(TASK)
    await full.client.query(JOBS)
    await full.client.query('vacuum analyze graphile_worker._private_jobs')
    const ratios: number[] = []
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const before = await paymentsPerSecond(without)
      const after = await paymentsPerSecond(full)
      if (round > 0) ratios.push(after / before)
    }
    return { payments: median(ratios), idle: await idleCost(full), idleWithout: await idleCost(without) }
  })

const paymentsPerSecond = async ({ client, gateways: [gateway], paying }: Side): Promise<number> => {
  const began = performance.now()
  await payAll(client, gateway?.hello.url ?? '', { ...paying, payers: paying.payers.slice(0, 16) })
  return (PAYMENTS * 1_000) / (performance.now() - began)
}

const idleCost = async (side: Side): Promise<number> => {
  const before = await cpuOf(side)
  await wait(IDLE_MS)
  return (cpuBetween(before, await cpuOf(side)).postgres * 1_000) / IDLE_MS
}
