// The operations on contacts and second factors over both APIs. Answers have the shape of REST in either case; a 204 has no body.
import { app } from '#app.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
export type Json = any

export interface Answer {
  readonly status: number
  readonly body: Json
}

/** `{contact}` of the path is `EMAIL` or `PHONE`. */
export interface ScaFace {
  readonly name: 'GraphQL' | 'REST'
  startContact(caller: Credentials, customerId: string, contact: 'EMAIL' | 'PHONE'): Promise<Answer>
  confirmContact(caller: Credentials, customerId: string, contact: 'EMAIL' | 'PHONE', code: string): Promise<Answer>
}

export const callRest = async (
  caller: Credentials,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer & { readonly headers: Headers }> => {
  const response = await app.fetch(
    new Request(`http://test/2025-10-13${path}`, {
      method,
      headers: {
        authorization: basic(caller),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
}

/** A failure as REST has it, or the selection of the member with its status. */
export const mutate = async (
  caller: Credentials,
  name: string,
  input: object,
  selection: string,
  { status = 200, bodyOf = (member: Json): Json => member } = {},
): Promise<Answer> => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const { body } = await callGraphQL(
    basic(caller),
    `mutation ($input: ${type}Input!) { answer: ${name}(input: $input) {
      __typename ... on ${type}Success { ${selection} }
      ... on ApiError { status code message details { field reason other } }
    } }`,
    { input },
  )
  const error = body.errors?.[0]
  if (error) return { status: error.extensions?.status, body: { message: error.message, ...error.extensions } }
  const { answer } = body.data
  if ('code' in answer) return { status: answer.status, body: { ...answer, details: detailsOf(answer.details) } }
  return { status, body: bodyOf(answer) }
}

const detailsOf = (details: Json) => {
  if (details === null) return undefined
  const { other, ...rest } = details
  return Object.fromEntries(Object.entries({ ...rest, ...other }).filter(([, value]) => value !== null))
}

const pathOf = (customerId: string, contact: 'EMAIL' | 'PHONE') =>
  `/customers/${customerId}/verify-${contact.toLowerCase()}`

const CUSTOMER = 'customer { id contactVerification { email phone } }'

export const scaFaces: readonly ScaFace[] = [
  {
    name: 'GraphQL',
    startContact: (caller, customerId, contact) =>
      mutate(caller, 'startContactVerification', { customerId, contact }, 'customer { id }', {
        status: 204,
        bodyOf: () => null,
      }),
    confirmContact: (caller, customerId, contact, code) =>
      mutate(caller, 'confirmContactVerification', { customerId, contact, code }, CUSTOMER, {
        bodyOf: ({ customer }) => customer,
      }),
  },
  {
    name: 'REST',
    startContact: (caller, customerId, contact) => callRest(caller, 'POST', pathOf(customerId, contact)),
    confirmContact: (caller, customerId, contact, code) =>
      callRest(caller, 'POST', `${pathOf(customerId, contact)}/confirm`, { code }),
  },
]
