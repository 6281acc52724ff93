// Runs the gateway in production: listens, migrates the database once it is reachable, runs jobs, and stops on a signal or a fault.
import { setTimeout as wait } from 'node:timers/promises'
import { writeCompileCache } from '#core/compile-cache.ts'
import { config } from '#core/config.ts'
import { logFailure, logLife, logNoDatabase } from '#core/log.ts'
import { startTracing } from '#core/tracing.ts'
import { checkConnections } from '#database/connection-check.ts'
import { migrate } from '#database/migrate.ts'
import { causeOfOutage } from '#database/outage.ts'
import { hasReplicas } from '#database/replicas/reading.ts'
import { trackChanges } from '#database/replicas/tracking.ts'
import { measureProcess } from '#http/metrics.ts'
import { checkMasterKey, recordMasterKey } from './master-key.ts'
import { listen } from './server.ts'

const TRY_EVERY_MS = 500

export const runGateway = async () => {
  // The gateway outlives the readers of its output. Otherwise each error of a closed pipe would be logged to it and cause the next one.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  measureProcess()
  await startTracing()
  // Before it listens, unless the database is not reachable yet.
  const isChecked = (await outageIn(checkDatabase)) === undefined
  const gateway = await listen(config)
  process.stdout.write(`Serving ${gateway.url}\n`)
  if (gateway.metricsUrl !== null) process.stdout.write(`Metrics ${gateway.metricsUrl}\n`)
  logLife('serving')

  let isStopping = false
  const stop = async (exitCode: number, delayMs: number) => {
    if (isStopping) return
    isStopping = true
    logLife('stopping')
    await gateway.close(delayMs).catch((error) => logFailure({ task: 'stop' }, error))
    logLife('stopped')
    process.exit(exitCode)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0, config.stopDelayMs))
  // The state of the process is unknown after such a fault, so stop and let the supervisor start a new one.
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error) => {
      logFailure({ task: 'process' }, error)
      void stop(1, 0)
    })
  }

  try {
    if (!isChecked) await whenReachable(checkDatabase)
    await whenReachable(() => migrate(config.directDatabaseUrl))
    await whenReachable(recordMasterKey)
    logLife('migrated')
    await whenReachable(() => gateway.runJobs())
    if (hasReplicas) await whenReachable(trackChanges)
    writeCompileCache()
  } catch (error) {
    // A gateway that stops closes the connections on which it was still starting.
    if (!isStopping) throw error
  }
}

const checkDatabase = async () => {
  await checkConnections()
  await checkMasterKey()
}

/** Does the work, or returns the cause of the outage that prevents it. */
const outageIn = async (work: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await work()
    return undefined
  } catch (error) {
    const cause = causeOfOutage(error)
    if (cause === undefined) throw error
    return cause
  }
}

const whenReachable = async (work: () => Promise<unknown>) => {
  for (let cause = await outageIn(work); cause !== undefined; cause = await outageIn(work)) {
    logNoDatabase(cause)
    await wait(TRY_EVERY_MS)
  }
}
