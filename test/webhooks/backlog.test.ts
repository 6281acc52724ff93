// A platform with a long history or a long backlog costs as little as any other, and does not delay the others.
// Own process: sends what is due in the whole database.
// Not distributed: it counts the buffers of one Postgres.
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { numberEvents } from '#events/numbering.ts'
import { buffersOfPlan, planner } from '#test/setup/read-buffers.ts'
import { sentBy } from '#test/setup/sent-statements.ts'
import { changeAccounts, createAccounts, setEndpoint, statusesOf } from '#test/setup/webhooks/happenings.ts'
import { type Receiver, startReceiver } from '#test/setup/webhooks/receiver.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'
import { planDeliveries } from '#webhooks/fan-out.ts'

vi.hoisted(() => {
  process.env['WEBHOOK_ALLOW_PRIVATE'] = 'true'
})

const client = planner()
beforeAll(() => client.connect())
afterAll(() => client.end())

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const createReceiving = async (): Promise<Platform> => {
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  await numberEvents()
  await planDeliveries()
  return platform
}

/** Inserts numbered events of as many objects, spread over a month. */
const insertHistory = async ({ id }: Platform, count: number) => {
  await client.query(
    `insert into events (platform_id, id, position, type, object_kind, object_id, snapshot, created_at)
     select $1, overlay(gen_random_uuid()::text placing left(first_uuid_at(at)::text, 14) from 1 for 14)::uuid, last_position + n,
       'CARD.STATE_CHANGE', 'Card', gen_random_uuid(), '{}', at
     from event_streams, generate_series(1, $2::int) n, lateral (select now() - interval '28 days' * ($2::int - n) / $2::int) moment (at)
     where platform_id = $1`,
    [id, count],
  )
  await client.query('update event_streams set last_position = last_position + $2 where platform_id = $1', [id, count])
  await client.query('analyze events')
}

/** The buffers that a statement reads which `work` sends and which contains the text. */
const buffersOf = async (text: string, work: () => Promise<unknown>): Promise<number> => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const statement = sent.mock.calls.flatMap(([query]) => sentBy(query)).find((each) => each.text.includes(text))
  sent.mockRestore()
  if (!statement) throw new Error(`No statement contains ${text}`)
  await client.query('begin')
  try {
    return await buffersOfPlan(client, statement.text, statement.values ?? [])
  } finally {
    await client.query('rollback')
  }
}

it('planning reads only the events after the last one, however long the history is', async () => {
  const platform = await createReceiving()
  await insertHistory(platform, 30_000)
  await client.query(
    'update webhook_endpoints e set position = last_position - 3 from event_streams s where e.platform_id = $1 and s.platform_id = $1',
    [platform.id],
  )
  expect(await buffersOf('fresh as materialized', planDeliveries)).toBeLessThan(300)
  expect(await statusesOf(platform)).toEqual({ PENDING: 3 })
})

it('an endpoint far behind does not keep others waiting', async () => {
  const [behind, other] = [await createReceiving(), await createReceiving()]
  await insertHistory(behind, 2_000)
  await changeAccounts(other, await createAccounts(other, 1))
  await numberEvents()
  expect(await planDeliveries()).toBeGreaterThan(0)
  expect([await statusesOf(behind), await statusesOf(other)]).toEqual([{ PENDING: 500 }, { PENDING: 1 }])
})

it('an endpoint whose deliveries cannot be planned does not keep others waiting', async () => {
  const [broken, other] = [await createReceiving(), await createReceiving()]
  await client.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
     create trigger refused before insert on webhook_deliveries for each row
       when (new.platform_id = '${broken.id}') execute function refuse()`,
  )
  try {
    for (const platform of [broken, other]) await changeAccounts(platform, await createAccounts(platform, 1))
    await numberEvents()
    await planDeliveries()
    expect([await statusesOf(broken), await statusesOf(other)]).toEqual([{}, { PENDING: 1 }])
  } finally {
    await client.query('drop function refuse cascade')
  }
  await planDeliveries()
  expect(await statusesOf(broken)).toEqual({ PENDING: 1 })
})
