// Subscribers of real gateways: they lose nothing when they or the gateways go away, and do not affect anyone else.
// Own process: counts the memory and the times of its own gateways.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createClient } from 'graphql-sse'
import { afterAll, afterEach, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { revokeApiToken } from '#platforms/provisioning.ts'
import { createConnectedAgent } from '#test/setup/agents/agent-faces.ts'
import { nextWhere, type Stream, subscribe } from '#test/setup/event-streams.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { head, open } from '#test/setup/raw-http.ts'
import {
  createCustomer,
  createPlatform,
  createToken,
  createTransactions,
  incoming,
  type Platform,
} from '#test/setup/world.ts'

const EVENTS = Number(process.env['STREAMED_EVENTS'] ?? 600)
const DISCONNECTS = Math.ceil(EVENTS / 200)
/** Written at a time. */
const STEP = Math.max(10, EVENTS / 200)
const KILLS = EVENTS > 10_000 ? 4 : 2
const SUBSCRIBERS = 6

const CHECK = { STREAM_CHECK_MS: '300' }
const started: GatewayProcess[] = []
const start = async (settings: Record<string, string> = {}, options = {}) => {
  const gateway = await startGateway({ GRAPHQL_LIMITS: 'nodesPerMinute=1000000000', ...settings }, options)
  started.push(gateway)
  return gateway
}
/** For the tests that need no settings and leave it running. */
let sharedGateway: Promise<GatewayProcess> | undefined
const shareGateway = () => {
  sharedGateway ??= start()
  return sharedGateway
}
const streams: Stream[] = []
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => Promise.all(started.map(({ kill }) => kill())))

const BATCHES = 'subscription ($after: String) { events(after: $after, most: 20) { cursor events { id } } }'

/** Announces payments, each with its event. */
const happen = async (platform: Platform, count: number) => {
  await createTransactions(
    platform,
    Array.from({ length: count }, () => incoming({ status: 'PENDING' })),
  )
  await numberEvents()
}

const follow = async (gateway: GatewayProcess, { clientId, secret }: Credentials, query = BATCHES, variables = {}) => {
  const stream = await subscribe(basic({ clientId, secret }), query, variables, { url: gateway.url })
  streams.push(stream)
  return stream
}

it(`none of ${EVENTS} events is lost or repeated by ${DISCONNECTS} disconnects and ${KILLS} kills of gateways`, {
  timeout: 1_800_000,
}, async () => {
  const platform = await createPlatform()
  const gateways = await Promise.all([start(), start()])
  const counts = { connections: 0, disconnects: 0 }
  let isOver = false
  const hear = async (index: number): Promise<string[]> => {
    const heard: string[] = []
    let cursor: string | undefined
    for (let turn = index; ; turn++) {
      const { url } = gateways[turn % gateways.length] as GatewayProcess
      const resumption = index % 3 === 0 ? { 'last-event-id': cursor ?? '' } : undefined
      const variables = resumption ? {} : { after: cursor }
      let stream: Stream | undefined
      try {
        stream = await subscribe(basic(platform), BATCHES, variables, {
          url,
          ...(resumption && { headers: resumption }),
        })
        counts.connections += 1
        for (let sent = await stream.next(); sent?.event === 'next'; sent = await stream.next()) {
          if (sent.data.errors) throw new Error(JSON.stringify(sent.data.errors))
          cursor = sent.id
          heard.push(...sent.data.data.events.events.map(({ id }: { id: string }) => id))
          if (isOver && heard.length >= EVENTS) return heard
          if (counts.disconnects < DISCONNECTS && Math.random() < 0.05) {
            counts.disconnects += 1
            break
          }
        }
      } catch (error) {
        // The gateway was killed; the next one continues.
        if (error instanceof Error && error.message.startsWith('[{')) throw error
        await wait(20)
      } finally {
        stream?.close()
      }
    }
  }
  const hearing = Promise.all(Array.from({ length: SUBSCRIBERS }, (_, index) => hear(index)))
  while (counts.connections < SUBSCRIBERS) await wait(20)
  // Everyone has the first cursor.
  await wait(500)
  for (let written = 0, kills = 0; written < EVENTS; written += STEP) {
    await happen(platform, STEP)
    if (written >= ((kills + 1) * EVENTS) / (KILLS + 1)) {
      const index = kills % gateways.length
      kills += 1
      await gateways[index]?.kill()
      gateways[index] = await start()
    }
  }
  isOver = true
  // The last event lets every subscriber notice the end.
  await happen(platform, 1)
  const heard = await hearing
  const rows = await db.$queryRaw<{ id: string }[]>`
    select 'Webhook:' || id as id from events where platform_id = ${platform.id}::uuid order by position`
  const all = rows.map(({ id }) => id)
  const faults = heard.map((ids) => {
    const expected = all.slice(0, Math.max(ids.length, EVENTS))
    const lost = expected.filter((id) => !ids.includes(id)).length
    return { lost, doubled: ids.length - new Set(ids).size, inOrder: ids.every((id, at) => id === expected[at]) }
  })
  console.log(
    `${SUBSCRIBERS} subscribers, ${counts.connections} connections, ${counts.disconnects} disconnects, ${KILLS} kills, ${heard.flat().length} deliveries, lost ${faults.reduce((sum, { lost }) => sum + lost, 0)}, doubled ${faults.reduce((sum, { doubled }) => sum + doubled, 0)}`,
  )
  expect(counts.disconnects).toBe(DISCONNECTS)
  expect(faults).toEqual(faults.map(() => ({ lost: 0, doubled: 0, inOrder: true })))
})

