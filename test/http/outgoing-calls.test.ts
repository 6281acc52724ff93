// However a receiver behaves, a call to it ends, and tells how it ended (docs/domain/events.md#delivery).
// Own process: replaces the timers of the process.
import dns from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { call } from '#http/outgoing/call.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { setEndpoint } from '#test/setup/webhooks/happenings.ts'
import { createPlatform } from '#test/setup/world.ts'

useSettings({ webhookAllowPrivate: true })

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) close()
})

/** A TCP server that runs `answer` on each connection after the request arrives. The connection stays open unless `answer` closes it. */
const startReceiver = async (answer: (socket: Socket) => void) => {
  const closed: Promise<unknown>[] = []
  const server = createServer((socket) => {
    closed.push(once(socket, 'close'))
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
    closing.push(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, closed }
}

const writes = (text: string) => (socket: Socket) => socket.write(text.replaceAll('\n', '\r\n'))
const closesAfter = (text: string) => (socket: Socket) => socket.end(text.replaceAll('\n', '\r\n'))

const SWITCH = 'HTTP/1.1 101 Switching Protocols\nConnection: Upgrade\nUpgrade: x\n\n'
const EARLY = 'HTTP/1.1 100 Continue\n\nHTTP/1.1 102 Processing\n\nHTTP/1.1 103 Early Hints\nlink: </a>\n\n'
const OK = 'HTTP/1.1 200 OK\ncontent-length: 4\n\n'

/** The process has no timer left. */
const callOnly = async (url: string) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { status, body, failure } = await call({ url, mayBePrivate: true, headers: {} })
  expect(vi.getTimerCount()).toBe(0)
  return [status, body, failure]
}

describe('a call ends at once when the receiver', () => {
  it.each<[what: string, answer: (socket: Socket) => void, reply: readonly (number | string | null)[]]>([
    ['answers', writes(`${OK}done`), [200, 'done', null]],
    ['sends informational responses first', writes(`${EARLY}${OK}done`), [200, 'done', null]],
    ['sends informational responses without end', writes(EARLY.repeat(100)), [null, '', 'TOO_LARGE']],
    ['switches protocols', writes(SWITCH), [101, '', 'STATUS']],
    ['switches protocols and says more', writes(`${SWITCH}${OK}done`), [101, '', 'STATUS']],
    ['switches protocols after informational responses', writes(`${EARLY}${SWITCH}`), [101, '', 'STATUS']],
    ['switches protocols and closes', closesAfter(SWITCH), [101, '', 'STATUS']],
    ['closes without an answer', closesAfter(''), [null, '', 'CONNECTION']],
    ['resets the connection', (socket) => socket.resetAndDestroy(), [null, '', 'CONNECTION']],
    ['closes after informational responses', closesAfter(EARLY), [null, '', 'CONNECTION']],
    ['closes within the head', closesAfter('HTTP/1.1 200 OK\ncontent-le'), [null, '', 'CONNECTION']],
    ['closes within the body', closesAfter(`${OK}do`), [200, '', 'CONNECTION']],
    [
      'closes within a chunk',
      closesAfter('HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n4\ndo'),
      [200, '', 'CONNECTION'],
    ],
    ['ends the body by closing', closesAfter('HTTP/1.1 200 OK\n\ndone'), [200, 'done', null]],
    ['answers too much', writes(`HTTP/1.1 200 OK\n\n${'x'.repeat(70_000)}`), [200, '', 'TOO_LARGE']],
    ['does not speak HTTP', writes('hello\n\n'), [null, '', 'CONNECTION']],
  ])('%s', async (_what, answer, reply) => {
    const { url, closed } = await startReceiver(answer)
    expect(await callOnly(url)).toEqual(reply)
    await Promise.all(closed)
  })
})

describe('a call ends when its time is up or its signal ends it, while the receiver', () => {
  it.each([
    ['is silent', writes('')],
    ['has sent informational responses', writes(EARLY)],
    ['is within the head', writes('HTTP/1.1 200 OK\n')],
    ['is within the body', writes(`${OK}do`)],
  ])('%s', async (_what, answer) => {
    const { url, closed } = await startReceiver(answer)
    const request = { url, mayBePrivate: true, headers: {} }
    expect((await call({ ...request, withinMs: 100 })).failure).toBe('TIMEOUT')
    const ending = new AbortController()
    const called = call({ ...request, signal: ending.signal })
    await expect.poll(() => closed.length).toBe(2)
    ending.abort(new Error('stopped'))
    await expect(called).rejects.toThrow('stopped')
    await expect(call({ ...request, signal: ending.signal })).rejects.toThrow('stopped')
    await Promise.all(closed)
  })
})

describe('calls that keep their connection', () => {
  /** Counts its connections. The answer to the nth request of a connection is that of `answer`, or the connection is closed. */
  const startCounting = async (answer: (nth: number) => string | null = () => `${OK}done`) => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      let requests = 0
      socket.on('error', () => {})
      socket.on('data', () => {
        requests += 1
        const text = answer(requests)
        if (text === null) socket.destroy()
        else socket.write(text.replaceAll('\n', '\r\n'))
      })
      closing.push(() => socket.destroy())
    }).listen(0, '127.0.0.1')
    closing.push(() => server.close())
    await once(server, 'listening')
    return { port: (server.address() as AddressInfo).port, connections: () => connections }
  }
  const keeping = (url: string, mayBePrivate = true) =>
    call({ url, mayBePrivate, headers: {}, body: Buffer.from('{}'), keepsConnection: true })

  it('use that of the one before', async () => {
    const { port, connections } = await startCounting()
    for (let calls = 0; calls < 3; calls += 1)
      expect(await keeping(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200, body: 'done', failure: null })
    expect(connections()).toBe(1)
  })

  it('open another one after an answer that was not read to its end', async () => {
    const { port, connections } = await startCounting(() => `HTTP/1.1 200 OK\n\n${'x'.repeat(70_000)}`)
    for (let calls = 0; calls < 3; calls += 1)
      expect(await keeping(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200, failure: 'TOO_LARGE' })
    expect(connections()).toBe(3)
  })

  it('open another one if the receiver has closed it meanwhile', async () => {
    const { port, connections } = await startCounting((nth) => (nth === 1 ? `${OK}done` : null))
    for (let calls = 0; calls < 2; calls += 1)
      expect(await keeping(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200, body: 'done', failure: null })
    expect(connections()).toBe(2)
  })

  it('close it after two minutes, even if the receiver never lets it be idle', async () => {
    const later = (minutes: number) => vi.advanceTimersByTime(minutes * 60_000)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    // The connections of the tests before are replaced.
    later(60)
    const { url, closed } = await startReceiver((socket) => {
      socket.write(`${OK}done`.replaceAll('\n', '\r\n'))
      const more = setInterval(() => socket.write('x'), 100)
      socket.on('close', () => clearInterval(more))
    })
    expect(await keeping(url)).toMatchObject({ status: 200, failure: null })
    later(2)
    await Promise.all(closed)
  })

  it('open another one if the one before may lead to a private address', async () => {
    const { port, connections } = await startCounting()
    const url = `http://receiver.example:${port}/`
    const found = vi.spyOn(dns, 'lookup') as unknown as MockInstance
    found.mockImplementation((_name: string, { all }: { all: boolean }, done: (...found: unknown[]) => void) =>
      all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
    )
    vi.spyOn(dns.promises.Resolver.prototype, 'resolve4').mockResolvedValue(['127.0.0.1'] as never)
    vi.spyOn(dns.promises.Resolver.prototype, 'resolve6').mockResolvedValue([] as never)
    expect(await keeping(url)).toMatchObject({ status: 200 })
    expect(await keeping(url, false)).toMatchObject({ status: null, failure: 'ADDRESS_REFUSED' })
    expect(connections()).toBe(1)
  })
})

it('a test webhook to a receiver that switches protocols is answered', async () => {
  const { url } = await startReceiver(writes(SWITCH))
  const platform = await createPlatform()
  await setEndpoint(platform, url)
  const { status, body } = await send(platform, 'POST', '/sandbox/webhooks/test')
  expect([status, body]).toEqual([200, { url, response_status: 101, response_body: '' }])
})
