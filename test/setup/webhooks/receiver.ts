// A platform's own server that receives webhooks, on this machine.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The same for all requests of a connection. */
  readonly connection: number | undefined
  /** Milliseconds of the process. */
  readonly at: number
}

/** The status, or the whole response. */
type Answer = number | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

/** Answers 200 unless told otherwise. */
export const startReceiver = async (
  answer: (received: Received, nth: number) => Answer | Promise<Answer> = () => 200,
) => {
  const received: Received[] = []
  let open = 0
  let mostOpen = 0
  let ended = 0
  const server = createServer(async (request, response) => {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    response.on('close', () => {
      open -= 1
      ended += 1
    })
    let text = ''
    request.setEncoding('utf8')
    for await (const part of request) text += part
    const { id, type, data } = JSON.parse(text)
    const one = {
      id,
      type,
      subject: data.id ?? id,
      path: request.url ?? '',
      headers: request.headers,
      text,
      connection: request.socket.remotePort,
      at: performance.now(),
    }
    received.push(one)
    const given = await answer(one, received.filter((other) => other.id === id).length)
    const { status, headers = {}, body = '' } = typeof given === 'number' ? { status: given } : given
    response.writeHead(status, headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    /** The number of requests that were answered, or given up by the sender. */
    ended: () => ended,
    mostOpen: () => mostOpen,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>
