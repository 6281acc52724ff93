// Seeds the demo and bulk transactions into the database that the gateway uses.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '#database/migrate.ts'
import { seedTransactions } from './bulk.ts'
import { ask, openDatabase } from './database.ts'
import { seedDemo } from './demo.ts'
import { progressOf } from './progress.ts'

type Options = { transactions: number; platform: string }

export const seed = async ({ transactions, platform }: Options) => {
  try {
    const database = (await runningDatabase()) ?? (await openDatabase())
    try {
      await migrate(database.url)
      await seedDemo(database.url)
      console.log('The demo exists.')
      if (transactions === 0) return
      await seedTransactions(database.url, {
        count: transactions,
        platform,
        onProgress: progressOf(process.stdout),
      })
    } finally {
      await database.stop()
    }
  } catch (error) {
    // A plain Error has a message for the user. Any other error is a bug and needs its stack.
    console.error(error instanceof Error && error.name === 'Error' ? error.message : error)
    process.exitCode = 1
  }
}

/** The server of a running `npm start`, because only one process can use the folder. */
const runningDatabase = async () => {
  const { DATABASE_URL } = process.env
  if (DATABASE_URL) return undefined
  const { openDataFolder } = await import('./postgres-home.ts')
  const url = await readFile(join(openDataFolder(), 'postgres/url'), 'utf8').catch(() => undefined)
  const answers = url && (await ask(url, 'true').catch(() => false))
  return answers ? { url, stop: async () => {} } : undefined
}
