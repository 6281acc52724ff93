// Both faces behind one address: `/graphql` is GraphQL, every other path REST, but for what machines ask of the process itself.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Visit } from '#core/request-context.ts'
import { graphiqlAt } from '#graphql/graphiql/graphiql.ts'
import { createGraphQLServer } from '#graphql/server.ts'
import { corsHeaders, preflightHeaders } from '#http/cors.ts'
import { type Answer, exchange, send } from '#http/exchange.ts'
import { answerWithFile, type File } from '#http/file.ts'
import { type Arrival, refusalOf } from '#http/gate.ts'
import { probeAt } from '#http/probes.ts'
import { answerOf, type Face } from '#http/refusal.ts'
import { createRestApp } from '#rest/app.ts'
import { authenticate } from './authenticate.ts'
import { routes } from './routes.ts'
import { schema } from './schema.ts'

const graphql = createGraphQLServer(schema, authenticate)
const rest = createRestApp(routes, authenticate)

const GRAPHQL_PATH = /^\/graphql\/?(\?|$)/
const DOCS_PATH = /^\/(docs|openapi\.json)([/?]|$)/

const faceOf = (target: string): Face => {
  if (GRAPHQL_PATH.test(target)) return 'graphql'
  if (DOCS_PATH.test(target)) return 'docs'
  return probeAt(target) ? 'probe' : 'rest'
}

/** What is answered before any face is asked: questions of browsers about other origins, what no face needs to see, and GraphiQL. */
const answerAtTheDoor = (arrival: Arrival, { traceId }: Visit, file: File | undefined): Answer | undefined => {
  const { face, method, header } = arrival
  const allowed = preflightHeaders(method, header)
  if (allowed) return { status: 204, headers: allowed, body: '' }
  const refusal = refusalOf(arrival)
  if (!refusal) return file && answerWithFile(file, header)
  const { status, headers, body } = answerOf(face, traceId, refusal.error, header('accept'))
  // What is left of the body would stand in the way of the next request.
  return { status, headers: { ...headers, ...corsHeaders(header), ...refusal.headers, connection: 'close' }, body }
}

/** In process, for tests and other runtimes; these know the client's address. */
const fetch = async (request: Request, clientAddress: string | null = null): Promise<Response> => {
  const { pathname } = new URL(request.url)
  const visit: Visit = { traceId: randomUUID() }
  const header = (name: string) => request.headers.get(name)
  const file = graphiqlAt(pathname, request.method, header)
  const face = file ? 'docs' : faceOf(pathname)
  const answer = answerAtTheDoor({ face, method: request.method, header }, visit, file)
  if (answer) return new Response(answer.body || null, answer)
  const response = await whole(visit, async () =>
    face === 'graphql'
      ? graphql.fetch(request, { clientAddress, visit })
      : (probeAt(pathname)?.() ?? rest.fetch(request, { clientAddress, visit })),
  )
  for (const [name, value] of Object.entries(corsHeaders(header))) response.headers.set(name, value)
  return response
}

/** What it took of the platform's turns is given back, however it ends. */
const whole = async <T>(visit: Visit, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } finally {
    visit.leave?.()
  }
}

const visits = new WeakMap<object, Visit>()

const restListener = getRequestListener(async (request, { incoming, outgoing }) => {
  const clientAddress = incoming.socket.remoteAddress ?? null
  const visit = visits.get(incoming) ?? { traceId: randomUUID() }
  const response = await (probeAt(incoming.url ?? '')?.() ?? rest.fetch(request, { clientAddress, visit }))
  // By the deadline.
  return outgoing.headersSent ? RESPONSE_ALREADY_SENT : response
})

/** For node:http. */
const listener = (request: IncomingMessage, response: ServerResponse): void => {
  const { url = '/', method = 'GET', headers, socket } = request
  const visit: Visit = { traceId: randomUUID() }
  const header = (name: string) => headers[name]?.toString()
  const file = graphiqlAt(url, method, header)
  const face = file ? 'docs' : faceOf(url)
  exchange(face, visit, request, response, () => {
    const answer = answerAtTheDoor({ face, method, header }, visit, file)
    if (answer) return send(response, answer)
    if (header('expect')) response.writeContinue()
    for (const [name, value] of Object.entries(corsHeaders(header))) response.setHeader(name, value)
    visits.set(request, visit)
    void whole(visit, async () =>
      face === 'graphql'
        ? graphql(request, response, { clientAddress: socket.remoteAddress ?? null, visit })
        : restListener(request, response),
    )
  })
}

export const app = { fetch, listener }
