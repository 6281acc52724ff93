// A server that accepts connections and then says nothing must not hold queries for ever, not even on a connection that was idle before.
// Own process: runs the jobs of its whole database.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openPool } from '#database/connections.ts'
import { addJob } from '#database/jobs/jobs.ts'
import { migrate } from '#database/migrate.ts'
import { isOutage } from '#database/outage.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { createTraces, quick, startRunner, tracesOf } from '#test/setup/payments/job-runner.ts'

const SILENCE_MS = 50

/** `AuthenticationOk` and `ReadyForQuery`, as messages of the protocol. */
const READY = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

const listenOn = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

test('a query at a silent server fails as an outage, and the next query has a new connection', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.once('data', () => socket.write(READY))
    socket.on('error', () => {})
  })
  const port = await listenOn(server)
  const pool = openPool({ host: '127.0.0.1', port, user: 'anyone', ssl: false, max: 1 }, SILENCE_MS)
  for (const expected of [1, 2]) {
    const client = await pool.connect()
    await wait(2 * SILENCE_MS)
    client.release()
    const failure = await pool.query('select 1').catch((error: unknown) => error)
    expect(isOutage(failure), String(failure)).toBe(true)
    expect(connections).toBe(expected)
  }
  await pool.end()
  await new Promise((resolve) => server.close(resolve))
})

/** Passes connections on to the database. `silence` ends all communication on those that are open, without a word to either side. */
const startProxy = async () => {
  const database = new URL(process.env['DATABASE_DIRECT_URL'] ?? '')
  const pairs: Socket[][] = []
  const server = createServer((near) => {
    const far = connect(Number(database.port || 5432), database.hostname)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.on('close', () => far.destroy())
    near.pipe(far)
    far.pipe(near)
    pairs.push([near, far])
  })
  const url = new URL(database)
  url.host = `127.0.0.1:${await listenOn(server)}`
  return {
    url: url.href,
    silence: () => {
      for (const socket of pairs.splice(0).flat()) socket.unpipe().pause()
    },
    close: () => server.close(),
  }
}

test('jobs run again after all connections of a process have become silent', { timeout: 60_000 }, async () => {
  await createTraces()
  const proxy = await startProxy()
  const runner = await startRunner({ DATABASE_URL: proxy.url, DATABASE_DIRECT_URL: proxy.url })
  try {
    const add = async () => {
      const name = randomUUID()
      await inTransaction((tx) => addJob(tx, quick, { name }))
      await vi.waitFor(async () => expect(await tracesOf(name)).toHaveLength(2), { timeout: 40_000, interval: 50 })
    }
    await add()
    proxy.silence()
    await add()
  } finally {
    await runner.kill()
    proxy.close()
  }
})

test('a migration gives up at a server that accepts the connection and says nothing', async () => {
  const server = createServer((socket) => socket.on('error', () => {}))
  const url = `postgres://anyone@127.0.0.1:${await listenOn(server)}/any`
  const failure = await migrate(url).catch((error: unknown) => error)
  expect(isOutage(failure), String(failure)).toBe(true)
  server.close()
})
