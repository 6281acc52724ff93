// One request over node:http from its first line to the last byte of its answer: its id, its deadline, and what is noted of it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '#core/errors.ts'
import { logRequest } from '#core/log.ts'
import type { Visit } from '#core/request-context.ts'
import { startRequestSpan } from '#core/tracing.ts'
import { countRequest } from './metrics.ts'
import { answerOf, type Face } from './refusal.ts'

const DEADLINE_MS = 10_000

/** The client was gone before its answer was. No status of HTTP, but known by this number. */
const HUNG_UP = 499

/** Runs `work`, which answers sooner or later; where it does not, the deadline does. */
export const exchange = (
  face: Face,
  visit: Visit,
  request: IncomingMessage,
  response: ServerResponse,
  work: () => void,
) => {
  const began = performance.now()
  const method = METHODS.has(request.method ?? '') ? String(request.method) : 'other'
  const span = startRequestSpan(request.headers)
  const deadline = setTimeout(() => giveUp(face, visit.traceId, request, response), DEADLINE_MS)
  response.once('close', () => {
    clearTimeout(deadline)
    const status = response.writableFinished ? response.statusCode : HUNG_UP
    const answered = { ...visit, face, method, status, milliseconds: Math.round(performance.now() - began) }
    if (face !== 'probe') logRequest(answered)
    countRequest(answered)
    span?.end(
      `${method} ${visit.operation ?? face}`,
      { 'http.request.method': method, 'http.response.status_code': status, 'paygraph.trace_id': visit.traceId },
      status >= 500,
    )
  })
  if (span) span.run(work)
  else work()
}

/** All others are one name in the metrics: there is no end of them. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A body that is still on its way has a time limit of its own. What runs goes on: Postgres ends it in five seconds. */
const giveUp = (face: Face, traceId: string, request: IncomingMessage, response: ServerResponse) => {
  if (response.headersSent || !request.complete) return
  const error = new ApiError(
    'GATEWAY_TIMEOUT',
    'There was no answer in time. A change may have been made all the same.',
  )
  send(response, answerOf(face, traceId, error, request.headers.accept))
}

/** The value of a header, none when it is absent. */
export type Header = (name: string) => string | null | undefined

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer<ArrayBuffer>
}

export const send = (response: ServerResponse, { status, headers, body }: Answer) => {
  const hasBody = status !== 204 && status !== 304
  response.writeHead(status, { ...headers, ...(hasBody && { 'content-length': Buffer.byteLength(body) }) })
  response.end(body)
}
