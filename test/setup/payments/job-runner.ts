// Jobs that leave traces, in this process and in others. This file is also the program of the other processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { db } from '#database/db.ts'
import { addJob, runJobs, type Task } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'

export type Told = { readonly name: string }

/** Records that a job began or ended. The row is written outside the job's transaction, so it stays when the job fails. */
const trace = (name: string, step: 'began' | 'ended') =>
  db.$executeRaw`insert into job_traces (name, step, pid) values (${name}, ${step}, ${process.pid}::int)`

export const createTraces = () => db.$executeRaw`
  create table job_traces (id int generated always as identity, name text, step text, pid int)`

export const tracesOf = (name: string) =>
  db.$queryRaw<{ name: string; step: string; pid: number }[]>`
    select name, step, pid from job_traces where name like ${`${name}%`} order by id`

export const quick: Task<Told> = {
  name: 'quick',
  run: async ({ name }) => {
    await trace(name, 'began')
    await trace(name, 'ended')
  },
}

/** Takes `SLOW_JOB_MS`, by default one second. */
export const slow: Task<Told> = {
  name: 'slow',
  run: async ({ name }) => {
    await trace(name, 'began')
    await wait(Number(process.env['SLOW_JOB_MS'] ?? 1_000))
    await trace(name, 'ended')
  },
}

/** Keeps the process busy for `SLOW_JOB_MS`: no timer fires, and nothing is sent or received. */
export const blocking: Task<Told> = {
  name: 'blocking',
  run: async ({ name }) => {
    await trace(name, 'began')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env['SLOW_JOB_MS'] ?? 1_000))
    await trace(name, 'ended')
  },
}

/** Fails the first time. */
export const failing: Task<Told> = {
  name: 'failing',
  run: async ({ name }) => {
    await trace(name, 'began')
    if ((await tracesOf(name)).length === 1) throw new Error('Fails the first time')
    await trace(name, 'ended')
  },
}

export const TASKS = [quick, slow, blocking, failing]

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** This file, compiled as the source is. Mutation testing compiles nothing before it starts. */
const PROGRAM = process.env['TESTS']
  ? ['--import', 'tsx', fileURLToPath(import.meta.url)]
  : [fileURLToPath(new URL('../../../.bundle-tests/job-runner.js', import.meta.url))]

/** Another process that runs these jobs; resolves once it does. It adds the slow job `ADD_SLOW` itself, if there is one. `kill` is SIGKILL, so that it cannot clean up. */
export const startRunner = async (settings: Record<string, string> = {}) => {
  const { PATH, DATABASE_URL, DATABASE_DIRECT_URL, MASTER_KEY, DATABASE_WAIT_MS } = process.env
  const child = spawn(process.execPath, PROGRAM, {
    env: { PATH, DATABASE_URL, DATABASE_DIRECT_URL, MASTER_KEY, DATABASE_WAIT_MS, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  const ended = once(child, 'exit').then(() => void running.delete(child))
  await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await ended
  }
  return { pid: child.pid ?? 0, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const jobs = await runJobs(TASKS)
  const name = process.env['ADD_SLOW']
  if (name !== undefined) await inTransaction((tx) => addJob(tx, slow, { name }))
  process.stdout.write('Running\n')
  process.once('SIGTERM', () => void jobs.stop().then(() => process.exit(0)))
}
