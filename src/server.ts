// The HTTP server: accepts connections, runs background jobs, and stops gracefully.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#core/config.ts'
import { stopTracing } from '#core/tracing.ts'
import { closeDatabase } from '#database/db.ts'
import { finishCalls } from '#database/jobs/calls.ts'
import { type JobRunner, runJobs } from '#database/jobs/jobs.ts'
import type { Repeated } from '#database/repeated.ts'
import { startNumbering } from '#events/numbering.ts'
import { endStreams } from '#events/streams/open-streams.ts'
import { IDLE_MS, LONGEST_REQUEST_MS } from '#http/exchange.ts'
import { listenAt } from '#http/listen.ts'
import { createMetricsServer } from '#http/metrics-server.ts'
import { watchDelay } from '#http/overload.ts'
import { stopBeingReady } from '#http/readiness.ts'
import { startSending } from '#webhooks/sending/sender.ts'
import { app } from './app.ts'
import { keepPartitions } from './partitions.ts'
import { tasks } from './tasks.ts'

/** The time for a complete stop. Orchestrators commonly kill a process after ten seconds. */
const STOP_WITHIN_MS = 9_500
const CLOSE_STREAMS_EVERY_MS = 100

interface Served {
  readonly url: string
  /** Null if metrics are not served. */
  readonly metricsUrl: string | null
  /**
   * Reports that it is not ready, waits `delayMs` for load balancers to notice, stops accepting connections, finishes the running
   * requests and jobs, and closes the database pool. Takes at most ten seconds.
   */
  close(delayMs?: number): Promise<void>
}

interface Listening extends Served {
  /** Does nothing once the gateway stops. */
  runJobs(): Promise<void>
}

interface Ports {
  readonly port: number
  readonly metricsPort?: number | null
}

/** Listens and runs jobs. */
export const serve = async (ports: Ports): Promise<Served> => {
  const gateway = await listen(ports)
  await gateway.runJobs()
  return gateway
}

/** Listens, whether or not the database is reachable. Jobs are started separately. */
export const listen = async ({ port, metricsPort = null }: Ports): Promise<Listening> => {
  let isStopping = false
  let starting: Promise<void> | undefined
  let jobs: JobRunner | undefined
  let numbering: Repeated | undefined
  let sending: Repeated | undefined
  watchDelay()
  const server = createServer({ connectionsCheckingInterval: 1_000 }, (request, response) => {
    if (isStopping) response.setHeader('connection', 'close')
    app.listener(request, response)
  })
  // The listener sends `100 Continue` itself, after admission.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  // Node's defaults would let a slow or idle client hold its connection for minutes.
  server.headersTimeout = 5_000
  server.requestTimeout = LONGEST_REQUEST_MS
  server.keepAliveTimeout = 5_000
  // Closes the connection of a client that does not read its response.
  server.timeout = IDLE_MS
  server.maxConnections = config.maxConnections

  const url = await listenAt(server, 'PORT', port)
  const metrics = createMetricsServer()
  const metricsUrl = metricsPort === null ? null : `${await listenAt(metrics, 'METRICS_PORT', metricsPort)}/metrics`

  /** Clients may open streams again over the connections that they have. */
  const closeStreams = () => {
    endStreams()
    server.closeIdleConnections()
  }

  const startJobs = async () => {
    await keepPartitions()
    jobs = await runJobs(tasks)
    sending = startSending()
    numbering = startNumbering(sending.wake)
  }

  const stopWork = async () => {
    // The caller of `runJobs` reports a failure.
    await starting?.catch(() => {})
    await Promise.all([jobs?.stop().then(finishCalls), sending?.stop()])
  }

  const drain = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    closeStreams()
    const closing = setInterval(closeStreams, CLOSE_STREAMS_EVERY_MS)
    await Promise.all([closed, stopWork()])
    clearInterval(closing)
    await numbering?.stop()
    await closeDatabase()
    await stopTracing()
  }
  return {
    url,
    metricsUrl,
    runJobs: async () => {
      if (isStopping) return
      starting = startJobs()
      await starting
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
