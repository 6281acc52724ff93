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
  enrol(caller: Credentials, input: object): Promise<Answer>
  confirm(caller: Credentials, input: object): Promise<Answer>
  remove(caller: Credentials, customerId: string, credentialId: string): Promise<Answer>
  /** The answer is a list of types. */
  factors(caller: Credentials, customerId: string): Promise<Answer>
  startLogin(caller: Credentials, input: object): Promise<Answer>
  completeLogin(caller: Credentials, input: object): Promise<Answer>
  recordEvent(caller: Credentials, input: object): Promise<Answer>
  startReset(caller: Credentials, input: object): Promise<Answer>
  readReset(caller: Credentials, customerId: string, id: string): Promise<Answer>
  completeReset(caller: Credentials, id: string, input: object): Promise<Answer>
  authorize(caller: Credentials, quoteId: string, proof: object): Promise<Answer>
  resend(caller: Credentials, quoteId: string): Promise<Answer>
  /** `change` is `trust` or `untrust`. */
  startTrust(caller: Credentials, accountId: string, change: 'trust' | 'untrust'): Promise<Answer>
  confirmTrust(caller: Credentials, accountId: string, change: 'trust' | 'untrust', proof: object): Promise<Answer>
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
  { status = 200, bodyOf = (member: Json): Json => member, more = '', success = true } = {},
): Promise<Answer> => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const { body } = await callGraphQL(
    basic(caller),
    `mutation ($input: ${type}Input!) { answer: ${name}(input: $input) {
      __typename ${success ? `... on ${type}Success { ${selection} }` : ''}
      ${more}
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

const CHALLENGE =
  'scaChallenge { id factor: factorType availableFactors: availableFactorTypes purpose: challengePurpose passkeyAssertionOptions passkeyAllowedOrigins }'
const LOGIN = `loginStatus authenticatedUntil ${CHALLENGE}`
const loginOf = ({ loginStatus: status, ...rest }: Json) => present({ status, ...rest })
const present = (value: Json) =>
  Object.fromEntries(Object.entries(value).filter(([name, part]) => part !== null && name !== '__typename'))
const named = (change: 'trust' | 'untrust') => `${change.charAt(0).toUpperCase()}${change.slice(1)}`
const none = { status: 204, bodyOf: () => null }
const trustPath = (accountId: string, change: string) => `/customers/external-accounts/${accountId}/${change}`

/** A query, whose failures are errors. */
const query = async (caller: Credentials, text: string, variables: object, bodyOf: (data: Json) => Json) => {
  const { body } = await callGraphQL(basic(caller), text, variables)
  const error = body.errors?.[0]
  return error
    ? { status: error.extensions?.status, body: { message: error.message, ...error.extensions } }
    : { status: 200, body: bodyOf(body.data) }
}

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
    enrol: (caller, input) =>
      mutate(caller, 'enrollScaFactor', input, '', {
        status: 201,
        success: false,
        more: `... on TotpEnrolment { secret secretBase32Encoded totpUri }
          ... on PasskeyEnrolment { options allowedOrigins relyingPartyId }`,
        bodyOf: present,
      }),
    confirm: (caller, input) =>
      mutate(caller, 'confirmScaFactor', input, 'factor { credentialId factorType createdAt } recoveryCodes', {
        bodyOf: ({ factor: { factorType: type, ...factor }, recoveryCodes }) =>
          present({ factor: { ...factor, type }, recoveryCodes }),
      }),
    remove: (caller, customerId, credentialId) =>
      mutate(caller, 'removeScaFactor', { customerId, credentialId }, 'customer { id }', none),
    factors: (caller, id) =>
      query(
        caller,
        'query ($id: ID!) { node(id: $id) { ... on Customer { sca { factors { factorType } } } } }',
        { id },
        ({ node }) => node.sca.factors.map(({ factorType }: Json) => factorType),
      ),
    startLogin: (caller, input) => mutate(caller, 'startScaLogin', input, LOGIN, { bodyOf: loginOf }),
    completeLogin: (caller, input) => mutate(caller, 'completeScaLogin', input, LOGIN, { bodyOf: loginOf }),
    recordEvent: (caller, input) =>
      mutate(caller, 'recordScaEvent', input, 'recordedType suspended lockedUntil failedAttempts', {
        bodyOf: ({ recordedType: eventType, __typename: _, ...rest }) => ({ eventType, ...rest }),
      }),
    startReset: (caller, input) =>
      mutate(caller, 'startScaFactorReset', input, 'reset { id expiresAt } livenessAccessToken verificationLink', {
        status: 201,
        bodyOf: ({ reset: { id: resetId, expiresAt }, ...liveness }) => present({ resetId, expiresAt, ...liveness }),
      }),
    readReset: (caller, _customerId, id) =>
      query(
        caller,
        'query ($id: ID!) { node(id: $id) { ... on TwoFactorReset { resetStatus lostFactor } } }',
        { id },
        ({ node }) => node && { status: node.resetStatus, factor: node.lostFactor },
      ),
    completeReset: (caller, id, input) =>
      mutate(caller, 'completeScaFactorReset', { id, ...input }, 'customer { id }', none),
    authorize: (caller, id, proof) =>
      mutate(
        caller,
        'authorizeQuote',
        { id, ...proof },
        'quote { id status paymentInstructions { instructionsNotes } }',
        {
          bodyOf: ({ quote }) => quote,
        },
      ),
    resend: (caller, id) => mutate(caller, 'resendQuoteCode', { id }, 'quote { id }', none),
    startTrust: (caller, id, change) =>
      mutate(caller, `${change}ExternalAccount`, { id }, CHALLENGE, { bodyOf: present }),
    confirmTrust: (caller, id, change, proof) =>
      mutate(caller, `confirmExternalAccount${named(change)}`, { id, ...proof }, 'trusted account { trusted }', {
        bodyOf: ({ trusted }) => ({ trusted }),
      }),
  },
  {
    name: 'REST',
    startContact: (caller, customerId, contact) => callRest(caller, 'POST', pathOf(customerId, contact)),
    confirmContact: (caller, customerId, contact, code) =>
      callRest(caller, 'POST', `${pathOf(customerId, contact)}/confirm`, { code }),
    enrol: (caller, input) => callRest(caller, 'POST', '/sca/factors', input),
    confirm: (caller, input) => callRest(caller, 'POST', '/sca/factors/confirm', input),
    remove: (caller, customerId, credentialId) =>
      callRest(caller, 'DELETE', `/sca/factors/${credentialId}?customerId=${customerId}`),
    factors: async (caller, customerId) => {
      const { status, body } = await callRest(caller, 'GET', `/sca/factors?customerId=${customerId}`)
      return { status, body: body.factors?.map(({ type }: Json) => type) ?? body }
    },
    startLogin: (caller, input) => callRest(caller, 'POST', '/sca/login/start', input),
    completeLogin: (caller, input) => callRest(caller, 'POST', '/sca/login/complete', input),
    recordEvent: (caller, input) => callRest(caller, 'POST', '/sca/record-event', input),
    startReset: (caller, input) => callRest(caller, 'POST', '/sca/factors/reset', input),
    readReset: (caller, customerId, id) => callRest(caller, 'GET', `/sca/factors/reset/${id}?customerId=${customerId}`),
    completeReset: (caller, id, input) => callRest(caller, 'POST', `/sca/factors/reset/${id}/complete`, input),
    authorize: (caller, id, proof) => callRest(caller, 'POST', `/quotes/${id}/authorize`, proof),
    resend: (caller, id) => callRest(caller, 'POST', `/quotes/${id}/authorize/resend`),
    startTrust: (caller, id, change) => callRest(caller, 'POST', trustPath(id, change)),
    confirmTrust: (caller, id, change, proof) => callRest(caller, 'POST', `${trustPath(id, change)}/confirm`, proof),
  },
]