it('the client of graphql-sse follows without any setting', async () => {
  const platform = await createPlatform()
  const gateway = await shareGateway()
  const client = createClient({ url: `${gateway.url}/graphql`, headers: { authorization: basic(platform) } })
  const results = client.iterate<{ events: { events: unknown[] } }>({ query: BATCHES })
  const first = await results.next()
  expect(first.value.data.events.events).toEqual([])
  await happen(platform, 1)
  expect((await results.next()).value.data.events.events).toHaveLength(1)
  await results.return?.()
  client.dispose()
})

it('a revoked token, and an agent that is deleted or lacks the permission, receive nothing more after the next check', async () => {
  const platform = await createPlatform()
  const gateway = await start(CHECK)
  const { id: customerId } = await createCustomer(platform)
  const agents = await Promise.all([1, 2].map(() => createConnectedAgent(platform, { customerId })))
  const token = { clientId: 'to-be-revoked', secret: 'secret' }
  await createToken(platform.id, token, ['VIEW'])
  const others = await Promise.all(
    agents.map(({ authorization }) => subscribe(authorization, BATCHES, {}, { url: gateway.url })),
  )
  streams.push(...others)
  const revoked = [await follow(gateway, token), ...others]
  const stays = await follow(gateway, platform)
  await Promise.all([...revoked, stays].map((stream) => stream.next()))
  await revokeApiToken(token.clientId)
  for (const [index, data] of [
    { permissions: ['CREATE_QUOTES' as const] },
    { deletedAt: new Date(), accessTokenHash: null, isConnected: false },
  ].entries())
    await db.agent.update({
      where: { platformId_id: { platformId: platform.id, id: agents[index]?.agent.id ?? '' } },
      data,
    })
  for (const stream of revoked) {
    const last = await nextWhere(stream, ({ event }) => event === 'next')
    expect(last.data.errors[0].extensions).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect((await stream.next())?.event).toBe('complete')
  }
  await happen(platform, 1)
  expect((await stays.next())?.data.data.events.events).toHaveLength(1)
  expect(await Promise.all(revoked.map((stream) => stream.next()))).toEqual([undefined, undefined, undefined])
})

it('a gateway that stops completes its streams, and another one resumes them', async () => {
  const platform = await createPlatform()
  const [gateway, other] = await Promise.all([start(), shareGateway()])
  const stream = await follow(gateway, platform)
  const first = await stream.next()
  const stopped = gateway.stop()
  expect(await stream.next()).toMatchObject({ event: 'complete' })
  expect(await stopped).toBe(0)
  await happen(platform, 1)
  const resumed = await follow(other, platform, BATCHES, { after: first?.id })
  const next = await nextWhere(resumed, ({ data }) => data.data.events.events.length > 0)
  expect(next.data.data.events.events).toHaveLength(1)
})

it('a client that exceeds its budget gets an error, and resumes where it was', async () => {
  const platform = await createPlatform()
  const gateway = await start({ GRAPHQL_LIMITS: 'nodesPerMinute=300' })
  const stream = await follow(gateway, platform)
  const first = await stream.next()
  for (let turn = 0; turn < 20; turn++) await happen(platform, 20)
  const heard: string[] = []
  let cursor = first?.id
  for (;;) {
    const sent = await stream.next()
    if (sent?.data?.errors) {
      expect(sent.data.errors[0].extensions).toMatchObject({
        code: 'RATE_LIMITED',
        details: { retryAfterSeconds: expect.any(Number) },
      })
      expect(sent.id).toBeUndefined()
      break
    }
    if (sent?.event !== 'next') throw new Error('The stream has ended')
    heard.push(...sent.data.data.events.events)
    cursor = sent.id
  }
  expect((await stream.next())?.event).toBe('complete')
  expect(heard.length).toBeGreaterThan(0)
  const resumed = await follow(await shareGateway(), platform, BATCHES, { after: cursor })
  let count = 0
  while (heard.length + count < 400) count += (await resumed.next())?.data.data.events.events.length
  expect(heard.length + count).toBe(400)
})

