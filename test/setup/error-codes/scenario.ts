// What makes a face answer with an error code.

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

/** An answer of either face. */
export interface Answer {
  readonly status: number
  readonly body: Json
}

/** Makes real calls. Returns the last answer, which has the code. */
export type Scenario = () => Promise<Answer>

/** Why no call can get the code today. */
export interface Unreachable {
  readonly reason: string
}

/** HTTP status and code over REST; the first error or the failure in the payload over GraphQL, which has its status beside the code. */
export const producedBy = ({ status, body }: Answer): { readonly status: number; readonly code: string } => {
  const inGraphQL = body?.errors?.[0]?.extensions ?? Object.values(body?.data ?? {})[0]
  return inGraphQL?.code === undefined
    ? { status, code: body?.code }
    : { status: inGraphQL.status, code: inGraphQL.code }
}
