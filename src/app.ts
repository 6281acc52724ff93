// Both faces behind one address: `/graphql` is GraphQL, every other path REST.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createGraphQLServer } from '#graphql/server.ts'
import { createRestApp } from '#rest/app.ts'
import { authenticate } from './authenticate.ts'

const graphql = createGraphQLServer(authenticate)
const rest = createRestApp(authenticate)
const restListener = getRequestListener(rest.fetch)

const GRAPHQL_PATH = /^\/graphql\/?(\?|$)/

export const app = {
  /** In process, for tests and other runtimes. */
  fetch: async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    return GRAPHQL_PATH.test(pathname) ? graphql.fetch(request) : rest.fetch(request)
  },
  /** For node:http. */
  listener: (request: IncomingMessage, response: ServerResponse): void => {
    if (GRAPHQL_PATH.test(request.url ?? '')) void graphql(request, response)
    else void restListener(request, response)
  },
}
