// Webhooks over both faces: an endpoint is set and tested, receives the events of a payment, receives one again, and is removed.
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createPayer, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { useSending } from '#test/setup/webhooks/sending.ts'
import type { Platform } from '#test/setup/world.ts'

useSending()

interface Face {
  readonly name: string
  /** The secret, if it is new. */
  set(platform: Platform, url: string | null): Promise<string | undefined>
  url(platform: Platform): Promise<string | undefined>
  test(platform: Platform): Promise<number>
  event(platform: Platform, id: string): Promise<unknown>
  /** The statuses of the answers, newest first. */
  redeliver(platform: Platform, id: string): Promise<number[]>
}

const graphql = async (platform: Platform, query: string, variables: object = {}) => {
  const { body } = await callGraphQL(basic(platform), query, variables)
  return body.data.answer
}
const ATTEMPTS = 'delivery { attempts { responseStatus } }'

const faces: readonly Face[] = [
  {
    name: 'REST',
    set: async (platform, webhookEndpoint) =>
      (await send(platform, 'PATCH', '/config', { webhookEndpoint })).body.webhookSecret,
    url: async (platform) => (await send(platform, 'GET', '/config')).body.webhookEndpoint,
    test: async (platform) => (await send(platform, 'POST', '/sandbox/webhooks/test')).body.response_status,
    event: async (platform, id) => (await send(platform, 'GET', `/webhooks/events/${id}`)).body.data,
    redeliver: async (platform, id) => {
      const { body } = await send(platform, 'POST', `/webhooks/events/${id}/redeliver`)
      return body.attempts.map((attempt: { responseStatus: number }) => attempt.responseStatus)
    },
  },
  {
    name: 'GraphQL',
    set: async (platform, url) =>
      (
        await graphql(
          platform,
          'mutation ($input: SetWebhookEndpointInput!) { answer: setWebhookEndpoint(input: $input) { ... on SetWebhookEndpointSuccess { secret } } }',
          { input: { url } },
        )
      ).secret ?? undefined,
    url: async (platform) => (await graphql(platform, '{ answer: webhookEndpoint { url } }'))?.url,
    test: async (platform) =>
      (
        await graphql(
          platform,
          'mutation { answer: sendTestEvent(input: {}) { ... on SendTestEventSuccess { attempt { responseStatus } } } }',
        )
      ).attempt.responseStatus,
    event: async (platform, id) =>
      (await graphql(platform, 'query ($id: ID!) { answer: node(id: $id) { ... on Event { data } } }', { id })).data,
    redeliver: async (platform, id) => {
      const { delivery } = await graphql(
        platform,
        `mutation ($input: RedeliverEventInput!) { answer: redeliverEvent(input: $input) { ... on RedeliverEventSuccess { ${ATTEMPTS} } } }`,
        { input: { eventId: id } },
      )
      return delivery.attempts.map((attempt: { responseStatus: number }) => attempt.responseStatus)
    },
  },
]

describe.each(faces)('over $name', (face) => {
  it('an endpoint is set, tested, gets the events of a payment in order, gets one again and is removed', async () => {
    const receiver = await startReceiver()
    const { platform, dollars, outside } = await createPayer()
    const secret = await face.set(platform, receiver.url)
    expect(secret).toMatch(/^whsec_/)
    expect(await face.url(platform)).toBe(receiver.url)
    expect(await face.test(platform)).toBe(200)
    expect(receiver.received.map(({ type }) => type)).toContain('TEST')

    const { body } = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 500))
    await passTime(platform.id)
    const told = () => receiver.received.filter(({ subject }) => subject === body.id)
    await expect
      .poll(() => told().map(({ type }) => type))
      .toEqual(['PENDING', 'PROCESSING', 'COMPLETED'].map((status) => `OUTGOING_PAYMENT.${status}`))
    for (const { headers, text } of told())
      expect(() => new Webhook(secret ?? '').verify(text, headers as Record<string, string>)).not.toThrow()

    const sent = told().map(({ id }) => id)
    const last = told().at(-1)
    expect(await face.event(platform, last?.id ?? '')).toEqual(JSON.parse(last?.text ?? '').data)
    // The receiver has them before its answers are stored.
    const statuses = async () => {
      const { data } = (await send(platform, 'GET', `/webhooks/deliveries?subjectId=${body.id}`)).body
      return data.map(({ status }: { status: string }) => status)
    }
    await expect.poll(statuses).toEqual(Array(3).fill('DELIVERED'))
    expect(await face.redeliver(platform, last?.id ?? '')).toEqual([200, 200])
    expect(told().map(({ id }) => id)).toEqual([...sent, last?.id])

    expect(await face.set(platform, null)).toBeUndefined()
    expect(await face.url(platform)).toBeUndefined()
    receiver.close()
  })
})
