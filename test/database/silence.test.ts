// A server that accepts connections and then says nothing must not hold queries for ever, not even on a connection that was idle before.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openPool } from '#database/connections.ts'
import { isOutage } from '#database/outage.ts'

const SILENCE_MS = 50

/** `AuthenticationOk` and `ReadyForQuery`, as messages of the protocol. */
const READY = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

test('a query at a silent server fails as an outage, and the next query has a new connection', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.once('data', () => socket.write(READY))
    socket.on('error', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
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
