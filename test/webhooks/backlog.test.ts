// A platform with a long history or a long backlog costs as little as any other, and does not delay the others.
// Own process: sends what is due in the whole database.
// Not distributed: it counts the buffers of one Postgres.
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { numberEvents } from '#events/numbering.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { buffersOfLastingPlan, buffersOfPlan, planner } from '#test/setup/read-buffers.ts'
import { sentBy } from '#test/setup/sent-statements.ts'
import { useSettings } from '#test/setup/settings.ts'
import { changeAccounts, createAccounts, setEndpoint, statusesOf } from '#test/setup/webhooks/happenings.ts'
import { type Receiver, startReceiver } from '#test/setup/webhooks/receiver.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'
import { planDeliveries } from '#webhooks/sending/fan-out.ts'
import { leaseLanes } from '#webhooks/sending/lease.ts'
import { startSending } from '#webhooks/sending/sender.ts'

useSettings({ webhookAllowPrivate: true })

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
  await insertToPlan(id)
  await client.query('analyze events')
}

const insertToPlan = (platformId: string) =>
  client.query(
    'insert into events_to_plan (platform_id, position) select platform_id, last_position from event_streams where platform_id = $1',
    [platformId],
  )

/** The statement with this text that `work` sends. */
const statementOf = async (text: string, work: () => Promise<unknown>) => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const statement = sent.mock.calls.flatMap(([query]) => sentBy(query)).find((each) => each.text.includes(text))
  sent.mockRestore()
  if (!statement) throw new Error(`No statement contains ${text}`)
  return statement
}

/** The buffers that the statement reads now, with the worse of its plans for these and for all values. It changes nothing. */
const buffersOf = async ({ text, values = [] }: Awaited<ReturnType<typeof statementOf>>): Promise<number> => {
  const buffers: number[] = []
  for (const read of [buffersOfPlan, buffersOfLastingPlan]) {
    await client.query('begin')
    try {
      buffers.push(await read(client, text, values))
    } finally {
      await client.query('rollback')
    }
  }
  return Math.max(...buffers)
}

it('planning reads only the events after the last one, however long the history is', async () => {
  const platform = await createReceiving()
  await insertHistory(platform, 30_000)
  const stayBehind = () =>
    client.query(
      'update webhook_endpoints e set position = last_position - 3 from event_streams s where e.platform_id = $1 and s.platform_id = $1',
      [platform.id],
    )
  await stayBehind()
  const planning = await statementOf('fresh as materialized', planDeliveries)
  expect(await statusesOf(platform)).toEqual({ PENDING: 3 })
  await stayBehind()
  expect(await buffersOf(planning)).toBeLessThan(300)
})

it('an endpoint far behind does not keep others waiting', async () => {
  const [behind, other] = [await createReceiving(), await createReceiving()]
  await insertHistory(behind, 2_000)
  await changeAccounts(other, await createAccounts(other, 1))
  await numberEvents()
  expect(await planDeliveries()).toBeGreaterThan(0)
  expect([await statusesOf(behind), await statusesOf(other)]).toEqual([{ PENDING: 500 }, { PENDING: 1 }])
})

