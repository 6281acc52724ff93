// A place where text of a caller is handled, and the requests that fill it: those of operations, of HTTP and of GraphQL.
import { type Shape, textShapes } from './shapes.ts'

export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body?: string
}

export interface HostilePlace {
  readonly name: string
  readonly shapes: readonly (readonly [name: string, shape: Shape])[]
  readonly request: (input: string) => WireRequest
  /** The response is as long as what is requested, not as what is sent. */
  readonly isData?: boolean
  /** Every shape is tried in CI too, because no other place is like it. */
  readonly isAlwaysWhole?: boolean
  /** Where the input is limited to less than a body. */
  readonly limit?: 'headers' | 'introspection'
}

const JSON_TYPE = { 'content-type': 'application/json' }

export const postJson = (target: string, authorization: string | null, body: string, method = 'POST'): WireRequest => ({
  method,
  target,
  headers: { ...JSON_TYPE, ...(authorization !== null && { authorization }) },
  body,
})

export const getPath = (target: string, authorization: string | null): WireRequest => ({
  method: 'GET',
  target,
  headers: authorization === null ? {} : { authorization },
})

/** The position of hostile input in a text. */
export const HERE = '@@here@@'

/** Text that a header can carry. */
export const headerTexts = {
  shapes: textShapes(String, (text) => /^[\t\x20-\xff]*$/.test(text)),
  limit: 'headers',
} as const
