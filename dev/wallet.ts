// `npm run wallet [-- url [clientId:secret]]`: a wallet's owner signs in, adds a phone and removes it again, against a running gateway.
// Read it from top to bottom as a guide for an app. It prints what is sent over the network, but not the secrets of the device.
import { newKey, openSessionKey, sealCode, stamp } from '../test/setup/credentials/wallet.ts'

const [url = 'http://localhost:4000', credentials = 'demo:demo-secret'] = process.argv.slice(2)
const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`

const wallet = await findWallet()

// In the sandbox the code is 000000 and nothing is sent. The response contains a key, signed by the gateway, to encrypt the code to.
const challenged = await send(
  'Ask for a code by email',
  `mutation ($id: ID!) {
  answer: challengeCredential(input: { id: $id }) {
    ... on OtpChallengeSent { authMethod { nickname otpEncryptionTargetBundle } }
    ... on ApiError { status code message details { other } }
  }
}`,
  { id: wallet.emailCredential },
)
const { otpEncryptionTargetBundle } = challenged.authMethod

// The device generates the key of the future session, and encrypts the code together with its public key.
const deviceKey = newKey()
const encryptedOtpBundle = await sealCode(otpEncryptionTargetBundle, '000000', deviceKey.publicKey)
console.log(
  `The device generates a key pair, ${short(deviceKey.publicKey)}, and encrypts its public key and the code 000000 to that bundle.\n`,
)

// Changes to a wallet take two calls with the same input. Here the key inside the bundle signs.
const { session } = await sendSigned(
  deviceKey,
  'Verify the code',
  `mutation ($id: ID!, $bundle: String!, $signedRetry: SignedRetryInput) {
  answer: verifyCredential(input: { id: $id, proof: { emailOtp: { encryptedOtpBundle: $bundle } }, signedRetry: $signedRetry }) {
    ... on SignedRetryChallenge { payloadToSign requestId expiresAt }
    ... on SessionIssued { session { id expiresAt } }
    ... on ApiError { status code message details { field reason } }
  }
}`,
  { id: wallet.emailCredential, bundle: encryptedOtpBundle },
)

await listSessions()

// From here on the session's key signs. Without a session no one can add a credential, not even the platform.
const added = await sendSigned(
  deviceKey,
  'Add the phone',
  `mutation ($account: ID!, $signedRetry: SignedRetryInput) {
  answer: registerCredential(input: { accountId: $account, credential: { otp: SMS_OTP }, signedRetry: $signedRetry }) {
    ... on SignedRetryChallenge { payloadToSign requestId expiresAt }
    ... on RegisterCredentialSuccess { authMethod { id nickname otpEncryptionTargetBundle } }
    ... on ApiError { status code message details { field reason } }
  }
}`,
  { account: wallet.account },
)

// Revoking a credential must be signed by a session of another credential.
await sendSigned(
  deviceKey,
  'Remove the phone',
  `mutation ($id: ID!, $signedRetry: SignedRetryInput) {
  answer: revokeCredential(input: { id: $id, signedRetry: $signedRetry }) {
    ... on SignedRetryChallenge { payloadToSign requestId expiresAt }
    ... on RevokeCredentialSuccess { revokedCredentialId revokedSessionIds }
    ... on ApiError { status code message details { field reason } }
  }
}`,
  { id: added.authMethod.id },
)

// A session lasts 15 minutes. The gateway generates the key of the next one and encrypts it to a new key of the device.
const nextKey = newKey()
const { encryptedSessionSigningKey } = await sendSigned(
  deviceKey,
  'Refresh the session',
  `mutation ($id: ID!, $clientPublicKey: Hex!, $signedRetry: SignedRetryInput) {
  answer: refreshSession(input: { id: $id, clientPublicKey: $clientPublicKey, signedRetry: $signedRetry }) {
    ... on SignedRetryChallenge { payloadToSign requestId expiresAt }
    ... on SessionIssued { session { id expiresAt } encryptedSessionSigningKey }
    ... on ApiError { status code message details { field reason } }
  }
}`,
  { id: session.id, clientPublicKey: nextKey.publicKey },
)
const nextSessionKey = openSessionKey(encryptedSessionSigningKey, nextKey)
console.log(`The device decrypts it. The new session signs with ${short(nextSessionKey.publicKey)}.\n`)

await sendSigned(
  nextSessionKey,
  'End the first session',
  `mutation ($id: ID!, $signedRetry: SignedRetryInput) {
  answer: revokeSession(input: { id: $id, signedRetry: $signedRetry }) {
    ... on SignedRetryChallenge { payloadToSign requestId expiresAt }
    ... on RevokeSessionSuccess { revokedSessionId }
    ... on ApiError { status code message details { field reason } }
  }
}`,
  { id: session.id },
)

await listSessions()
console.log('Done. The new session expires by itself.')

/** The fields that the selections of the steps can return. */
interface Answer {
  readonly nodes: readonly EmailCode[]
  readonly authMethod: { readonly id: string; readonly otpEncryptionTargetBundle: string }
  readonly payloadToSign: string
  readonly requestId: string
  readonly session: { readonly id: string }
  readonly encryptedSessionSigningKey: string
  readonly code?: string
}

interface EmailCode {
  readonly id: string
  readonly updatedAt: string
  readonly account: {
    readonly id: string
    readonly accountStatus: string
    readonly customer: { readonly phoneNumber: string | null }
    readonly authMethods: { readonly nodes: readonly { readonly credentialType: string }[] }
  }
}

/** A wallet without a phone whose last challenge is the oldest, because a credential allows five challenges in five minutes. */
async function findWallet() {
  const { nodes } = await send(
    'Find a wallet',
    `{
  answer: authMethods(first: 100, filter: { types: [EMAIL_OTP] }) {
    nodes { id updatedAt account { id accountStatus customer { phoneNumber } authMethods { nodes { credentialType } } } }
  }
}`,
    {},
    ({ nodes }) => `${nodes.length} credentials`,
  )
  const [oldest] = nodes
    .filter(({ account }) => account.accountStatus === 'ACTIVE' && account.customer.phoneNumber !== null)
    .filter(({ account }) => account.authMethods.nodes.every(({ credentialType }) => credentialType !== 'SMS_OTP'))
    .toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt))
  return oldest
    ? { account: oldest.account.id, emailCredential: oldest.id }
    : stop('There is no wallet without a phone.')
}

function listSessions() {
  const query = `query ($account: ID!) {
  answer: node(id: $account) { ... on InternalAccount { sessions { nodes { id authMethod { credentialType nickname } expiresAt } } } }
}`
  return send('List the sessions', query, { account: wallet.account })
}

/** Makes both calls of a signed retry: the first returns the payload to sign, the second repeats it with the signature. */
async function sendSigned(key: ReturnType<typeof newKey>, title: string, query: string, variables: object) {
  const { payloadToSign, requestId } = await send(`${title}, first call`, query, variables)
  console.log(`The device stamps payloadToSign with ${short(key.publicKey)}.\n`)
  const signedRetry = { requestId, walletSignature: await stamp(key, payloadToSign) }
  return send(`${title}, second call`, query, { ...variables, signedRetry })
}

/** Every document has one field with the alias `answer`. An error ends the script. */
async function send(title: string, query: string, variables: object, describe: (answer: Answer) => unknown = readable) {
  console.log(`── ${title}\n${'signedRetry' in variables ? 'the same' : query}\nwith ${readable(variables)}`)
  const response = await fetch(`${url.replace(/\/+$/, '')}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  }).catch(() => stop(`There is no gateway at ${url}. Start one with npm start.`))
  const { data, errors } = (await response.json().catch(() => stop(`The server at ${url} is not a gateway.`))) as {
    data?: { answer: Answer }
    errors?: { message: string }[]
  }
  if (!data || errors || data.answer.code) return stop(`The request failed: ${JSON.stringify(errors ?? data?.answer)}`)
  console.log(`got ${describe(data.answer)}\n`)
  return data.answer
}

function readable(value: object) {
  return JSON.stringify(value, (_name, part) => (typeof part === 'string' ? short(part) : part), 2)
}

function short(text: string) {
  return text.length > 100 ? `${text.slice(0, 60)}… (${text.length} characters)` : text
}

function stop(why: string): never {
  console.error(why)
  process.exit(1)
}