it('a disabled endpoint costs nothing, and continues where it stopped when it is set again', async () => {
  const platform = await createReceiving()
  const accounts = await createAccounts(platform, 1)
  const toPlan = async () =>
    (await client.query('select from events_to_plan where platform_id = $1', [platform.id])).rowCount
  await changeAccounts(platform, accounts)
  await numberEvents()
  await client.query(
    `update webhook_endpoints set status = 'DISABLED', disabled_reason = 'GONE' where platform_id = $1`,
    [platform.id],
  )
  await planDeliveries()
  await changeAccounts(platform, accounts)
  await numberEvents()
  expect([await statusesOf(platform), await toPlan()]).toEqual([{}, 0])
  await setEndpoint(platform, receiver.url)
  await numberEvents()
  await planDeliveries()
  expect([await statusesOf(platform), await toPlan()]).toEqual([{ PENDING: 2 }, 0])
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

/** Inserts this many objects with a waiting event each, due in as many seconds. */
const insertWaiting = async ({ id }: Platform, count: number, seconds: number) => {
  await client.query(
    `with planned as (
       insert into webhook_deliveries (platform_id, id, event_id, type, position, lane, give_up_at)
       select $1, time_ordered_uuid(), gen_random_uuid(), 'CARD.STATE_CHANGE', n, gen_random_uuid(), now() + interval '7 days'
       from generate_series(1, $2::int) n returning lane
     ) insert into webhook_lanes (platform_id, lane, due_at, tries)
       select $1, lane, now() + make_interval(secs => $3::int), case when $3::int > 0 then 9 else 0 end from planned`,
    [id, count, seconds],
  )
  await client.query('analyze webhook_lanes, webhook_deliveries')
}

const suspend = ({ id }: Platform, minutes: number) =>
  client.query(
    `update webhook_endpoints set status = 'SUSPENDED', failures = 20, failing_since = now(), probe_at = now() + make_interval(mins => $2::int)
     where platform_id = $1`,
    [id, minutes],
  )

/** The lanes that are due, those that became due in the last minute, and those that wait. */
const lanesOf = async ({ id }: Platform) => {
  const { rows } = await client.query(
    `select count(*) filter (where due_at <= now() - interval '1 minute')::int as due, count(*) filter (where due_at > now())::int as waiting,
       count(*) filter (where due_at > now() - interval '1 minute' and due_at <= now())::int as opened
     from webhook_lanes where platform_id = $1`,
    [id],
  )
  return rows[0]
}

it('a turn reads few lanes, however many wait for a suspended endpoint', async () => {
  await client.query('delete from webhook_lanes')
  const platform = await createReceiving()
  await insertWaiting(platform, 20_000, -3_600)
  await suspend(platform, 30)
  const turn = () => leaseLanes(25, 8)
  const finding = await statementOf('select e.platform_id, environment', turn)
  expect(await buffersOf(finding)).toBeLessThan(100)
  await suspend(platform, 0)
  const leasing = await statementOf('with open as materialized', turn)
  // One lane of the endpoint is tried.
  const { rows } = await client.query('select from webhook_lanes where platform_id = $1 and is_leased', [platform.id])
  expect(rows).toHaveLength(1)
  await suspend(platform, 0)
  for (const statement of [finding, leasing]) expect(await buffersOf(statement)).toBeLessThan(100)
})

it('a success resumes a suspended endpoint by ending pauses, and leaves events alone that are already due', async () => {
  const platform = await createReceiving()
  await insertWaiting(platform, 20_000, -3_600)
  await insertWaiting(platform, 3_000, 1_800)
  await suspend(platform, 30)
  expect((await send(platform, 'POST', '/sandbox/webhooks/test')).body.response_status).toBe(200)
  const { body } = await callGraphQL(basic(platform), '{ webhookEndpoint { status } }', {})
  expect(body.data.webhookEndpoint.status).toBe('ENABLED')
  expect(await lanesOf(platform)).toEqual({ due: 20_000, opened: 2_000, waiting: 1_000 })
})

it('a removal skips pending deliveries in parts, and a new endpoint receives none of them', async () => {
  const platform = await createReceiving()
  await insertWaiting(platform, 6_000, 0)
  const set = (webhookEndpoint: string | null) => send(platform, 'PATCH', '/config', { webhookEndpoint })
  expect((await set(null)).body).not.toHaveProperty('webhookEndpoint')
  expect(await statusesOf(platform)).toEqual({ SKIPPED: 2_000, PENDING: 4_000 })
  expect((await leaseLanes(25, 8)).filter(({ platformId }) => platformId === platform.id)).toEqual([])
  expect(await set(receiver.url)).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  await passTime(platform.id)
  expect(await statusesOf(platform)).toEqual({ SKIPPED: 6_000 })
  expect(await lanesOf(platform)).toEqual({ due: 0, opened: 0, waiting: 0 })
  expect((await set(receiver.url)).status).toBe(200)
})

it('an endpoint whose events cannot be signed, or whose lanes cannot be leased, does not keep others waiting', async () => {
  const [broken, refused, other] = [await createReceiving(), await createReceiving(), await createReceiving()]
  await client.query('delete from webhook_lanes')
  await client.query(`update webhook_endpoints set sealed_key = 'broken' where platform_id = $1`, [broken.id])
  await client.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
     create trigger refused before update on webhook_lanes for each row
       when (new.platform_id = '${refused.id}') execute function refuse()`,
  )
  const sending = startSending()
  try {
    for (const platform of [broken, refused, other]) await changeAccounts(platform, await createAccounts(platform, 4))
    await numberEvents()
    sending.wake()
    await expect.poll(() => statusesOf(other)).toEqual({ DELIVERED: 4 })
    // They wait for a retry and are not leased.
    const tries = async () => {
      const { rows } = await client.query('select min(tries)::int as tries from webhook_lanes where platform_id = $1', [
        broken.id,
      ])
      return rows[0].tries
    }
    await expect.poll(tries).toBeGreaterThan(0)
  } finally {
    await sending.stop()
    await client.query('drop function refuse cascade')
  }
})

it('planning and a turn read none of the endpoints that have nothing to send', async () => {
  await client.query('delete from webhook_lanes')
  await client.query(`
    with made as (insert into platforms (id, name, environment) select gen_random_uuid(), 'Test', 'SANDBOX' from generate_series(1, 10000) returning id)
    insert into webhook_endpoints (platform_id, url, status, position, public_key, sealed_key, sealed_secret)
    select id, 'http://127.0.0.1/', 'ENABLED', 0, '', '', '' from made`)
  const platform = await createReceiving()
  await insertWaiting(platform, 1, -3_600)
  await client.query('vacuum analyze webhook_endpoints, webhook_lanes, platforms, event_streams, events_to_plan')
  await changeAccounts(platform, await createAccounts(platform, 1))
  await numberEvents()
  const findingNew = await statementOf('order by random()', planDeliveries)
  expect(await statusesOf(platform)).toEqual({ PENDING: 2 })
  expect(await buffersOf(findingNew)).toBeLessThan(100)
  const finding = await statementOf('select e.platform_id, environment', () => leaseLanes(25, 8))
  expect(await buffersOf(finding)).toBeLessThan(100)
})
