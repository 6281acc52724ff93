// The listening gateway: takes connections, runs jobs in the background, and stops with nothing lost.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#core/config.ts'
import { stopTracing } from '#core/tracing.ts'
import { closeDatabase } from '#database/db.ts'
import { type JobRunner, runJobs } from '#database/jobs.ts'
import { listenAt } from '#http/listen.ts'
import { createMetricsServer } from '#http/metrics-server.ts'
import { watchDelay } from '#http/overload.ts'
import { stopBeingReady } from '#http/readiness.ts'
import { app } from './app.ts'
import { tasks } from './tasks.ts'

/** All of a stop, so that nobody has to kill the process: an orchestrator that waits ten seconds sees it end by itself. */
const STOP_WITHIN_MS = 9_500

export interface Served {
  readonly url: string
  /** Null when there is no port for them. */
  readonly metricsUrl: string | null
  /**
   * Says that it is not ready, waits `delayMs` for others to see that, takes no more connections, finishes what is under way, then
   * lets go of the database. Within ten seconds.
   */
  close(delayMs?: number): Promise<void>
}

interface Listening extends Served {
  runJobs(): Promise<void>
}

interface Ports {
  readonly port: number
  readonly metricsPort?: number | null
}

/** Listening and working. */
export const serve = async (ports: Ports): Promise<Served> => {
  const gateway = await listen(ports)
  await gateway.runJobs()
  return gateway
}

/** Answers as soon as it can, whether or not there is a database. */
export const listen = async ({ port, metricsPort = null }: Ports): Promise<Listening> => {
  let isStopping = false
  let jobs: JobRunner | undefined
  watchDelay()
  const server = createServer({ connectionsCheckingInterval: 1_000 }, (request, response) => {
    if (isStopping) response.setHeader('connection', 'close')
    app.listener(request, response)
  })
  // Whether a body is wanted is for us to say.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  // Node's own limits are minutes: a slow or idle client would hold its connection that long.
  server.headersTimeout = 5_000
  server.requestTimeout = 15_000
  server.keepAliveTimeout = 5_000
  // Of a client that does not read its answer.
  server.timeout = 15_000
  server.maxConnections = config.maxConnections

  const url = await listenAt(server, 'PORT', port)
  const metrics = createMetricsServer()
  const metricsUrl = metricsPort === null ? null : `${await listenAt(metrics, 'METRICS_PORT', metricsPort)}/metrics`

  const drain = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    await Promise.all([closed, jobs?.stop()])
    await closeDatabase()
    await stopTracing()
  }
  return {
    url,
    metricsUrl,
    runJobs: async () => {
      jobs = await runJobs(tasks)
    },
    close: async (delayMs = 0) => {
      isStopping = true
      stopBeingReady()
      await wait(delayMs)
      await Promise.race([drain(), wait(STOP_WITHIN_MS - delayMs)])
      server.closeAllConnections()
      metrics.close()
      metrics.closeAllConnections()
    },
  }
}
