// Dispatches requests: `/graphql` to GraphQL, probes to the process itself, and every other path to REST.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Visit } from '#core/request-context.ts'
import { graphiqlAt } from '#graphql/graphiql/graphiql.ts'
import { createGraphQLServer } from '#graphql/server.ts'
import { type Arrival, arrivalOf, arrivalOfFetch, pathOf } from '#http/arrival.ts'
import { clientAddressOf } from '#http/client-address.ts'
import { corsHeaders, preflightHeaders } from '#http/cors.ts'
import { type Answer, exchange, send } from '#http/exchange.ts'
import { answerWithFile, type File } from '#http/file.ts'
import { refusalOf } from '#http/gate.ts'
import { probeAt } from '#http/probes.ts'
import { answerOf, type Face } from '#http/refusal.ts'
import { createRestApp } from '#rest/app.ts'
import { authenticate } from './authenticate.ts'
import { routes } from './routes.ts'
import { schema } from './schema.ts'

const graphql = createGraphQLServer(schema, authenticate)
const rest = createRestApp(routes, authenticate)

const GRAPHQL_PATH = /^\/graphql\/?$/
const DOCS_PATH = /^\/(docs|openapi\.json)(\/|$)/

const faceOf = (path: string): Face => {
  if (GRAPHQL_PATH.test(path)) return 'graphql'
  if (DOCS_PATH.test(path)) return 'docs'
  return probeAt(path) ? 'probe' : 'rest'
}

/** Answers CORS preflights, requests that fail admission, and requests for GraphiQL. Returns undefined if a face should answer. */
const answerAtTheDoor = (
  face: Face,
  arrival: Arrival,
  { traceId }: Visit,
  file: File | undefined,
): Answer | undefined => {
  const allowed = preflightHeaders(arrival)
  if (allowed) return { status: 204, headers: allowed, body: '' }
  const refusal = refusalOf(face, arrival)
  if (!refusal) return file && answerWithFile(file, arrival.header)
  const { status, headers, body } = answerOf(face, traceId, refusal.error, arrival.header('accept'))
  // The unread rest of the body would block the next request on the connection.
  return { status, headers: { ...headers, ...corsHeaders(arrival), ...refusal.headers, connection: 'close' }, body }
}

/** Handles requests in process, for tests and other runtimes, which pass the address of the peer. */
const fetch = async (request: Request, peerAddress: string | null = null): Promise<Response> => {
  const arrival = arrivalOfFetch(request, peerAddress)
  const path = pathOf(arrival.target)
  const file = graphiqlAt(path, arrival)
  const face = file ? 'docs' : faceOf(path)
  const visit: Visit = { traceId: randomUUID() }
  const clientAddress = clientAddressOf(peerAddress, arrival.header)
  const answer = answerAtTheDoor(face, arrival, visit, file)
  if (answer) return new Response(answer.body || null, answer)
  const response = await whole(visit, async () =>
    face === 'graphql'
      ? graphql.fetch(request, { clientAddress, visit })
      : (probeAt(path)?.() ?? rest.fetch(request, { clientAddress, visit })),
  )
  for (const [name, value] of Object.entries(corsHeaders(arrival))) response.headers.set(name, value)
  return response
}

/** Releases the concurrency slot of the request, whether the work succeeds or fails. */
const whole = async <T>(visit: Visit, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } finally {
    visit.leave?.()
  }
}

interface Bindings {
  readonly clientAddress: string | null
  readonly visit: Visit
}
const bindings = new WeakMap<object, Bindings>()

const restListener = getRequestListener(async (request, { incoming, outgoing }) => {
  const response = await (probeAt(pathOf(incoming.url ?? ''))?.() ?? rest.fetch(request, bindings.get(incoming)))
  // The deadline may have responded already.
  return outgoing.headersSent ? RESPONSE_ALREADY_SENT : response
})

/** Handles requests of node:http. */
const listener = (request: IncomingMessage, response: ServerResponse): void => {
  const arrival = arrivalOf(request)
  const { header } = arrival
  const path = pathOf(arrival.target)
  const file = graphiqlAt(path, arrival)
  const face = file ? 'docs' : faceOf(path)
  const visit: Visit = { traceId: randomUUID() }
  request.url = arrival.target
  exchange(face, visit, request, response, () => {
    const answer = answerAtTheDoor(face, arrival, visit, file)
    if (answer) return send(response, answer)
    if (header('expect')) response.writeContinue()
    for (const [name, value] of Object.entries(corsHeaders(arrival))) response.setHeader(name, value)
    const bound = { clientAddress: clientAddressOf(request.socket.remoteAddress ?? null, header), visit }
    bindings.set(request, bound)
    void whole(visit, async () =>
      face === 'graphql' ? graphql(request, response, bound) : restListener(request, response),
    )
  })
}

export const app = { fetch, listener }
