// The GraphQL client: a normalized cache, trusted documents, and one stream of server-sent events.

import { keyless } from 'virtual:graphql-facts'
import { cacheExchange } from '@urql/exchange-graphcache'
import { createClient as createStreamClient } from 'graphql-sse'
import { Client, fetchExchange, subscriptionExchange, type TypedDocumentNode } from 'urql'
import type { TypedDocumentString } from '../gql/graphql.ts'
import { LOGIN_ENDED } from './failure.ts'
import { introspection } from './schema.ts'
import { serverClock } from './server-clock.ts'

/** In development the gateway adds credentials on this path. In production the server of the dashboard adds them after a login. */
const URL = '/dashboard/graphql'

/** Ids of the trusted documents that are in use, by operation name. */
const documentIds = new Map<string, string>()

/** Sends only the id of a trusted document, and not its text. */
const sendById: typeof fetch = async (url, init) => {
  const { operationName, variables } = JSON.parse(String(init?.body))
  const body = JSON.stringify({ documentId: documentIds.get(operationName), operationName, variables })
  const response = await fetch(url, { ...init, body })
  serverClock.read(response.headers.get('date'))
  return response
}

const streams = createStreamClient({
  url: URL,
  fetchFn: sendById,
  // The stream itself decides when to start again, and after which cursor.
  retryAttempts: 0,
})

export const client = new Client({
  url: URL,
  fetch: sendById,
  preferGetMethod: false,
  requestPolicy: 'cache-and-network',
  exchanges: [
    cacheExchange({
      schema: introspection,
      keys: {
        ...Object.fromEntries(keyless.map((type) => [type, () => null])),
        Currency: ({ code }) => (typeof code === 'string' ? code : null),
      },
    }),
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = '', variables, operationName }) => ({
        subscribe: (sink) => ({
          unsubscribe: streams.subscribe(
            { query, variables: variables as Record<string, unknown>, operationName: operationName ?? nameIn(query) },
            {
              ...sink,
              next: (result) => sink.next(result as Result),
              error: (error) =>
                void readRefusal(error).then((refusal) => (refusal ? sink.next(refusal) : sink.error(error))),
            },
          ),
        }),
      }),
    }),
  ],
})

type Result = Parameters<Parameters<ReturnType<ForwardSubscription>['subscribe']>[0]['next']>[0]
type ForwardSubscription = Parameters<typeof subscriptionExchange>[0]['forwardSubscription']

/** A stream that is refused at its start has an HTTP error. The errors of GraphQL are in its body, as JSON or in a single message. */
const readRefusal = async (error: unknown): Promise<Result | undefined> => {
  const response = typeof error === 'object' && error !== null && 'response' in error ? error.response : undefined
  if (!(response instanceof Response)) return undefined
  const refusal = response.status === 401 ? { errors: [LOGIN_ENDED] } : undefined
  try {
    const text = await response.text()
    const { errors } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text)
    return Array.isArray(errors) ? { errors } : refusal
  } catch {
    return refusal
  }
}

const nameIn = (query: string) => /^\s*subscription\s+(\w+)/m.exec(query)?.[1] ?? ''

/** Documents are strings in the bundle, and are parsed when they are used. The build adds the id (build/graphql-facts.ts). */
export const documentOf = <Data, Variables>(document: TypedDocumentString<Data, Variables>) => {
  const { name, hash } = document.__meta__ ?? {}
  documentIds.set(name, hash)
  return document.toString() as unknown as TypedDocumentNode<Data, Variables>
}
