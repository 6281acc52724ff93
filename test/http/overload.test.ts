// Overload: a platform that requests too much waits in its own queue, and a process that lags refuses requests.
// Own process: stops its gateway, which closes the connections to the database.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { config } from '#core/config.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import type { RequestContext } from '#core/request-context.ts'
import { db } from '#database/db.ts'
import { acquireSlot } from '#http/platform-queue.ts'
import { serve } from '#server.ts'
import { ask, basic, type Credentials, rest } from '#test/setup/faces.ts'
import { startGateway } from '#test/setup/gateway-process.ts'
import { createPlatform, createTransactions, incoming } from '#test/setup/world.ts'

const MAX_RUNNING = config.databasePoolSize
const MAX_WAITING = 16 * MAX_RUNNING

/** The platforms that sent requests before share the connections for another second. */
const otherPlatformsLeave = () => setTimeout(1_100)

describe('the concurrency limit of a platform', () => {
  const newPlatform = () => newUuid() as PlatformId
  const contexts: RequestContext[] = []
  afterEach(async () => {
    // A released slot may pass to a request that waits.
    while (contexts.length > 0) {
      for (const { releaseSlot } of contexts.splice(0)) releaseSlot?.()
      await setTimeout()
    }
    await otherPlatformsLeave()
  })
  const enter = async (platform: PlatformId) => {
    const requestContext: RequestContext = { traceId: 'x' }
    await acquireSlot(requestContext, platform)
    contexts.push(requestContext)
    return requestContext
  }
  const fill = (platform: PlatformId, count = MAX_RUNNING) =>
    Promise.all(Array.from({ length: count }, () => enter(platform)))
  const waits = async (entered: Promise<RequestContext>) =>
    (await Promise.race([entered, setTimeout(20, 'waits')])) === 'waits'

  it('equals the number of connections while no other platform sends requests', async () => {
    const platform = newPlatform()
    await fill(platform)
    expect(await waits(enter(platform))).toBe(true)
  })

  it('halves while a second platform sends requests, until that one has sent none for a second', async () => {
    const [first, second] = [newPlatform(), newPlatform()]
    const half = MAX_RUNNING / 2
    await fill(first, half)
    const [{ releaseSlot: leave } = {}] = await fill(second, 1)
    const next = enter(first)
    expect(await waits(next)).toBe(true)
    leave?.()
    expect(await waits(next)).toBe(true)
    await expect(next).resolves.toBeDefined()
  })

  it('exceeds the share while half of the connections are idle', async () => {
    const [first, second, third] = [newPlatform(), newPlatform(), newPlatform()]
    const [{ releaseSlot: leave } = {}] = await fill(third, 1)
    await fill(second, 1)
    await fill(first, MAX_RUNNING / 2 - 2)
    const next = enter(first)
    expect(await waits(next)).toBe(true)
    leave?.()
    expect(await waits(next)).toBe(false)
  })

  it('is at least one, however many platforms send requests', async () => {
    for (let platforms = 0; platforms < 3 * MAX_RUNNING; platforms += 1) {
      expect(await waits(enter(newPlatform()))).toBe(false)
    }
  })

  it('serves waiting requests in the order of arrival', async () => {
    const platform = newPlatform()
    const [first, second] = await fill(platform)
    const order: string[] = []
    const waiting = ['a', 'b'].map((name) => enter(platform).then(() => order.push(name)))
    first?.releaseSlot?.()
    await waiting[0]
    expect(order).toEqual(['a'])
    second?.releaseSlot?.()
    await waiting[1]
    expect(order).toEqual(['a', 'b'])
  })

  it('leaves out a request that waits for another server, and never counts it again once the request is over', async () => {
    const platform = newPlatform()
    const [first] = await fill(platform)
    const next = enter(platform)
    expect(await waits(next)).toBe(true)
    let answer = () => {}
    const answered = first?.withoutSlot?.(() => new Promise<void>((resolve) => (answer = resolve)))
    const { releaseSlot } = await next
    first?.releaseSlot?.()
    answer()
    await answered
    const last = enter(platform)
    expect(await waits(last)).toBe(true)
    releaseSlot?.()
    expect(await waits(last)).toBe(false)
  })

  it('refuses a request that waits longer than DATABASE_WAIT_MS', async () => {
    vi.useFakeTimers()
    try {
      const platform = newPlatform()
      const [first] = await fill(platform)
      const refusal = expect(enter(platform)).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 })
      vi.advanceTimersByTime(config.databaseWaitMs)
      await refusal
      // The turn that it would have had is not lost either.
      first?.releaseSlot?.()
      await enter(platform)
    } finally {
      vi.useRealTimers()
    }
  })
})

interface Outcome {
  readonly status: number
  readonly headers: Headers
  readonly code: unknown
}

