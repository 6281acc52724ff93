// Calls over GraphQL and REST, in process: the same bytes as over the network.

import { app } from '#app.ts'
import type { TypedDocumentString } from '../gql/graphql.ts'

/** An API token as its owner knows it. */
export interface Credentials {
  readonly clientId: string
  readonly secret: string
}

export const basic = ({ clientId, secret }: Credentials) =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

interface GraphQLFailure {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: {
    readonly status: number
    readonly code: string
    readonly traceId: string
    readonly details?: {
      readonly field?: string
      readonly constraint?: object
      readonly reason?: string
    }
  }
}

export interface GraphQLAnswer<T> {
  readonly status: number
  readonly headers: Headers
  readonly data: T
  readonly errors?: readonly GraphQLFailure[]
}

/** The whole response of one operation, including errors. Untyped text is for documents that a typed client cannot write. */
export const ask = async <T, V>(
  caller: Credentials | null,
  document: TypedDocumentString<T, V> | string,
  variables?: V,
): Promise<GraphQLAnswer<T>> => {
  const response = await app.fetch(
    new Request('http://test/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(caller && { authorization: basic(caller) }),
      },
      body: JSON.stringify({ query: document.toString(), variables }),
    }),
  )
  const body = (await response.json()) as { data: T; errors?: readonly GraphQLFailure[] }
  return { status: response.status, headers: response.headers, ...body }
}

/** The data of an operation that must succeed. A failure throws with the query and the whole body. */
export const query = async <T, V>(
  caller: Credentials,
  document: TypedDocumentString<T, V>,
  variables?: V,
): Promise<T> => {
  const answer = await ask(caller, document, variables)
  if (answer.errors) throw new Error(`${document}\n${JSON.stringify(variables)}\n${JSON.stringify(answer, null, 2)}`)
  return answer.data
}

export interface RestAnswer<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** `path` is relative to the base address, for example `/transactions?limit=2`. */
export const rest = async <T = Record<string, unknown>>(
  caller: Credentials | null,
  path: string,
  init: RequestInit = {},
): Promise<RestAnswer<T>> => {
  const response = await app.fetch(
    new Request(`http://test/2025-10-13${path}`, {
      ...init,
      headers: { ...(caller && { authorization: basic(caller) }), ...init.headers },
    }),
  )
  return { status: response.status, headers: response.headers, body: (await response.json()) as T }
}
