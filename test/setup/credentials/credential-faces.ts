// The operations on credentials over both APIs. Answers have the shape of REST in either case.
import { app } from '#app.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'

/** The two headers of a signed retry, or the GraphQL input that replaces them. */
export interface Proof {
  readonly requestId?: string | null
  readonly signature?: string | null
}

interface Details {
  readonly field?: string
  readonly reason?: string
  readonly retryAfterSeconds?: number
}

/** All fields that an answer may have. */
export interface Body {
  readonly id: string
  readonly accountId: string
  readonly type: string
  readonly nickname: string
  readonly credentialId: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  readonly otpEncryptionTargetBundle: string
  readonly encryptedSessionSigningKey: string
  readonly encryptedWalletCredentials: string
  readonly payloadToSign: string
  readonly requestId: string
  readonly challenge: string
  readonly data: readonly Body[]
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: Details
}

export interface Answer {
  readonly status: number
  readonly code?: string
  readonly details?: Details
  readonly retryAfter: string | null
  /** The REST body, or its fields as GraphQL returns them. An error is exactly `{ status, code, message, details? }`. */
  readonly body: Body
}

type Fields = Readonly<Record<string, unknown>>

/** The REST body: an object unless a test says otherwise. */
export type Input = unknown

export interface CredentialFace {
  readonly name: 'GraphQL' | 'REST'
  register(caller: Credentials, input: Input, proof?: Proof): Promise<Answer>
  challenge(caller: Credentials, id: string, input?: Input): Promise<Answer>
  verify(caller: Credentials, id: string, input: Input, proof?: Proof): Promise<Answer>
  revoke(caller: Credentials, id: string, proof?: Proof): Promise<Answer>
  refresh(caller: Credentials, id: string, input: Input, proof?: Proof): Promise<Answer>
  revokeSession(caller: Credentials, id: string, proof?: Proof): Promise<Answer>
  listCredentials(caller: Credentials, accountId: string): Promise<Answer>
  listSessions(caller: Credentials, accountId: string): Promise<Answer>
  exportWallet(caller: Credentials, id: string, input: Input, proof?: Proof): Promise<Answer>
  updatePrivacy(caller: Credentials, id: string, input: Input, proof?: Proof): Promise<Answer>
  updateCustomer(caller: Credentials, id: string, input: Input, proof?: Proof): Promise<Answer>
}

const answerOf = (status: number, given: object, retryAfter: string | null): Answer => {
  const body = given as Body
  return {
    status,
    retryAfter,
    body,
    ...(status >= 400 && { code: body.code, ...(body.details && { details: body.details }) }),
  }
}

// ───────────────────────────── REST ─────────────────────────────

const headersOf = ({ requestId = null, signature = null }: Proof) => ({
  ...(requestId !== null && { 'request-id': requestId }),
  ...(signature !== null && { 'service-wallet-signature': signature }),
})

