// The listening gateway: takes connections, runs jobs in the background, and stops with nothing lost.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#core/config.ts'
import { StartProblem } from '#core/environment.ts'
import { stopTracing } from '#core/tracing.ts'
import { closeDatabase } from '#database/db.ts'
import { type JobRunner, runJobs } from '#database/jobs.ts'
import { watchDelay } from '#http/overload.ts'
import { stopBeingReady } from '#http/readiness.ts'
import { app } from './app.ts'
import { tasks } from './tasks.ts'

/** All of a stop, so that nobody has to kill the process: an orchestrator that waits ten seconds sees it end by itself. */
const STOP_WITHIN_MS = 9_500

export interface Served {
  readonly url: string
  /**
   * Says that it is not ready, waits `delayMs` for others to see that, takes no more connections, finishes what is under way, then
   * lets go of the database. Within ten seconds.
   */
  close(delayMs?: number): Promise<void>
}

interface Listening extends Served {
  runJobs(): Promise<void>
}

/** Listening and working. */
export const serve = async ({ port }: { port: number }): Promise<Served> => {
  const gateway = await listen({ port })
  await gateway.runJobs()
  return gateway
}

/** Answers as soon as it can, whether or not there is a database. */
export const listen = async ({ port }: { port: number }): Promise<Listening> => {
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

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartProblem(
          error.code === 'EADDRINUSE'
            ? `PORT ${port} is taken: another process serves there. Choose another, or 0 for any that is free.`
            : `PORT must be one to serve at: ${error.message}`,
        ),
      ),
    )
    server.listen(port, resolve)
  })
  const address = server.address()

  const drain = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    await Promise.all([closed, jobs?.stop()])
    await closeDatabase()
    await stopTracing()
  }
  return {
    url: `http://localhost:${address && typeof address === 'object' ? address.port : port}`,
    runJobs: async () => {
      jobs = await runJobs(tasks)
    },
    close: async (delayMs = 0) => {
      isStopping = true
      stopBeingReady()
      await wait(delayMs)
      await Promise.race([drain(), wait(STOP_WITHIN_MS - delayMs)])
      server.closeAllConnections()
    },
  }
}