const post = (caller: Credentials, body: string) =>
  head('POST', '/graphql', {
    authorization: basic(caller),
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
  }) + body

const megabytes = async (gateway: GatewayProcess) => (await gateway.use('memory')).memory / 2 ** 20

it('a client that never reads costs at most 20 MB', { timeout: 180_000 }, async () => {
  const platform = await createPlatform()
  // A few events with much data are written sooner than many with little.
  const limits = { GRAPHQL_LIMITS: 'nodesPerMinute=1000000000,maxNodes=1000000,maxAliases=100,maxRepeats=100' }
  const gateway = await start(limits, { isMeasured: true })
  const stream = await follow(gateway, platform)
  const first = await stream.next()
  await happen(platform, 480)
  for (const other of streams.splice(0)) other.close()
  const copies = Array.from({ length: 100 }, (_, index) => `data${index}: data`).join(' ')
  const body = JSON.stringify({
    query: `subscription ($after: String) { events(after: $after, most: 20) { cursor events { id ${copies} } } }`,
    variables: { after: first?.id },
  })
  const before = await megabytes(gateway)
  const socket = open(gateway.url)
  socket.pause()
  socket.write(post(platform, body))
  await wait(2_000)
  const during = await megabytes(gateway)
  socket.destroy()
  const reader = await follow(gateway, platform, JSON.parse(body).query, { after: first?.id })
  let characters = 0
  for (let count = 0; count < 480; ) {
    const sent = await reader.next()
    characters += JSON.stringify(sent?.data).length
    count += sent?.data.data.events.events.length
  }
  console.log(
    `a client that never reads: ${before.toFixed(1)} → ${during.toFixed(1)} MB, with ${(characters / 2 ** 20).toFixed(0)} MB to come`,
  )
  expect(characters / 2 ** 20).toBeGreaterThan(25)
  expect(during - before).toBeLessThan(20)
})

/**
 * A worker thread, so that reading events does not delay the queries. It opens a stream for each caller and counts the events. It sends one
 * message when all streams are open, and another with the count when all events have arrived. A stream that receives an error fails it.
 */
const LISTENERS = `
  const { request } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const { url, callers, body, events } = workerData
  let opened = 0
  let heard = 0
  const hear = (message) => {
    if (message.includes('"errors":')) throw new Error(message)
    heard += message.split('"id":"Webhook:').length - 1
    if (heard >= events) parentPort.postMessage(heard)
  }
  for (const authorization of callers) {
    const headers = { authorization, 'content-type': 'application/json', accept: 'text/event-stream' }
    request(url, { method: 'POST', headers }, (response) => {
      let rest = ''
      response.once('data', () => {
        opened += 1
        if (opened === callers.length) parentPort.postMessage('opened')
      })
      response.setEncoding('utf8').on('data', (text) => {
        const messages = (rest + text).split('\\n\\n')
        rest = messages.pop()
        for (const message of messages) hear(message)
      })
    }).end(body)
  }`

it('while 100 streams of a platform hear every event, its queries are answered', { timeout: 180_000 }, async () => {
  const platform = await createPlatform()
  const gateway = await shareGateway()
  const tokens = Array.from({ length: 5 }, (_, index) => ({ clientId: `many-streams-${index}`, secret: 'secret' }))
  for (const token of tokens) await createToken(platform.id, token, ['VIEW'])
  const LIVE = 'subscription { events { cursor events { id data transaction { ... on TransactionNode { id } } } } }'
  const listeners = new Worker(LISTENERS, {
    eval: true,
    workerData: {
      url: `${gateway.url}/graphql`,
      callers: tokens.flatMap((token) => Array<string>(20).fill(basic(token))),
      body: JSON.stringify({ query: LIVE }),
      events: 100 * 20,
    },
  })
  try {
    await once(listeners, 'message')
    const allHeard = once(listeners, 'message')
    for (let turn = 0; turn < 60; turn++) {
      if (turn % 6 === 0) await happen(platform, 2)
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: basic(platform) },
        body: JSON.stringify({ query: '{ transactions(first: 2) { nodes { ... on TransactionNode { id } } } }' }),
      })
      const { data } = (await response.json()) as { data: { transactions: { nodes: unknown[] } } }
      expect(data.transactions.nodes).toHaveLength(2)
    }
    expect(await allHeard).toEqual([2_000])
  } finally {
    await listeners.terminate()
  }
})