/** One call over REST. A string `body` is sent unchanged. */
export const callRest = async (
  caller: Credentials | null,
  method: string,
  path: string,
  { body, proof = {}, headers = {} }: { body?: Input; proof?: Proof; headers?: Record<string, string> } = {},
): Promise<Answer> => {
  const response = await app.fetch(
    new Request(`http://test/2025-10-13${path}`, {
      method,
      headers: {
        ...(caller && { authorization: basic(caller) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headersOf(proof),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return answerOf(response.status, text === '' ? {} : JSON.parse(text), response.headers.get('retry-after'))
}

const at = encodeURIComponent

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const rest: CredentialFace = {
  name: 'REST',
  register: (caller, body, proof = {}) => callRest(caller, 'POST', '/auth/credentials', { body, proof }),
  challenge: (caller, id, body) => callRest(caller, 'POST', `/auth/credentials/${at(id)}/challenge`, { body }),
  verify: (caller, id, body, proof = {}) =>
    callRest(caller, 'POST', `/auth/credentials/${at(id)}/verify`, { body, proof }),
  revoke: (caller, id, proof = {}) => callRest(caller, 'DELETE', `/auth/credentials/${at(id)}`, { proof }),
  refresh: (caller, id, body, proof = {}) =>
    callRest(caller, 'POST', `/auth/sessions/${at(id)}/refresh`, { body, proof }),
  revokeSession: (caller, id, proof = {}) => callRest(caller, 'DELETE', `/auth/sessions/${at(id)}`, { proof }),
  listCredentials: (caller, accountId) => callRest(caller, 'GET', `/auth/credentials?accountId=${at(accountId)}`),
  listSessions: (caller, accountId) => callRest(caller, 'GET', `/auth/sessions?accountId=${at(accountId)}`),
  exportWallet: (caller, id, body, proof = {}) =>
    callRest(caller, 'POST', `/internal-accounts/${at(id)}/export`, { body, proof }),
  updatePrivacy: (caller, id, body, proof = {}) =>
    callRest(caller, 'PATCH', `/internal-accounts/${at(id)}`, { body, proof }),
  // REST requires the customer type with every change.
  updateCustomer: (caller, id, input, proof = {}) => {
    const body = isObject(input) ? { customerType: 'INDIVIDUAL', ...input } : input
    return callRest(caller, 'PATCH', `/customers/${at(id)}`, { body, proof })
  },
}

// ───────────────────────────── GraphQL ─────────────────────────────

const FRAGMENTS = `
fragment Failure on ApiError {
  status code message details { field constraint { format pattern enum minLength maxLength } reason other }
}
fragment Challenge on SignedRetryChallenge { type payloadToSign requestId expiresAt }
fragment Credential on AuthMethod {
  id accountId type credentialId nickname otpEncryptionTargetBundle createdAt updatedAt
}
fragment SessionFields on Session {
  id accountId type authMethod { credentialId } nickname createdAt updatedAt expiresAt
}`

const SESSION_ISSUED = '... on SessionIssued { session { ...SessionFields } encryptedSessionSigningKey }'

/** Mutation fields, with what each selects of its success. */
const SUCCESS = {
  registerCredential: '... on RegisterCredentialSuccess { authMethod { ...Credential } }',
  challengeCredential: `... on OtpChallengeSent { authMethod { ...Credential } }
    ... on PasskeyAuthChallenge { challenge requestId expiresAt }`,
  verifyCredential: SESSION_ISSUED,
  revokeCredential: '... on RevokeCredentialSuccess { revokedCredentialId revokedSessionIds }',
  refreshSession: SESSION_ISSUED,
  revokeSession: '... on RevokeSessionSuccess { revokedSessionId }',
  exportWallet: '... on ExportWalletSuccess { account { id } encryptedWalletCredentials }',
  updateWalletPrivacy: '... on UpdateWalletPrivacySuccess { account { id privateEnabled } }',
  updateCustomer: '... on UpdateCustomerSuccess { customer { id email phoneNumber } }',
} as const
type Mutation = keyof typeof SUCCESS

const STATUS: Partial<Record<string, number>> = {
  RegisterCredentialSuccess: 201,
  SignedRetryChallenge: 202,
  RevokeCredentialSuccess: 204,
  RevokeSessionSuccess: 204,
}

const FAILURES = ['BadRequest', 'Unauthorized', 'Forbidden', 'NotFound', 'Conflict', 'Gone', 'RateLimit']

const documentOf = (mutation: Mutation): string => {
  const selection = `${SUCCESS[mutation]}
    ... on ApiError { ...Failure }
    ${mutation === 'challengeCredential' ? '' : '...Challenge'}`
  const used = Object.entries({ Failure: 1, Challenge: 1, Credential: 1, SessionFields: 1 })
    .map(([name]) => name)
    .filter((name) => selection.includes(`...${name}`))
  const fragments = FRAGMENTS.split(/(?=^fragment )/m).filter((text) => used.some((name) => text.includes(` ${name} `)))
  const input = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`
  return `mutation ($input: ${input}!) { answer: ${mutation}(input: $input) { __typename ${selection} } } ${fragments.join('')}`
}

/** Without nulls, as REST answers. */
const present = (value: unknown): Fields =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, part]) => part !== null && part !== undefined))

/** REST returns the WebAuthn id, which belongs to the credential, with the session. */
const sessionOf = ({ authMethod, ...session }: Fields): Fields => ({ ...present(authMethod), ...present(session) })

interface Failure {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: (Details & { readonly constraint?: object; readonly other?: object }) | null
}

const failureOf = ({ status, code, message, details }: Failure, retryAfter: string | null): Answer => {
  const { constraint, other, ...named } = details ?? {}
  const flat = { ...present(named), ...(constraint && { constraint: present(constraint) }), ...other }
  return answerOf(status, { status, code, message, ...(details && { details: flat }) }, retryAfter)
}

interface Executed {
  readonly data?: { readonly answer: unknown } | null
  readonly errors?: readonly { readonly message: string; readonly extensions: Omit<Failure, 'message'> }[]
}

interface Member extends Failure {
  readonly __typename: string
  readonly authMethod?: object
  readonly session?: Fields
  readonly account?: object
  readonly customer?: object
}

const execute = async <T>(caller: Credentials, query: string, variables: object, headers = {}) => {
  const response = await app.fetch(
    new Request('http://test/graphql', {
      method: 'POST',
      headers: { authorization: basic(caller), 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    }),
  )
  const { data, errors } = (await response.json()) as Executed
  const retryAfter = response.headers.get('retry-after')
  const error = errors?.[0]
  const failed = error && failureOf({ ...error.extensions, message: error.message }, retryAfter)
  return { failed, data: data?.answer as T, retryAfter }
}

export const mutate = async (caller: Credentials, mutation: Mutation, input: Input, headers = {}): Promise<Answer> => {
  const { failed, data, retryAfter } = await execute<Member>(caller, documentOf(mutation), { input }, headers)
  if (failed) return failed
  if (FAILURES.some((name) => data.__typename === `${name}Error`)) return failureOf(data, retryAfter)
  const { __typename, authMethod, session, account, customer, ...rest } = data
  const body = present({ ...authMethod, ...(session && sessionOf(session)), ...account, ...customer, ...rest })
  return answerOf(mutation === 'refreshSession' && session ? 201 : (STATUS[__typename] ?? 200), body, retryAfter)
}

/** `{ signedRetry }` if there is a proof to send. */
const retry = ({ requestId = null, signature = null }: Proof) =>
  requestId === null && signature === null ? {} : { signedRetry: { requestId, walletSignature: signature } }

const nameOf = (type: unknown) => (typeof type === 'string' ? type : '')

const registration = (input: Input): Input => {
  if (!isObject(input)) return input
  const { type, accountId, ...fields } = input
  const by: Fields = { PASSKEY: { passkey: fields }, OAUTH: { oauth: fields } }
  return { ...(accountId !== undefined && { accountId }), credential: by[nameOf(type)] ?? { otp: type } }
}

const proofOf = (input: Input, requestId: string | null): Input => {
  if (!isObject(input)) return input
  const { type, ...fields } = input
  const by: Fields = {
    PASSKEY: { passkey: { ...fields, ...(requestId !== null && { requestId }) } },
    OAUTH: { oauth: fields },
    EMAIL_OTP: { emailOtp: fields },
    SMS_OTP: { smsOtp: fields },
  }
  return by[nameOf(type)] ?? {}
}

const spread = (input: Input): Fields => (isObject(input) ? input : {})

const list = async (caller: Credentials, query: string, accountId: string): Promise<Answer> => {
  const { failed, data } = await execute<{ readonly nodes: Fields[] }>(caller, query, { accountId })
  if (failed) return failed
  const items = query === SESSIONS ? data.nodes.map(sessionOf) : data.nodes
  return answerOf(200, { data: items.map(present) }, null)
}

const CREDENTIALS = `query ($accountId: ID!) {
  answer: authMethods(filter: { accountId: $accountId }) { nodes { id accountId type credentialId nickname createdAt updatedAt } }
}`
const SESSIONS = `query ($accountId: ID!) {
  answer: sessions(filter: { accountId: $accountId }) {
    nodes { id accountId type authMethod { credentialId } nickname createdAt updatedAt expiresAt }
  }
}`

export const graphql: CredentialFace = {
  name: 'GraphQL',
  register: (caller, input, proof = {}) =>
    mutate(caller, 'registerCredential', { ...spread(registration(input)), ...retry(proof) }),
  challenge: (caller, id, input) => mutate(caller, 'challengeCredential', { id, ...spread(input) }),
  verify: (caller, id, input, proof = {}) => {
    const isPasskey = isObject(input) && input['type'] === 'PASSKEY'
    const given = proofOf(input, proof.requestId ?? null)
    return mutate(caller, 'verifyCredential', { id, proof: given, ...(isPasskey ? {} : retry(proof)) })
  },
  revoke: (caller, id, proof = {}) => mutate(caller, 'revokeCredential', { id, ...retry(proof) }),
  refresh: (caller, id, input, proof = {}) =>
    mutate(caller, 'refreshSession', { id, ...spread(input), ...retry(proof) }),
  revokeSession: (caller, id, proof = {}) => mutate(caller, 'revokeSession', { id, ...retry(proof) }),
  listCredentials: (caller, accountId) => list(caller, CREDENTIALS, accountId),
  listSessions: (caller, accountId) => list(caller, SESSIONS, accountId),
  exportWallet: (caller, id, input, proof = {}) =>
    mutate(caller, 'exportWallet', { id, ...spread(input), ...retry(proof) }),
  updatePrivacy: (caller, id, input, proof = {}) =>
    mutate(caller, 'updateWalletPrivacy', { id, ...spread(input), ...retry(proof) }),
  updateCustomer: (caller, id, input, proof = {}) =>
    mutate(caller, 'updateCustomer', { id, ...spread(input), ...retry(proof) }),
}

export const credentialFaces: readonly CredentialFace[] = [graphql, rest]
