// What every peer needs: connections like the gateway's, the demo's platform, and answers to the bench.
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { usage } from '../usage.ts'

export const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 4 * availableParallelism(),
  options: '-c jit=off',
})

/** The peers do not authenticate, so they know the platform from the start. */
export const platformId = (await pool.query(`select id from platforms where name = 'demo'`)).rows[0].id

export const isListening = (url) => {
  process.on('message', () => process.send(usage()))
  process.on('disconnect', () => process.exit())
  process.send({ url, platformId })
}
