// The maximum numbers of open streams (docs/domain/events.md#following-the-stream), which `apiInfo.limits` states.
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { API_VERSION } from '#core/api-version.ts'
import type { Caller } from '#core/caller.ts'
import { openStream, STREAM_LIMITS } from '#events/streams/open-streams.ts'
import { streamEvents, subscribe } from '#test/setup/event-streams.ts'
import { basic } from '#test/setup/faces.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const SUBSCRIPTION = 'subscription { transactionChanged { cursor } }'

let opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened) close()
  opened = []
})

/** A stream of another token, of this platform. */
const fill = (platformId: string) => {
  const caller = { scheme: 'PLATFORM', platformId, tokenId: randomUUID() } as Caller
  const stream = openStream(caller, new AbortController().signal)
  opened.push(() => stream.end())
}

const FACES = {
  GraphQL: (platform: Platform) => subscribe(basic(platform), SUBSCRIPTION),
  REST: (platform: Platform) => streamEvents(basic(platform)),
}

/** The refusal of one stream too many. */
const REFUSALS = {
  GraphQL: async (platform: Platform) => {
    const refused = await (await FACES.GraphQL(platform)).next()
    return refused?.data.errors[0].extensions
  },
  REST: async (platform: Platform) => (await send(platform, 'GET', '/webhooks/events/stream')).body,
}

describe.each(Object.keys(FACES) as (keyof typeof FACES)[])('over %s', (name) => {
  const opens = async (platform: Platform) => {
    const stream = await FACES[name](platform)
    opened.push(() => stream.close())
    return stream
  }

  const FILLED: [keyof typeof STREAM_LIMITS, (platform: Platform) => Promise<unknown>][] = [
    ['streamsPerToken', (platform) => opens(platform)],
    ['streamsPerPlatform', async (platform) => fill(platform.id)],
    ['streamsPerProcess', async () => fill(randomUUID())],
  ]

  it.each(FILLED)('%s: one stream fewer leaves room for one, and the next is 429', async (limit, open) => {
    const platform = await createPlatform()
    for (let count = 1; count < STREAM_LIMITS[limit]; count += 1) await open(platform)
    const last = await opens(platform)
    expect(await last.next()).toBeDefined()
    expect(await REFUSALS[name](platform)).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      details: { limit: STREAM_LIMITS[limit], reason: limit.replaceAll(/[A-Z]/g, '_$&').toUpperCase() },
    })
    last.close()
    expect(await (await opens(platform)).next()).toBeDefined()
  })
})

it('HEAD leaves no stream open', async () => {
  const platform = await createPlatform()
  for (let count = 0; count <= STREAM_LIMITS.streamsPerToken; count += 1) {
    const request = new Request(`http://test/${API_VERSION}/webhooks/events/stream`, {
      method: 'HEAD',
      headers: { authorization: basic(platform) },
    })
    const { status, headers } = await app.fetch(request)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  }
  const stream = await FACES.REST(platform)
  opened.push(() => stream.close())
  expect(await stream.next()).toBeDefined()
})
