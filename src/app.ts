// Dispatches requests: `/graphql` to GraphQL, probes to the process itself, files to GraphiQL or the dashboard, and every other path to REST.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { API_VERSION } from '#core/api-version.ts'
import type { ApiError } from '#core/errors.ts'
import { inRequest, type RequestContext } from '#core/request-context.ts'
import { isForGraphiql } from '#graphql/graphiql/graphiql.ts'
import { createGraphQLServer } from '#graphql/server.ts'
import { refusalOf } from '#http/admission.ts'
import { clientAddressOf } from '#http/client-address.ts'
import { corsHeaders, preflightHeaders } from '#http/cors.ts'
import { dashboardCallAt } from '#http/dashboard/calls.ts'
import { dashboardFileAt } from '#http/dashboard/files.ts'
import { errorAnswer, type Face } from '#http/error-answer.ts'
import { type Answer, exchange, send } from '#http/exchange.ts'
import { answerWithFile, type File } from '#http/file.ts'
import { probeAt } from '#http/probes.ts'
import { headOf, headOfFetch, pathOf, type RequestHead } from '#http/request-head.ts'
import { createUploadFinder, type UploadRoute } from '#http/uploads.ts'
import { createRestApp } from '#rest/app.ts'
import type { RestVariables } from '#rest/router.ts'
import { authenticate } from './authenticate.ts'
import { routes } from './routes.ts'
import { schema } from './schema.ts'
import './tasks.ts'

const graphql = createGraphQLServer(schema, authenticate)
const rest = createRestApp(routes, authenticate)
const uploadOf = createUploadFinder(`/${API_VERSION}`, routes.uploads)

const GRAPHQL_PATH = /^\/graphql\/?$/
/** Pages for people, which need no credentials. */
const DOCS_PATH = new RegExp(`^/(docs|openapi\\.json|${API_VERSION}/openapi\\.json|card-numbers)(/|$)`)

const faceOf = (path: string, head: RequestHead): Face => {
  if (isForGraphiql(path, head)) return 'docs'
  if (GRAPHQL_PATH.test(path)) return 'graphql'
  if (DOCS_PATH.test(path)) return 'docs'
  return probeAt(path) ? 'probe' : 'rest'
}

/** The first segments of the paths that the dashboard does not answer. */
const TAKEN = new Set(['graphql', 'dashboard', ...rest.routes.map(({ path }) => path.split('/')[1]).filter(Boolean)])
const isTaken = (path: string) => TAKEN.has(path.split('/')[1]) || probeAt(path) !== undefined

/** A file of the dashboard. */
const fileAt = (path: string, head: RequestHead): File | undefined =>
  isTaken(path) ? undefined : dashboardFileAt(path, head)

/** What is known about a request before a face sees it. */
interface Asked {
  readonly file: File | undefined
  readonly upload: UploadRoute | undefined
  /** Why the dashboard's call is refused. */
  readonly dashboardRefusal?: ApiError | undefined
}

/** Answers CORS preflights, requests that fail admission, and requests for files. Returns undefined if a face should answer. */
const answerAtAdmission = (
  face: Face,
  head: RequestHead,
  { traceId }: RequestContext,
  { file, upload, dashboardRefusal }: Asked,
): Answer | undefined => {
  const allowed = preflightHeaders(head)
  if (allowed) return { status: 204, headers: allowed, body: '' }
  const refusal = dashboardRefusal ? { error: dashboardRefusal } : refusalOf(face, head, upload)
  if (!refusal) return file && answerWithFile(file, head.header)
  const { status, headers, body } = errorAnswer(face, traceId, refusal.error, head.header('accept'))
  // The unread rest of the body would block the next request on the connection.
  return { status, headers: { ...headers, ...corsHeaders(head), ...refusal.headers, connection: 'close' }, body }
}

/** Handles requests in process, for tests and for other runtimes, which pass the address of the peer. */
const fetch = async (request: Request, peerAddress: string | null = null): Promise<Response> => {
  const head = headOfFetch(request, peerAddress)
  const path = pathOf(head.target)
  const file = fileAt(path, head)
  const face = file ? 'docs' : faceOf(path, head)
  const requestContext: RequestContext = { traceId: randomUUID() }
  const clientAddress = () => clientAddressOf(peerAddress, head.header)
  const upload = uploadOf(head)
  const answer = answerAtAdmission(face, head, requestContext, { file, upload })
  if (answer) return new Response(answer.body || null, answer)
  const response = await withSlotReleased(requestContext, async () =>
    face === 'graphql'
      ? graphql.fetch(request, { clientAddress, requestContext })
      : (probeAt(path)?.() ?? rest.fetch(request, { clientAddress, requestContext, isUpload: upload !== undefined })),
  )
  for (const [name, value] of Object.entries(corsHeaders(head))) response.headers.set(name, value)
  return response
}

/** Handles the request, and releases its concurrency slot, whether the work succeeds or fails. */
const withSlotReleased = async <T>(requestContext: RequestContext, work: () => Promise<T>): Promise<T> => {
  try {
    return await inRequest(requestContext, work)
  } finally {
    requestContext.releaseSlot?.()
  }
}

const BINDINGS = Symbol('bindings')
/** Not in a WeakMap, because the value refers to the request: V8 would keep both until the next full collection. */
type Bound = IncomingMessage & { [BINDINGS]?: RestVariables['Bindings'] }

const restListener = getRequestListener(async (request, { incoming, outgoing }) => {
  const bound = (incoming as Bound)[BINDINGS]
  const response = await (probeAt(pathOf(incoming.url ?? ''))?.() ?? rest.fetch(request, bound))
  // Sending may take as long as the client likes.
  bound?.requestContext.releaseSlot?.()
  if (!outgoing.headersSent) return response
  // The deadline has responded already. An event stream would stay open without a reader.
  await response.body?.cancel()
  return RESPONSE_ALREADY_SENT
})

/** Handles requests of node:http. */
const listener = (request: IncomingMessage, response: ServerResponse): void => {
  const head = headOf(request)
  const { header } = head
  const path = pathOf(head.target)
  const file = fileAt(path, head)
  const peerAddress = request.socket.remoteAddress ?? null
  const call = dashboardCallAt(path, head, peerAddress)
  const face = file ? 'docs' : call ? 'graphql' : faceOf(path, head)
  const requestContext: RequestContext = { traceId: randomUUID() }
  const upload = uploadOf(head)
  request.url = call ? '/graphql' : head.target
  const work = () => {
    const answer = answerAtAdmission(face, head, requestContext, { file, upload, dashboardRefusal: call?.refusal })
    if (answer) return send(response, answer)
    if (call) request.headers.authorization = call.authorization
    if (header('expect')) response.writeContinue()
    for (const [name, value] of Object.entries(corsHeaders(head))) response.setHeader(name, value)
    const clientAddress = () => clientAddressOf(peerAddress, header)
    const bound = { clientAddress, requestContext, isUpload: upload !== undefined }
    void withSlotReleased(requestContext, async () =>
      face === 'graphql'
        ? graphql(request, response, bound)
        : restListener(Object.assign(request, { [BINDINGS]: bound }), response),
    )
  }
  exchange(face, requestContext, request, response, work, upload?.maxBytes)
}

export const app = { fetch, listener }
