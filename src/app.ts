// Both faces behind one address: `/graphql` is GraphQL, every other path REST.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createGraphQLServer } from '#graphql/server.ts'
import { createRestApp } from '#rest/app.ts'
import { authenticate } from './authenticate.ts'

const graphql = createGraphQLServer(authenticate)
const rest = createRestApp(authenticate)
const restListener = getRequestListener((request, { incoming }) =>
  rest.fetch(request, { clientAddress: incoming.socket.remoteAddress ?? null }),
)

const GRAPHQL_PATH = /^\/graphql\/?(\?|$)/

export const app = {
  /** In process, for tests and other runtimes; these know the client's address. */
  fetch: async (request: Request, clientAddress: string | null = null): Promise<Response> => {
    const { pathname } = new URL(request.url)
    return GRAPHQL_PATH.test(pathname)
      ? graphql.fetch(request, { clientAddress })
      : rest.fetch(request, { clientAddress })
  },
  /** For node:http. */
  listener: (request: IncomingMessage, response: ServerResponse): void => {
    const clientAddress = request.socket.remoteAddress ?? null
    if (GRAPHQL_PATH.test(request.url ?? '')) void graphql(request, response, { clientAddress })
    else void restListener(request, response)
  },
}
