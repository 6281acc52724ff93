// The platform approves incoming UMA payments by its answer to the webhook (docs/domain/events.md#approval-of-incoming-payments).
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { timelineOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { changeAccounts, createAccounts, setEndpoint, statusesOf } from '#test/setup/webhooks/happenings.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { useSending } from '#test/setup/webhooks/sending.ts'
import {
  createCustomer,
  createInternalAccount,
  createPlatform,
  createTransactions,
  incoming,
} from '#test/setup/world.ts'

useSending()

type Answer = Parameters<typeof startReceiver>[0]

/** A platform that gets a payment and gives this answer. */
const receive = async (answer: Answer, given: object = {}) => {
  const receiver = await startReceiver(answer)
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const [row] = await createTransactions(platform, [incoming({ status: 'PENDING', ...given })])
  const id = `Transaction:${row?.id}`
  const timeline = () => timelineOf(platform, id)
  const stored = () => db.transaction.findFirstOrThrow({ where: { id: row?.id ?? '' } })
  const answered = () => expect.poll(() => receiver.received.length).toBe(1)
  const attempts = async () =>
    (await send(platform, 'GET', '/webhooks/deliveries')).body.data.map(
      (one: { status: string; attempts: object[] }) => [one.status, one.attempts],
    )
  return { receiver, platform, id, timeline, stored, answered, attempts }
}

const json = (status: number, body: unknown) => () => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const FAILED = 'FAILED PAYMENT_APPROVAL_WEBHOOK_ERROR'
const OUTCOMES: readonly (readonly [what: string, answer: Answer, timeline: string, delivery: string])[] = [
  ['200 without a body approves', json(200, ''), 'PROCESSING', 'DELIVERED'],
  ['200 with facts approves', json(200, { receiverCustomerInfo: { FULL_NAME: 'Ada' } }), 'PROCESSING', 'DELIVERED'],
  ['200 without facts (null) approves', json(200, { receiverCustomerInfo: null }), 'PROCESSING', 'DELIVERED'],
  ['200 with a body that is no JSON is an error', json(200, 'ok'), FAILED, 'DELIVERED'],
  [
    '200 with facts that are no texts is an error',
    json(200, { receiverCustomerInfo: { FULL_NAME: 1 } }),
    FAILED,
    'DELIVERED',
  ],
  [
    '403 rejects with its reason',
    json(403, { code: 'X', message: 'No', reason: 'Unknown sender' }),
    'REJECTED Unknown sender',
    'DELIVERED',
  ],
  ['403 without a body rejects', json(403, ''), 'REJECTED', 'DELIVERED'],
  [
    '422 lacks data',
    json(422, { requiredFields: [{ name: 'BIRTH_DATE' }] }),
    'FAILED MISSING_MANDATORY_PAYEE_DATA',
    'DELIVERED',
  ],
  ['204 is an error', json(204, ''), FAILED, 'FAILED'],
  ['404 is an error', json(404, ''), FAILED, 'FAILED'],
  ['500 is an error', json(500, ''), FAILED, 'FAILED'],
  [
    'a redirect is an error',
    () => ({ status: 307, headers: { location: 'https://platform.example/' } }),
    FAILED,
    'FAILED',
  ],
  ['an endless answer is an error', json(200, 'x'.repeat(70_000)), FAILED, 'FAILED'],
]

it.each(OUTCOMES)('%s', async (_what, answer, outcome, delivery) => {
  const { receiver, platform, timeline, stored, attempts } = await receive(answer)
  await expect.poll(timeline).toEqual(['PENDING', outcome])
  const { receiverCustomerInfo } = await stored()
  expect(receiverCustomerInfo).toEqual(_what.startsWith('200 with facts approves') ? { FULL_NAME: 'Ada' } : null)
  await expect.poll(async () => (await attempts()).at(-1)?.[0]).toBe(delivery)
  // The platform is asked once, whatever it answers.
  await db.$executeRaw`update webhook_lanes set due_at = now() where platform_id = ${platform.id}::uuid`
  expect(receiver.received.filter(({ type }) => type === 'INCOMING_PAYMENT.PENDING')).toHaveLength(1)
  receiver.close()
})

it('no connection is an error', async () => {
  const receiver = await startReceiver()
  receiver.close()
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const [row] = await createTransactions(platform, [incoming({ status: 'PENDING' })])
  await expect.poll(() => timelineOf(platform, `Transaction:${row?.id}`)).toEqual(['PENDING', FAILED])
})

describe.each([202, 409])('%d leaves 5 seconds', (status) => {
  const wait = async () => {
    const payment = await receive(() => status)
    await payment.answered()
    await expect.poll(() => statusesOf(payment.platform)).toEqual({ DELIVERED: 1 })
    return payment
  }

  it('for the approval', async () => {
    const { platform, id, timeline } = await wait()
    expect(await timeline()).toEqual(['PENDING'])
    expect((await send(platform, 'POST', `/transactions/${id}/approve`, {})).status).toBe(200)
    await passTime(platform.id, 6)
    expect((await timeline()).slice(0, 2)).toEqual(['PENDING', 'PROCESSING'])
    expect(await timeline()).not.toContain('FAILED PAYMENT_APPROVAL_TIMED_OUT')
  })

  it('and then the payment fails', async () => {
    const { platform, id, timeline } = await wait()
    expect(await passTime(platform.id, 4)).toEqual([])
    expect(await timeline()).toEqual(['PENDING'])
    expect((await passTime(platform.id, 6)).map(({ name }) => name)).toEqual(['endApproval'])
    expect(await timeline()).toEqual(['PENDING', 'FAILED PAYMENT_APPROVAL_TIMED_OUT'])
    const late = await send(platform, 'POST', `/transactions/${id}/approve`, {})
    expect(late.body.code).toBe('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
  })
})

it('a decision by the API counts if it comes before the answer', async () => {
  let answer = (_status: number) => {}
  const { platform, id, timeline, answered } = await receive(() => new Promise((resolve) => (answer = resolve)))
  await answered()
  expect((await send(platform, 'POST', `/transactions/${id}/reject`, { reason: 'Changed our mind' })).status).toBe(200)
  answer(200)
  await expect.poll(async () => (await statusesOf(platform))['DELIVERED']).toBeGreaterThan(0)
  expect(await timeline()).toEqual(['PENDING', 'REJECTED Changed our mind'])
})

it('an approval for a customer who is not approved waits, and then fails', async () => {
  const platform = await createPlatform()
  const { id: customerId, platformCustomerId } = await createCustomer(platform, { verificationStatus: 'PENDING' })
  const receiver = await startReceiver()
  await setEndpoint(platform, receiver.url)
  const [row] = await createTransactions(platform, [incoming({ status: 'PENDING', customerId, platformCustomerId })])
  await expect.poll(() => statusesOf(platform)).toEqual({ DELIVERED: 1 })
  expect(await timelineOf(platform, `Transaction:${row?.id}`)).toEqual(['PENDING'])
  await passTime(platform.id, 6)
  expect(await timelineOf(platform, `Transaction:${row?.id}`)).toEqual(['PENDING', 'FAILED PAYMENT_APPROVAL_TIMED_OUT'])
  receiver.close()
})

it('a suspended endpoint is still asked', async () => {
  const { platform, timeline, receiver } = await (async () => {
    const receiver = await startReceiver(({ type }) => (type === 'INCOMING_PAYMENT.PENDING' ? 403 : 500))
    const platform = await createPlatform()
    await setEndpoint(platform, receiver.url)
    await db.$executeRaw`
      update webhook_endpoints set status = 'SUSPENDED', failures = 20, failing_since = now(), probe_at = now() + interval '1 hour'
      where platform_id = ${platform.id}::uuid`
    await changeAccounts(platform, await createAccounts(platform, 1))
    const [row] = await createTransactions(platform, [incoming({ status: 'PENDING' })])
    return { platform, receiver, timeline: () => timelineOf(platform, `Transaction:${row?.id}`) }
  })()
  await expect.poll(timeline).toEqual(['PENDING', 'REJECTED'])
  expect(receiver.received[0]?.type).toBe('INCOMING_PAYMENT.PENDING')
  expect(platform.id).toBeTruthy()
  receiver.close()
})

it('approvals and tests that a suspended endpoint fails do not put off its next attempt', async () => {
  const receiver = await startReceiver(() => 500)
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  await db.$executeRaw`
    update webhook_endpoints set status = 'SUSPENDED', failures = 20, failing_since = now(), probe_at = now() + interval '1 hour'
    where platform_id = ${platform.id}::uuid`
  const state = () =>
    db.$queryRaw`select status::text, failures, probe_at from webhook_endpoints where platform_id = ${platform.id}::uuid`
  const before = await state()
  const [row] = await createTransactions(platform, [incoming({ status: 'PENDING' })])
  await expect.poll(() => timelineOf(platform, `Transaction:${row?.id}`)).toEqual(['PENDING', FAILED])
  expect((await send(platform, 'POST', '/sandbox/webhooks/test')).body.response_status).toBe(500)
  expect(await state()).toEqual(before)
  receiver.close()
})

it('bank payments are sent for information only', async () => {
  const receiver = await startReceiver(() => 403)
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const account = await createInternalAccount(platform)
  const [row] = await createTransactions(platform, [
    incoming({
      status: 'PENDING',
      sourceType: 'REALTIME_FUNDING',
      sourceUmaAddress: null,
      sourceCurrency: 'USD',
      destinationType: 'ACCOUNT',
      destinationUmaAddress: null,
      destinationInternalAccountId: account.id,
    }),
  ])
  // This is not retried either.
  await expect.poll(() => statusesOf(platform)).toEqual({ FAILED: 1 })
  expect(await timelineOf(platform, `Transaction:${row?.id}`)).toEqual(['PENDING'])
  receiver.close()
})

it('is requested before the events that wait, while requests for 32 of them hang', async () => {
  const receiver = await startReceiver(({ type }) =>
    type === 'INCOMING_PAYMENT.PENDING' ? 200 : new Promise<number>(() => {}),
  )
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  await changeAccounts(platform, await createAccounts(platform, 40))
  await expect.poll(() => receiver.received.length).toBe(32)
  const [row] = await createTransactions(platform, [incoming({ status: 'PENDING' })])
  const timeline = () => timelineOf(platform, `Transaction:${row?.id}`)
  await expect.poll(timeline, { timeout: 6_000 }).toEqual(['PENDING', 'PROCESSING'])
  receiver.close()
})
