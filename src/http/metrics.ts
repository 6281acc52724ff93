// Prometheus metrics of this process, and of the jobs in the database. Label values are names from the source, so their number is bounded.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Answered } from '#core/log.ts'
import { servingPools } from '#database/db.ts'
import { secondsOfOldestDueJob } from '#database/jobs/due-jobs.ts'
import { countFailedJobs } from '#database/jobs/failed-jobs.ts'
import { hasReplicas, readsAt } from '#database/replicas/reading.ts'

const register = new Registry()

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the request to the last byte of the response. Status 499: the client disconnected first.',
  labelNames: ['face', 'method', 'operation', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [register],
})

new Gauge({
  name: 'database_connections',
  help: 'PostgreSQL connections by state (idle, busy), and the number of requests waiting for one (awaited).',
  labelNames: ['state'],
  registers: [register],
  collect() {
    this.reset()
    for (const { totalCount, idleCount, waitingCount } of servingPools) {
      this.inc({ state: 'idle' }, idleCount)
      this.inc({ state: 'busy' }, totalCount - idleCount)
      this.inc({ state: 'awaited' }, waitingCount)
    }
  },
})

new Gauge({
  name: 'failed_jobs',
  help: 'Jobs in the database that have failed for the last time, by task. Every process reports the same. The command retry-jobs runs them again.',
  labelNames: ['task'],
  registers: [register],
  async collect() {
    this.reset()
    // Reports no figure while the database does not respond.
    for (const { task, count } of await countFailedJobs().catch(() => [])) this.set({ task }, count)
  },
})

new Gauge({
  name: 'oldest_due_job_seconds',
  help: 'For how long the oldest job in the database that no process runs has been due. Every process reports the same.',
  registers: [register],
  async collect() {
    this.reset()
    this.set(await secondsOfOldestDueJob().catch(() => Number.NaN))
  },
})

if (hasReplicas)
  new Counter({
    name: 'reads_total',
    help: 'Requests that only read, by the node that they read at (primary, replica).',
    labelNames: ['node'],
    registers: [register],
    collect() {
      this.reset()
      for (const [node, count] of Object.entries(readsAt)) this.inc({ node }, count)
    },
  })

export const countRequest = ({ face, method, operation = 'none', status, milliseconds }: Answered) =>
  requests.observe({ face, method, operation, status }, milliseconds / 1000)

/** Adds metrics of the event loop, memory and garbage collection. */
export const measureProcess = () => collectDefaultMetrics({ register })

export const readMetrics = async () => ({ type: register.contentType, text: await register.metrics() })
