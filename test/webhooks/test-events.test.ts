// A platform tests its endpoint by hand while other calls change the endpoint, or send the same event (docs/domain/events.md#delivery).
import { expect, it, onTestFinished } from 'vitest'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { interleaved } from '#test/setup/credentials/interleaved.ts'
import { basic } from '#test/setup/faces.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { setEndpoint } from '#test/setup/webhooks/happenings.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

useSettings({ webhookAllowPrivate: true })

const receive = async (...answer: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...answer)
  onTestFinished(receiver.close)
  return receiver
}

const overRest = (platform: Platform) => send(platform, 'POST', '/sandbox/webhooks/test')
const overGraphQL = async (platform: Platform) => {
  const document = `mutation { answer: sendTestEvent(input: {}) {
    ... on SendTestEventSuccess { attempt { response_status: responseStatus } } } }`
  const { body } = await callGraphQL(basic(platform), document, {})
  return { body: body.data.answer.attempt }
}

const onEachFace = it.each([
  ['REST', overRest],
  ['GraphQL', overGraphQL],
])

onEachFace('a test over %s that is refused ends after its attempt, not before it', async (_face, test) => {
  const receiver = await receive(() => 500)
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  expect((await test(platform)).body).toMatchObject({ response_status: 500 })
  const [delivery] = (await send(platform, 'GET', '/webhooks/deliveries')).body.data
  expect(delivery).toMatchObject({ type: 'TEST', status: 'FAILED', attempts: [{ responseStatus: 500 }] })
  expect(Date.parse(delivery.doneAt)).toBeGreaterThanOrEqual(Date.parse(delivery.attempts[0].at))
})

onEachFace('a test over %s shows its own answer, even if the event was sent again before it', async (_face, test) => {
  let answer = (_status: number) => {}
  const later = new Promise<number>((resolve) => {
    answer = resolve
  })
  const receiver = await receive((_received, nth) => (nth === 1 ? later : 500))
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const tested = test(platform)
  await expect.poll(() => receiver.received).toHaveLength(1)
  const again = await send(platform, 'POST', `/webhooks/events/${receiver.received[0]?.id}/redeliver`)
  expect(again.body.attempts).toMatchObject([{ trigger: 'REDELIVERY', responseStatus: 500 }])
  answer(200)
  expect((await tested).body).toMatchObject({ response_status: 200 })
})

it('a test names the address that it was sent to, even if that was set meanwhile', async () => {
  const [former, current] = [await receive(() => 500), await receive()]
  const platform = await createPlatform()
  await setEndpoint(platform, former.url)
  const [tested] = await interleaved(
    'insert on webhook_deliveries',
    () => overRest(platform),
    () => setEndpoint(platform, current.url),
  )
  expect([former.received, current.received]).toMatchObject([[], [{ type: 'TEST' }]])
  expect(tested.body).toEqual({ url: current.url, response_status: 200, response_body: '' })
})
