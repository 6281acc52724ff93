// Starts the database, the migrations and the gateway in this order, and stops them in reverse.
import { EventEmitter, once } from 'node:events'
import { inspect } from 'node:util'
import { openDatabase } from './database.ts'
import type * as Gateway from './serve.ts'
import { step } from './step.ts'

/**
 * `loadGateway` returns what serves from the database. The first time, its code is generated and bundled, which takes as long as creating the
 * database and migrating it, so both run at once.
 */
export const start = async (loadGateway: () => Promise<typeof Gateway>, options: Gateway.Options) => {
  // Writing to a closed pipe must not end the gateway.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  const signals = stopSignals()
  const stopAsked = once(signals, 'stop').then(() => undefined)
  const opening = step('Opening the database', openDatabase)
  // Both load while the database starts.
  const migrations = import('#database/migrate.ts')
  const loading = loadGateway()
  // A failure is reported once the database is open.
  loading.catch(() => {})
  const serve = async () => {
    const database = await Promise.race([opening, stopAsked])
    if (!database) return undefined
    const [gateway] = await step('Migrating and loading the gateway', () =>
      Promise.all([loading, migrations.then(({ migrate }) => migrate(database.url))]),
    )
    return gateway.serveFrom(database, options)
  }
  try {
    const server = await Promise.race([serve(), stopAsked])
    if (server) {
      await stopAsked
      console.log('Stopping after the running requests. Press Ctrl-C again to stop at once.')
      await Promise.race([server.close(), once(signals, 'stop')])
    }
  } catch (error) {
    // A plain Error has a message for the user. Any other error is a bug and needs its stack.
    const isPlain = error instanceof Error && error.name === 'Error'
    console.error(`failed\n${isPlain ? error.message : inspect(error)}`)
    process.exitCode = 1
  } finally {
    await opening.then(
      (database) => database.stop(),
      () => {},
    )
  }
  process.exit()
}

/** One Ctrl-C arrives twice, from the terminal and from npm, so signals within a second count as one. */
const stopSignals = () => {
  const signals = new EventEmitter()
  let last = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => {
      if (Date.now() - last > 1000) signals.emit('stop')
      last = Date.now()
    })
  return signals
}