it.each<[string, (caller: Credentials) => Promise<Outcome>]>([
  [
    'REST',
    async (caller) => {
      const { status, headers, body } = await rest(caller, '/transactions')
      return { status, headers, code: body['code'] }
    },
  ],
  [
    'GraphQL',
    async (caller) => {
      const { status, headers, errors } = await ask(caller, '{ transactions(first: 1) { nodes { __typename } } }')
      return { status, headers, code: errors?.[0]?.extensions.code }
    },
  ],
])(
  'a flood of one platform over %s is refused beyond the end of its queue, and the others are served',
  async (_face, call) => {
    const [loud, quiet] = await Promise.all([createPlatform(), createPlatform()])
    await otherPlatformsLeave()
    const flood = await db.$transaction(
      async (tx) => {
        // No request of the flood completes in the meantime.
        await tx.$executeRaw`lock table transactions`
        const refused: Outcome[] = []
        const calls = Array.from({ length: MAX_RUNNING + MAX_WAITING + 5 }, async () => {
          const outcome = await call(loud)
          if (outcome.status !== 200) refused.push(outcome)
          return outcome
        })
        await vi.waitFor(() => expect(refused).toHaveLength(5), { timeout: 15_000 })
        for (const { status, code, headers } of refused) {
          expect([status, code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1'])
        }
        return calls
      },
      { timeout: 20_000 },
    )
    expect((await call(quiet)).status).toBe(200)
    const served = (await Promise.all(flood)).filter(({ status }) => status === 200)
    expect(served).toHaveLength(MAX_RUNNING + MAX_WAITING)
  },
)

it.each([
  ['REST', 'GET', '/2025-10-13/transactions', null],
  ['GraphQL', 'POST', '/graphql', JSON.stringify({ query: '{ transactions(first: 1) { nodes { __typename } } }' })],
])('over %s, a client that disconnects frees its slot', async (_face, method, path, body) => {
  const platform = await createPlatform()
  const gateway = await startGateway({ DATABASE_POOL_SIZE: String(MAX_RUNNING) })
  const send = (signal: AbortSignal | null) =>
    fetch(gateway.url + path, {
      method,
      headers: { authorization: basic(platform), ...(body && { 'content-type': 'application/json' }) },
      body,
      signal,
    })
  try {
    await db.$transaction(
      async (tx) => {
        await tx.$executeRaw`lock table transactions`
        for (let round = 0; round < 3; round += 1) {
          const hangUp = new AbortController()
          const calls = Array.from({ length: MAX_RUNNING }, () => send(hangUp.signal).catch(() => null))
          await setTimeout(300)
          hangUp.abort()
          await Promise.all(calls)
        }
      },
      { timeout: 20_000 },
    )
    const answers = await Promise.all(Array.from({ length: MAX_RUNNING + 1 }, () => send(null)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  } finally {
    await gateway.kill()
  }
})

/** Sends one request, of which the body may be missing, over a connection that is then left alone. */
const leaveOpen = async (url: string, lines: readonly string[], body: string) => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `${[...lines, `host: ${hostname}:${port}`, 'content-type: application/json'].join('\r\n')}\r\n\r\n${body}`,
  )
  return socket
}

const MEGABYTES = JSON.stringify({
  query: `{ transactions(first: 100) { nodes { ... on PaymentTransaction { ${Array.from({ length: 29 }, (_, n) => `a${n}: description`).join(' ')} } } } }`,
})

it.each([
  ['GraphQL, a client that disconnects while it is sent a long answer', 'POST /graphql', MEGABYTES, MEGABYTES.length],
  ['REST, a client that never sends its body', 'POST /2025-10-13/quotes', '', 100],
])('over %s holds no slot', { timeout: 30_000 }, async (_client, target, body, length) => {
  const platform = await createPlatform()
  await createTransactions(
    platform,
    Array.from({ length: 100 }, () => incoming({ description: 'é'.repeat(1000) })),
  )
  const gateway = await startGateway({ DATABASE_POOL_SIZE: String(MAX_RUNNING), DATABASE_WAIT_MS: '2000' })
  const lines = [`${target} HTTP/1.1`, `authorization: ${basic(platform)}`, `content-length: ${length}`]
  const sockets = await Promise.all(Array.from({ length: MAX_RUNNING }, () => leaveOpen(gateway.url, lines, body)))
  try {
    await setTimeout(2_000)
    if (body) for (const socket of sockets) socket.destroy()
    const headers = { authorization: basic(platform) }
    const { status } = await fetch(`${gateway.url}/2025-10-13/transactions?limit=1`, { headers })
    expect(status).toBe(200)
  } finally {
    for (const socket of sockets) socket.destroy()
    await gateway.kill()
  }
})

it('an idle process has no delay, even by the smallest limit', async () => {
  const gateway = await startGateway({ OVERLOAD_DELAY_MS: '10' })
  try {
    // The delay of the first second is known by then.
    await setTimeout(1_500)
    const statusOf = async () => (await fetch(`${gateway.url}/2025-10-13/transactions`)).status
    // It is not idle in a second in which a busy machine leaves it no time.
    await vi.waitFor(async () => expect(await statusOf()).toBe(401), { timeout: 20_000, interval: 500 })
  } finally {
    await gateway.kill()
  }
}, 60_000)

it('a lagging process answers 503, and recovers once it has caught up', async () => {
  const gateway = await serve({ port: 0 })
  const statusOf = async (path: string) => (await fetch(gateway.url + path)).status
  try {
    const until = performance.now() + 8_000
    // Yields to all other work each time.
    const hog = () => {
      const pause = performance.now() + 600
      while (performance.now() < pause);
      if (performance.now() < until) setImmediate(hog)
    }
    hog()
    const listHas = (status: number) =>
      vi.waitFor(async () => expect(await statusOf('/2025-10-13/transactions')).toBe(status), { timeout: 10_000 })
    await listHas(503)
    expect(await statusOf('/livez')).toBe(200)
    await listHas(401)
  } finally {
    await gateway.close()
  }
})
