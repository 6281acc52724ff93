// Events are sent to the endpoint of their platform (docs/domain/events.md#delivery).
import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createPayer, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import {
  changeAccounts,
  createAccounts,
  endpointOf,
  passWaits,
  setEndpoint,
  statusesOf,
  toldOf,
} from '#test/setup/webhooks/happenings.ts'
import { type Received, type Receiver, startReceiver } from '#test/setup/webhooks/receiver.ts'
import { useSending } from '#test/setup/webhooks/sending.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

useSending()

const receivers: Receiver[] = []
const receive = async (...answer: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...answer)
  receivers.push(receiver)
  return receiver
}
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close()
})

const untilAllAre = (platform: Platform, expected: Record<string, number>) =>
  expect.poll(() => statusesOf(platform)).toEqual(expected)
const idsOf = (received: readonly Received[]) => received.map(({ id }) => id)

it('sends the events of a payment in the order of its states, as in the history', async () => {
  const receiver = await receive()
  const { platform, dollars, outside } = await createPayer()
  await setEndpoint(platform, receiver.url)
  const { body } = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 500))
  await passTime(platform.id)
  const told = async () => (await toldOf(platform)).get(body.id) ?? []
  await expect.poll(async () => (await told()).length).toBe(3)
  await expect
    .poll(async () => idsOf(receiver.received.filter(({ subject }) => subject === body.id)))
    .toEqual(await told())
  for (const { id, text, headers } of receiver.received) {
    const { cursor: _, ...envelope } = (await send(platform, 'GET', `/webhooks/events/${id}`)).body
    expect(JSON.parse(text)).toEqual(envelope)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': id,
      'x-service-hop': '1',
      connection: 'keep-alive',
    })
  }

  // Both faces show how.
  const [delivery] = (await send(platform, 'GET', `/webhooks/deliveries?sortOrder=asc&subjectId=${body.id}`)).body.data
  expect(delivery).toMatchObject({
    eventId: (await told())[0],
    status: 'DELIVERED',
    attempts: [{ trigger: 'SCHEDULE', responseStatus: 200 }],
  })
  const { body: graphql } = await callGraphQL(
    basic(platform),
    `query ($id: ID!) { webhookDeliveries(filter: { subjectId: $id }, sortOrder: ASC) { totalCount nodes {
      id eventId type: eventType status: deliveryStatus createdAt doneAt nextAttemptAt event { id delivery { id } }
      attempts { at milliseconds trigger responseStatus responseBody failure } } } }`,
    { id: body.id },
  )
  expect(graphql.errors).toBeUndefined()
  expect(graphql.data.webhookDeliveries.totalCount).toBe(3)
  const [{ event, ...node }] = graphql.data.webhookDeliveries.nodes
  expect(event).toEqual({ id: delivery.eventId, delivery: { id: delivery.id } })
  expect(node).toEqual({
    ...delivery,
    type: delivery.type.replace('.', '_'),
    nextAttemptAt: null,
    attempts: [{ ...delivery.attempts[0], failure: null }],
  })
})

it('retries with the same id and body, with growing pauses, until the event is accepted', async () => {
  const receiver = await receive((_one, nth) =>
    nth === 3 ? { status: 503, headers: { 'retry-after': '120' } } : nth < 5 ? 500 : 409,
  )
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const accounts = await createAccounts(platform, 1)
  await changeAccounts(platform, accounts)
  const ladder = [5, 10, 120, 40]
  for (const [index, seconds] of ladder.entries()) {
    await expect.poll(() => receiver.received.length).toBe(index + 1)
    const next = async () => {
      const [delivery] = (await send(platform, 'GET', '/webhooks/deliveries')).body.data
      return delivery.attempts.length === index + 1 ? (Date.parse(delivery.nextAttemptAt) - Date.now()) / 1000 : 0
    }
    await expect.poll(next).toBeGreaterThan(seconds * 0.8 - 2)
    expect(await next()).toBeLessThan(seconds * 1.2 + 1)
    await passWaits(platform)
  }
  await untilAllAre(platform, { DELIVERED: 1 })
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
  expect(new Set(idsOf(receiver.received)).size).toBe(1)
})

it('does not suspend an endpoint that is served by several servers, of which one fails', async () => {
  let failing: number | undefined
  const receiver = await receive(({ connection }) => {
    failing ??= connection
    return connection === failing ? 503 : 200
  })
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const accounts = await createAccounts(platform, 40)
  await changeAccounts(platform, accounts.slice(0, 1))
  await expect.poll(async () => (await endpointOf(platform)).failingSince).not.toBeNull()
  await changeAccounts(platform, accounts.slice(1))
  await untilAllAre(platform, { DELIVERED: 40 })
  expect(receiver.received.filter(({ connection }) => connection === failing)).toHaveLength(1)
  expect(await endpointOf(platform)).toMatchObject({ status: 'ENABLED', failingSince: null })
})

