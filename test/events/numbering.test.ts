// One process at a time numbers the events of all platforms. None waits for another, and no platform for another.
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { numberEvents } from '#events/numbering.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { changeAccounts, createAccounts, setEndpoint } from '#test/setup/webhooks/happenings.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

useSettings({ webhookAllowPrivate: true })

const other = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'] })
beforeAll(async () => {
  await other.connect()
  // The events of earlier files are numbered too.
  await vi.waitFor(async () => expect(await numberEvents()).toEqual({ events: 0, isIncomplete: false }))
})
afterAll(() => other.end())

const happen = async (platform: Platform) => changeAccounts(platform, await createAccounts(platform, 1))

const countOf = async (platform: Platform) => (await send(platform, 'GET', '/webhooks/events')).body.data.length

/** Another process runs the statement, and commits when the returned function is called. */
const elsewhere = async (statement: string) => {
  await other.query('begin')
  await other.query(statement)
  return () => other.query('commit')
}

/** As the test of an endpoint does. */
const numberElsewhere = ({ id }: Platform) => elsewhere(`select number_events_of('${id}', 1000, true)`)

it('while another process numbers events, this one leaves them all to it, and looks again later', async () => {
  const [first, second] = [await createPlatform(), await createPlatform()]
  await happen(first)
  const commit = await elsewhere(`select number_events(1000, '00000000-0000-0000-0000-000000000000')`)
  // The other process does not see this one.
  await happen(second)
  expect(await numberEvents()).toEqual({ events: 0, isIncomplete: true })
  await commit()
  expect(await countOf(first)).toBe(1)
  expect(await numberEvents()).toEqual({ events: 1, isIncomplete: false })
  expect(await countOf(second)).toBe(1)
})

it('a platform whose endpoint is being tested is left for the next time, and other platforms are numbered', async () => {
  const [busy, free] = [await createPlatform(), await createPlatform()]
  await happen(busy)
  const commit = await numberElsewhere(busy)
  // The other process does not see this one.
  await happen(busy)
  await happen(free)
  expect(await numberEvents()).toEqual({ events: 1, isIncomplete: true })
  expect([await countOf(busy), await countOf(free)]).toEqual([0, 1])
  await commit()
  expect(await numberEvents()).toEqual({ events: 1, isIncomplete: false })
  expect(await countOf(busy)).toBe(2)
})

// On one Postgres only: the coordinator does not know who waits at another node.
it.skipIf(isDistributed)('a test of the endpoint waits until its event is numbered', async () => {
  const receiver = await startReceiver()
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const commit = await numberElsewhere(platform)
  const tested = send(platform, 'POST', '/sandbox/webhooks/test')
  const isWaiting = async () => {
    const { rows } = await other.query(
      'select from pg_stat_activity where datname = current_database() and pg_backend_pid() = any(pg_blocking_pids(pid))',
    )
    return rows.length > 0
  }
  await expect.poll(isWaiting).toBe(true)
  expect(receiver.received).toEqual([])
  await commit()
  expect((await tested).body).toMatchObject({ response_status: 200 })
  receiver.close()
})

it('a platform with more events than a call numbers does not keep others waiting', async () => {
  const [first, last] = [await createPlatform(), await createPlatform()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await changeAccounts(first as Platform, await createAccounts(first as Platform, 1_200))
  await happen(last as Platform)
  expect(await numberEvents()).toEqual({ events: 1_001, isIncomplete: true })
  expect(await countOf(last as Platform)).toBe(1)
  expect(await numberEvents()).toEqual({ events: 200, isIncomplete: false })
})
