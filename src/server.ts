// The listening gateway: starts, runs jobs in the background, and stops with nothing lost.
import { createServer } from 'node:http'
import { closeDatabase } from '#core/db.ts'
import { runJobs } from '#core/jobs.ts'
import { app } from './app.ts'
import { tasks } from './tasks.ts'

const DRAIN_FOR_MS = 10_000

export interface Served {
  readonly url: string
  /** Takes no more connections, finishes what is under way, for ten seconds at most, then lets go of the database. */
  close(): Promise<void>
}

export const serve = async ({ port }: { port: number }): Promise<Served> => {
  let isClosing = false
  const server = createServer((request, response) => {
    if (isClosing) response.setHeader('connection', 'close')
    app.listener(request, response)
  })
  // Node's own limits are minutes: a slow or idle client would hold its connection that long.
  server.headersTimeout = 5_000
  server.requestTimeout = 15_000
  server.keepAliveTimeout = 5_000

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, resolve)
  })
  const address = server.address()
  const jobs = await runJobs(tasks)

  return {
    url: `http://localhost:${address && typeof address === 'object' ? address.port : port}`,
    close: async () => {
      isClosing = true
      const jobsStopped = jobs.stop()
      const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_FOR_MS)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      })
      clearTimeout(cutOff)
      await jobsStopped
      await closeDatabase()
    },
  }
}