it('suspends an endpoint that fails, tries one event from time to time, and then resumes with all', async () => {
  let isDown = true
  const receiver = await receive(() => (isDown ? 500 : 200))
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const accounts = await createAccounts(platform, 30)
  await changeAccounts(platform, accounts)
  await expect
    .poll(async () => {
      if ((await endpointOf(platform)).status === 'ENABLED')
        await db.$executeRaw`update webhook_lanes set due_at = now() where platform_id = ${platform.id}::uuid and not is_leased`
      return endpointOf(platform)
    })
    .toMatchObject({ status: 'SUSPENDED', waiting: 30, failingSince: expect.any(String) })
  const tried = receiver.received.length
  expect(tried).toBeGreaterThanOrEqual(20)
  await db.$executeRaw`update webhook_lanes set due_at = now() where platform_id = ${platform.id}::uuid and not is_leased`
  await changeAccounts(platform, accounts.slice(0, 1))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(receiver.received.length).toBe(tried)
  await db.$executeRaw`update webhook_endpoints set probe_at = now() where platform_id = ${platform.id}::uuid`
  await expect.poll(() => receiver.received.length).toBe(tried + 1)
  isDown = false
  await expect
    .poll(async () => {
      await db.$executeRaw`update webhook_endpoints set probe_at = now() where platform_id = ${platform.id}::uuid and status = 'SUSPENDED'`
      return statusesOf(platform)
    })
    .toEqual({ DELIVERED: 31 })
  expect(await endpointOf(platform)).toMatchObject({ status: 'ENABLED', waiting: 0, failingSince: null })
})

