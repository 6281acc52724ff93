// Clients of streams of server-sent events, over GraphQL and REST.
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { app } from '#app.ts'
import type { Authorization } from '#test/setup/agents/agent-faces.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of messages.
type Json = any

export interface Sent {
  readonly event: string | undefined
  /** The cursor. */
  readonly id: string | undefined
  readonly data: Json
}

export interface Stream {
  readonly response: Response
  /** The next message. Undefined at the end of the response. */
  next(): Promise<Sent | undefined>
  /** As a client that hangs up. */
  close(): void
}

interface Where {
  /** The address of a gateway. In process without it. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

const open = async (
  authorization: Authorization,
  path: string,
  init: RequestInit,
  { url, headers }: Where,
): Promise<Stream> => {
  const hangUp = new AbortController()
  const request = new Request(`${url ?? 'http://test'}${path}`, {
    ...init,
    signal: hangUp.signal,
    headers: { accept: 'text/event-stream', ...(authorization && { authorization }), ...init.headers, ...headers },
  })
  const response = await (url === undefined ? app.fetch(request) : fetch(request))
  const reader = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  return {
    response,
    next: async () => {
      const { value } = (await reader?.read()) ?? {}
      return value && { event: value.event, id: value.id, data: value.data === '' ? null : JSON.parse(value.data) }
    },
    close: () => hangUp.abort(),
  }
}

export const subscribe = (authorization: Authorization, query: string, variables: object = {}, where: Where = {}) =>
  open(
    authorization,
    '/graphql',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }) },
    where,
  )

export const streamEvents = (authorization: Authorization, query = '', where: Where = {}) =>
  open(authorization, `/2025-10-13/webhooks/events/stream${query}`, {}, where)

/** The next message that `isWanted`. Throws at the end of the stream. */
export const nextWhere = async (stream: Stream, isWanted: (sent: Sent) => boolean): Promise<Sent> => {
  for (;;) {
    const sent = await stream.next()
    if (!sent) throw new Error('The stream has ended')
    if (isWanted(sent)) return sent
  }
}
