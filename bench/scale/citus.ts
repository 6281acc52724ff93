// Compares a page and a count of a database that Citus distributes over two workers with those of one that is not distributed.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { distribute } from '#database/distribution/distribute.ts'
import { migrate } from '#database/migrate.ts'
import { seedTransactions } from '../../dev/bulk.ts'
import { seedDemo } from '../../dev/demo.ts'
import { hasCitus, startCitus } from '../../test/setup/citus.ts'
import { ratioOf } from '../growth.ts'
import { startWorker } from '../workers.ts'

export interface Distributed {
  /** Time on Citus, divided by that on one Postgres of the same version. */
  readonly page: number
  readonly count: number
}

const BATCHES = 32

/** Null without the programs of Citus. */
export const measureCitus = async (rows: number): Promise<Distributed | null> => {
  if (!hasCitus) return null
  const fill = async (url: string) => {
    await migrate(url)
    await seedDemo(url)
    await seedTransactions(url, { count: rows })
  }
  const citus = await startCitus(fill)
  try {
    const { url } = citus.coordinator
    await distribute(url, () => {})
    const plainUrl = new URL('/plain', url).href
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('create database plain')
    await client.end()
    await fill(plainUrl)
    const environment = { MASTER_KEY: randomBytes(32).toString('base64') }
    const plain = await startWorker<string[]>('pages.ts', { ...environment, DATABASE_URL: plainUrl })
    const distributed = await startWorker<string[]>('pages.ts', { ...environment, DATABASE_URL: url })
    try {
      return {
        page: await ratioOf(plain, distributed, 0, BATCHES),
        count: await ratioOf(plain, distributed, 'count', BATCHES),
      }
    } finally {
      await Promise.all([plain.stop(), distributed.stop()])
    }
  } finally {
    await citus.stop()
  }
}