it('stops at 410 and after 7 days of suspension, and resumes where it stopped once the endpoint is set again', async () => {
  let status = 410
  const receiver = await receive(() => status)
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const accounts = await createAccounts(platform, 2)
  await changeAccounts(platform, accounts.slice(0, 1))
  await expect.poll(() => endpointOf(platform)).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE' })
  await changeAccounts(platform, accounts)
  status = 500
  await setEndpoint(platform, receiver.url)
  await expect.poll(() => endpointOf(platform)).toMatchObject({ status: 'ENABLED', failingSince: expect.any(String) })
  // A failure of long ago is not enough: nothing may have been sent since.
  await db.$executeRaw`update webhook_endpoints set failing_since = now() - interval '8 days' where platform_id = ${platform.id}::uuid`
  await expect.poll(() => passWaits(platform).then(() => receiver.received.length)).toBeGreaterThan(3)
  await db.$executeRaw`
    update webhook_endpoints set status = 'SUSPENDED', probe_at = now() + interval '1 hour' where platform_id = ${platform.id}::uuid`
  await db.$executeRaw`
    update webhook_endpoints set suspended_at = now() - interval '8 days', updated_at = now() - interval '8 days'
    where platform_id = ${platform.id}::uuid`
  // A rotation of the keys does not start the 7 days again.
  expect((await send(platform, 'POST', '/webhooks/key/rotate')).status).toBe(200)
  await passWaits(platform)
  await expect.poll(() => endpointOf(platform)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' })
  status = 200
  await setEndpoint(platform, receiver.url)
  await untilAllAre(platform, { DELIVERED: 3 })
})

it('gives up an event after 7 days, and continues with the later ones of its object', async () => {
  const told: string[] = []
  const receiver = await receive(({ id }) => {
    if (!told.includes(id)) told.push(id)
    return id === told[0] ? 500 : 200
  })
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const accounts = await createAccounts(platform, 1)
  await changeAccounts(platform, accounts)
  await changeAccounts(platform, accounts)
  await expect.poll(() => receiver.received.length).toBe(1)
  await db.$executeRaw`update webhook_deliveries set give_up_at = now() where platform_id = ${platform.id}::uuid`
  await expect
    .poll(async () => {
      await passWaits(platform)
      return statusesOf(platform)
    })
    .toEqual({ FAILED: 1, DELIVERED: 1 })

  // By hand: all events of a time range are sent again, then one is skipped.
  const since = '2020-01-01'
  const again = await send(platform, 'POST', '/webhooks/redeliver', { since })
  expect(again.body).toEqual({ count: 1 })
  await untilAllAre(platform, { PENDING: 1, DELIVERED: 1 })
  const skip = () => send(platform, 'POST', `/webhooks/events/${told[0]}/skip`)
  expect((await skip()).body.status).toBe('SKIPPED')
  expect((await skip()).body).toMatchObject({ status: 409, code: 'CONFLICT' })
  // A new attempt to send an event that has already arrived, with the same id.
  const { body } = await send(platform, 'POST', `/webhooks/events/${told[1]}/redeliver`)
  expect(body).toMatchObject({
    status: 'DELIVERED',
    attempts: [{ trigger: 'SCHEDULE' }, { trigger: 'REDELIVERY', responseStatus: 200 }],
  })
  expect(idsOf(receiver.received).filter((id) => id === told[1])).toHaveLength(2)
  expect((await send(await createPlatform(), 'POST', `/webhooks/events/${told[1]}/redeliver`)).status).toBe(404)
})

it('gives up an event that cannot be read after 7 days too, and sends the others', async () => {
  const receiver = await receive()
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const accounts = await createAccounts(platform, 2)
  // A card without its columns.
  await inTransaction(
    (tx) => tx.$executeRaw`
    insert into events (platform_id, type, object_kind, object_id, snapshot)
    values (${platform.id}::uuid, 'CARD.STATE_CHANGE', 'Card', ${accounts[0]}::uuid, '{}')`,
  )
  await changeAccounts(platform, accounts)
  await untilAllAre(platform, { PENDING: 2, DELIVERED: 1 })
  await db.$executeRaw`update webhook_deliveries set give_up_at = now() where platform_id = ${platform.id}::uuid`
  await expect
    .poll(async () => {
      await passWaits(platform)
      return statusesOf(platform)
    })
    .toEqual({ FAILED: 1, DELIVERED: 2 })
  expect((await send(platform, 'GET', '/webhooks/deliveries?status=FAILED')).body.data).toMatchObject([
    { type: 'CARD.STATE_CHANGE', attempts: [] },
  ])
  expect(receiver.received).toHaveLength(2)
  expect(await endpointOf(platform)).toMatchObject({ status: 'ENABLED', failingSince: null })
})

it('a later event that is skipped or sent again by hand changes nothing for the first one of its object', async () => {
  let fail = () => {}
  const failed = new Promise<void>((resolve) => {
    fail = resolve
  }).then(() => ({ status: 503, headers: { 'retry-after': '1800' } }))
  const receiver: Receiver = await receive(() => (receiver.received.length === 1 ? failed : 200))
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const accounts = await createAccounts(platform, 1)
  for (let change = 0; change < 3; change++) await changeAccounts(platform, accounts)
  await untilAllAre(platform, { PENDING: 3 })
  await expect.poll(() => receiver.received.length).toBe(1)
  const [[first = '', second = '', third = ''] = []] = [...(await toldOf(platform)).values()]
  const byHand = (id: string, what: 'skip' | 'redeliver') => send(platform, 'POST', `/webhooks/events/${id}/${what}`)
  const deliveryOf = async (id: string) => {
    const { body } = await send(platform, 'GET', '/webhooks/deliveries')
    return body.data.find(({ eventId }: { eventId: string }) => eventId === id)
  }

  // While the first event is being sent.
  expect((await byHand(third, 'skip')).body.status).toBe('SKIPPED')
  fail()
  await expect.poll(async () => (await deliveryOf(first)).attempts.length).toBe(1)
  const { nextAttemptAt } = await deliveryOf(first)
  expect(nextAttemptAt).toEqual(expect.any(String))

  // While it waits for the next attempt.
  expect((await byHand(second, 'redeliver')).body.status).toBe('DELIVERED')
  expect((await deliveryOf(first)).nextAttemptAt).toBe(nextAttemptAt)
  expect(idsOf(receiver.received)).toEqual([first, second])
  expect((await byHand(first, 'skip')).body.status).toBe('SKIPPED')
  await untilAllAre(platform, { DELIVERED: 1, SKIPPED: 2 })
})

/** A promise, and the function that keeps it. */
const later = <T>(value: T) => {
  let keep = () => {}
  const promise = new Promise<T>((resolve) => {
    keep = () => resolve(value)
  })
  return { promise, keep }
}

it('a late answer of the previous address does not count for the new one, where the event is sent again', async () => {
  const gone = later(410)
  const [previous, current] = [await receive(() => gone.promise), await receive()]
  const platform = await createPlatform()
  await setEndpoint(platform, previous.url)
  await changeAccounts(platform, await createAccounts(platform, 1))
  const tested = send(platform, 'POST', '/sandbox/webhooks/test')
  await expect.poll(() => previous.received.length).toBe(2)
  await send(platform, 'PATCH', '/config', { webhookEndpoint: current.url })
  gone.keep()
  expect((await tested).body).toMatchObject({ response_status: 410 })
  await untilAllAre(platform, { DELIVERED: 1, FAILED: 1 })
  expect(await endpointOf(platform)).toMatchObject({ status: 'ENABLED', failingSince: null })
  expect(idsOf(current.received)).toEqual(idsOf(previous.received.filter(({ type }) => type !== 'TEST')))
})

it('an event that was delivered by hand stays delivered, even if the attempt that was under way fails', async () => {
  const fails = later(500)
  const receiver: Receiver = await receive(() => (receiver.received.length === 1 ? fails.promise : 200))
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  await changeAccounts(platform, await createAccounts(platform, 1))
  await expect.poll(() => receiver.received.length).toBe(1)
  await db.$executeRaw`update webhook_deliveries set give_up_at = now() where platform_id = ${platform.id}::uuid`
  const [id] = idsOf(receiver.received)
  expect((await send(platform, 'POST', `/webhooks/events/${id}/redeliver`)).body.status).toBe('DELIVERED')
  fails.keep()
  const attempts = async () => (await send(platform, 'GET', '/webhooks/deliveries')).body.data[0].attempts
  await expect.poll(async () => (await attempts()).length).toBe(2)
  await untilAllAre(platform, { DELIVERED: 1 })
})

it('sends only the chosen types, and nothing after a removal', async () => {
  const receiver = await receive()
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url, ['INTERNAL_ACCOUNT.STATUS_UPDATED'])
  const [account = ''] = await createAccounts(platform, 1)
  await db.$executeRaw`update internal_accounts set total_balance = total_balance where id = ${account}::uuid`
  await changeAccounts(platform, [account])
  await untilAllAre(platform, { DELIVERED: 1 })
  await send(platform, 'PATCH', '/config', { webhookEndpoint: null })
  await changeAccounts(platform, [account])
  await setEndpoint(platform, receiver.url)
  await changeAccounts(platform, [account])
  await untilAllAre(platform, { DELIVERED: 2 })
  expect(receiver.received).toHaveLength(2)
})

