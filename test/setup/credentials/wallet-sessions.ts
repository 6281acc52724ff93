// How a device opens a session with each type of credential, and what it then signs.
import { randomBytes } from 'node:crypto'
import type { Wallet } from '#test/setup/world.ts'
import type { Answer, CredentialFace, Proof } from './credential-faces.ts'
import { type Identity, identityToken, newIdentity } from './oidc-issuer.ts'
import { type Algorithm, type SoftwareAuthenticator, softwareAuthenticator } from './software-authenticator.ts'
import { type DeviceKey, newKey, nonceOf, openSessionKey, sealCode, stamp } from './wallet.ts'

export type CredentialType = 'PASSKEY' | 'OAUTH' | 'EMAIL_OTP' | 'SMS_OTP'

/** A session and its key, which only the device has. */
export interface OpenSession {
  readonly id: string
  readonly key: DeviceKey
}

/** A registered credential and a function that opens a session with it. */
export interface Registered {
  readonly id: string
  readonly type: CredentialType
  readonly open: () => Promise<OpenSession>
  readonly identity?: Identity
  readonly authenticator?: SoftwareAuthenticator
}

/** Returns the answer if it has this status; otherwise throws an error with the whole body. */
export const expectStatus = (answer: Answer, status: number): Answer => {
  if (answer.status !== status) throw new Error(`${status} expected: ${JSON.stringify(answer, null, 2)}`)
  return answer
}

/** The proof over a first leg. */
export const prove = async (key: DeviceKey, { body }: Answer): Promise<Required<Proof>> => ({
  requestId: body.requestId,
  signature: await stamp(key, body.payloadToSign),
})

type Send = (proof?: Proof) => Promise<Answer>

/** Sends both legs. */
export const signedRetry = async (key: DeviceKey, send: Send): Promise<Answer> =>
  send(await prove(key, expectStatus(await send(), 202)))

/** The code that the sandbox uses. */
export const SANDBOX_CODE = '000000'

/** The body of an OTP verification, for a new challenge. */
export const otpProof = async (
  face: CredentialFace,
  { platform }: Wallet,
  { id, type }: Pick<Registered, 'id' | 'type'>,
  { code = SANDBOX_CODE, key = newKey() } = {},
) => {
  const { body } = expectStatus(await face.challenge(platform, id), 200)
  return { type, encryptedOtpBundle: await sealCode(body.otpEncryptionTargetBundle, code, key.publicKey) }
}

const openByOtp = (face: CredentialFace, wallet: Wallet, id: string, type: 'EMAIL_OTP' | 'SMS_OTP') => async () => {
  const key = newKey()
  const input = await otpProof(face, wallet, { id, type }, { key })
  const answer = await signedRetry(key, (proof) => face.verify(wallet.platform, id, input, proof))
  return { id: expectStatus(answer, 200).body.id, key }
}

/** The credential that a new wallet has. */
export const bornWith = (face: CredentialFace, wallet: Wallet): Registered => ({
  id: wallet.credentialId,
  type: 'EMAIL_OTP',
  open: openByOtp(face, wallet, wallet.credentialId, 'EMAIL_OTP'),
})

const issued = ({ body }: Answer, client: DeviceKey): OpenSession => ({
  id: body.id,
  key: openSessionKey(body.encryptedSessionSigningKey, client),
})

export const addOtp = async (
  face: CredentialFace,
  wallet: Wallet,
  signer: OpenSession,
  type: 'EMAIL_OTP' | 'SMS_OTP',
): Promise<Registered> => {
  const input = { type, accountId: wallet.accountId }
  const { body } = expectStatus(
    await signedRetry(signer.key, (proof) => face.register(wallet.platform, input, proof)),
    201,
  )
  return { id: body.id, type, open: openByOtp(face, wallet, body.id, type) }
}

/** The body of an OAUTH verification, with the nonce for its client key. */
export const oauthProof = (identity: Identity, client: DeviceKey, claims = {}) => ({
  type: 'OAUTH',
  oidcToken: identityToken(identity, { nonce: nonceOf(client.publicKey), ...claims }),
  clientPublicKey: client.publicKey,
})

export const addOauth = async (
  face: CredentialFace,
  wallet: Wallet,
  signer: OpenSession,
  identity = newIdentity(),
): Promise<Registered & { identity: Identity }> => {
  const input = { type: 'OAUTH', accountId: wallet.accountId, oidcToken: identityToken(identity) }
  const added = await signedRetry(signer.key, (proof) => face.register(wallet.platform, input, proof))
  const id = expectStatus(added, 201).body.id
  const open = async () => {
    const client = newKey()
    return issued(expectStatus(await face.verify(wallet.platform, id, oauthProof(identity, client)), 200), client)
  }
  return { id, type: 'OAUTH', open, identity }
}

/** The body that registers a passkey, for a challenge of the platform. */
export const passkeyRegistration = (wallet: Wallet, authenticator: SoftwareAuthenticator, twist = {}) => {
  const challenge = randomBytes(32).toString('base64url')
  return {
    type: 'PASSKEY',
    accountId: wallet.accountId,
    nickname: 'My phone',
    challenge,
    attestation: authenticator.create(challenge, twist),
  }
}

export const addPasskey = async (
  face: CredentialFace,
  wallet: Wallet,
  signer: OpenSession,
  { algorithm = 'ES256' as Algorithm, authenticator = softwareAuthenticator(algorithm) } = {},
): Promise<Registered & { authenticator: SoftwareAuthenticator }> => {
  const input = passkeyRegistration(wallet, authenticator)
  const added = await signedRetry(signer.key, (proof) => face.register(wallet.platform, input, proof))
  const id = expectStatus(added, 201).body.id
  const open = async () => {
    const client = newKey()
    const { body } = await passkeyChallenge(face, wallet, id, client)
    const input = { type: 'PASSKEY', assertion: authenticator.get(body.challenge) }
    const answer = await face.verify(wallet.platform, id, input, { requestId: body.requestId })
    return issued(expectStatus(answer, 200), client)
  }
  return { id, type: 'PASSKEY', open, authenticator }
}

export const passkeyChallenge = async (face: CredentialFace, { platform }: Wallet, id: string, client = newKey()) =>
  expectStatus(await face.challenge(platform, id, { clientPublicKey: client.publicKey }), 200)

/** Adds a credential of this type. A wallet has its EMAIL_OTP from the start, so that one is returned. */
export const addCredential = async (
  face: CredentialFace,
  wallet: Wallet,
  signer: OpenSession,
  type: CredentialType,
): Promise<Registered> => {
  switch (type) {
    case 'PASSKEY':
      return addPasskey(face, wallet, signer)
    case 'OAUTH':
      return addOauth(face, wallet, signer)
    default:
      return addOtp(face, wallet, signer, type)
  }
}
