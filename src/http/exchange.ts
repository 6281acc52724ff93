// Runs one request over node:http: enforces the deadline, and writes logs, metrics and a span when the response is finished.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '#core/errors.ts'
import { logRequest } from '#core/log.ts'
import type { RequestContext } from '#core/request-context.ts'
import { startRequestSpan } from '#core/tracing.ts'
import { errorAnswer, type Face } from './error-answer.ts'
import { countRequest } from './metrics.ts'

const DEADLINE_MS = 10_000
/** How long a client may take for its head and body. */
const BODY_MS = 15_000
/** An upload may be as slow as 100 bytes a millisecond. */
const bodyMsOf = (uploadBytes: number) => BODY_MS + uploadBytes / 100
/** The time of the longest upload that any route could allow. */
export const LONGEST_REQUEST_MS = bodyMsOf(100_000_000)
/** A connection with nothing sent or received for this long is closed. */
export const IDLE_MS = 15_000

/** The client disconnected before the response was sent. This is not an HTTP status, but a common convention in logs. */
const HUNG_UP = 499

/**
 * Runs `work`, which sends the response. If it takes too long, the deadline responds with 504. `uploadBytes` is given if the body is a file
 * of at most that size.
 */
export const exchange = (
  face: Face,
  requestContext: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
  work: () => void,
  uploadBytes = 0,
) => {
  const began = performance.now()
  const method = METHODS.has(request.method ?? '') ? String(request.method) : 'other'
  const span = startRequestSpan(request.headers)
  const workMs = DEADLINE_MS + (uploadBytes > 0 ? bodyMsOf(uploadBytes) : 0)
  const deadline = setTimeout(() => giveUp(face, requestContext.traceId, request, response), workMs)
  const bodyDeadline = setTimeout(() => cutOff(request, response), bodyMsOf(uploadBytes))
  // While it waits for its turn, its body is not read and the connection is silent.
  if (uploadBytes > 0) request.socket.setTimeout(bodyMsOf(uploadBytes) + IDLE_MS)
  response.once('close', () => {
    clearTimeout(deadline)
    clearTimeout(bodyDeadline)
    const status = response.writableFinished ? response.statusCode : HUNG_UP
    const { traceId, operation, platformId } = requestContext
    const milliseconds = Math.round(performance.now() - began)
    const answered = { traceId, face, method, operation, status, milliseconds, platformId }
    if (face !== 'probe') logRequest(answered)
    countRequest(answered)
    span?.end(
      `${method} ${operation ?? face}`,
      {
        'http.request.method': method,
        'http.response.status_code': status,
        'paygraph.trace_id': traceId,
      },
      status >= 500,
    )
  })
  if (span) span.run(work)
  else work()
}

/** Other methods share one metric label, because clients can invent any number of them. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** An incomplete body has its own time limit. The work itself continues; Postgres cancels its statements after five seconds. */
const giveUp = (face: Face, traceId: string, request: IncomingMessage, response: ServerResponse) => {
  if (response.headersSent || !request.complete) return
  const error = new ApiError('GATEWAY_TIMEOUT', 'The request timed out. A change may still have been made.')
  send(response, errorAnswer(face, traceId, error, request.headers.accept))
}

/** Does what node:http does after `requestTimeout`, which is the same for all routes. */
const cutOff = ({ complete, socket }: IncomingMessage, { headersSent }: ServerResponse) => {
  if (complete) return
  socket.end(headersSent ? '' : 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n', () => socket.destroy())
}

/** Returns the value of a header, or null or undefined if it is absent. */
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