it('by hand sends and skips nothing for a platform that never had an endpoint, and says so', async () => {
  const platform = await createPlatform()
  await changeAccounts(platform, await createAccounts(platform, 1))
  const events = async () => (await send(platform, 'GET', '/webhooks/events')).body.data
  await expect.poll(events).toHaveLength(1)
  const [event] = await events()
  for (const what of ['redeliver', 'skip']) {
    const { body } = await send(platform, 'POST', `/webhooks/events/${event.id}/${what}`)
    expect(body).toMatchObject({ status: 400, code: 'WEBHOOK_ENDPOINT_NOT_SET' })
    const unknown = await send(platform, 'POST', `/webhooks/events/Webhook:${randomUUID()}/${what}`)
    expect(unknown.body).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
  }
})

it('tests the endpoint over both faces, and says why it did not answer', async () => {
  const receiver = await receive(() => ({ status: 418, body: `short\0${'x'.repeat(2000)}` }))
  const platform = await createPlatform()
  const test = (body?: object) => send(platform, 'POST', '/sandbox/webhooks/test', body)
  expect((await test()).body).toMatchObject({ status: 400, code: 'WEBHOOK_ENDPOINT_NOT_SET' })
  await setEndpoint(platform, receiver.url, ['CARD.STATE_CHANGE'])
  const { body } = await test({ withinSeconds: 8 })
  expect(body).toMatchObject({ url: receiver.url, response_status: 418 })
  expect(body.response_body).toMatch(/^short\uFFFDx{1018}$/)
  expect(receiver.received.map(({ type, text }) => [type, JSON.parse(text).data])).toEqual([['TEST', {}]])
  receiver.close()
  expect((await test()).body).toMatchObject({ code: 'WEBHOOK_DELIVERY_ERROR', details: { reason: 'CONNECTION' } })
  const { body: graphql } = await callGraphQL(
    basic(platform),
    'mutation { sendTestEvent(input: {}) { __typename ... on ApiError { code details { reason } } } }',
    {},
  )
  expect(graphql.data.sendTestEvent).toMatchObject({
    code: 'WEBHOOK_DELIVERY_ERROR',
    details: { reason: 'CONNECTION' },
  })
  // A test is never sent again.
  await passWaits(platform)
  await untilAllAre(platform, { FAILED: 3 })
})

it('reports what went wrong: redirects, long answers, slow answers', async () => {
  const far = await receive()
  const answers: Record<string, () => number | Promise<number> | object> = {
    REDIRECT: () => ({ status: 302, headers: { location: far.url } }),
    TOO_LARGE: () => ({ status: 200, body: 'x'.repeat(65_537) }),
    TIMEOUT: () => new Promise(() => {}),
    STATUS: () => 404,
  }
  for (const [failure, answer] of Object.entries(answers)) {
    const receiver = await receive(answer as () => number)
    const platform = await createPlatform()
    await setEndpoint(platform, receiver.url, ['CARD.STATE_CHANGE'])
    await send(platform, 'POST', '/sandbox/webhooks/test', { withinSeconds: 1 })
    const [delivery] = (await send(platform, 'GET', '/webhooks/deliveries')).body.data
    expect(delivery.attempts[0].failure).toBe(failure)
  }
  expect(far.received).toHaveLength(0)
})
