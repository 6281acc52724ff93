// Every operation that a session must sign, ready to send. The tests of the signed retry run over these.
import { randomInt } from 'node:crypto'
import { createWallet, type Platform, type Wallet } from '#test/setup/world.ts'
import type { Answer, CredentialFace, Proof } from './credential-faces.ts'
import { identityToken, newIdentity } from './oidc-issuer.ts'
import { type DeviceKey, newKey, sealCode } from './wallet.ts'
import {
  addOauth,
  addOtp,
  bornWith,
  expectStatus,
  type OpenSession,
  type Registered,
  SANDBOX_CODE,
} from './wallet-sessions.ts'

/** A wallet with EMAIL_OTP and OAUTH, and a session of each. */
export interface Household {
  readonly face: CredentialFace
  readonly platform: Platform
  readonly wallet: Wallet
  readonly email: Registered
  readonly oauth: Registered
  readonly emailSession: OpenSession
  readonly oauthSession: OpenSession
}

export const newPhone = () => `+1415${randomInt(1_000_000, 9_999_999)}`

export const createHousehold = async (
  face: CredentialFace,
  platform: Platform,
  given: Parameters<typeof createWallet>[1] = { phoneNumber: newPhone() },
): Promise<Household> => {
  const wallet = await createWallet(platform, given)
  const email = bornWith(face, wallet)
  const emailSession = await email.open()
  const oauth = await addOauth(face, wallet, emailSession)
  return { face, platform, wallet, email, oauth, emailSession, oauthSession: await oauth.open() }
}

/** One operation of a household. */
export interface Ready {
  /** Sends the same request each time, except for the proof, and for the caller or path id where a test gives one. */
  readonly send: (proof?: Proof, elsewhere?: { caller?: Platform; id?: string }) => Promise<Answer>
  /** The same operation with another body, if it takes one. */
  readonly sendOther?: (proof?: Proof) => Promise<Answer>
  /** A key that may sign it. */
  readonly key: DeviceKey
  /** The status of success. */
  readonly success: 200 | 201 | 204
  /** The kind of the id in the path, if any. */
  readonly target?: 'AuthMethod' | 'Session' | 'InternalAccount' | 'Customer'
  /** `type` of the challenge. */
  readonly type: string | null
}

type Body = object

const ready =
  (
    verb: (caller: Platform, id: string, body: Body, proof?: Proof) => Promise<Answer>,
    { platform }: Household,
    id: string,
  ) =>
  (body: Body = {}) =>
  (proof?: Proof, { caller = platform, id: at = id }: { caller?: Platform; id?: string } = {}) =>
    verb(caller, at, body, proof)

export const OPERATIONS = {
  'add credential': async (house: Household): Promise<Ready> => {
    const { face, wallet } = house
    const send = ready((caller, _id, body, proof) => face.register(caller, body, proof), house, '')
    const body = () => ({ type: 'OAUTH', accountId: wallet.accountId, oidcToken: identityToken(newIdentity()) })
    return { send: send(body()), sendOther: send(body()), key: house.emailSession.key, success: 201, type: 'OAUTH' }
  },
  'revoke credential': async (house: Household): Promise<Ready> => {
    const send = ready((caller, id, _body, proof) => house.face.revoke(caller, id, proof), house, house.oauth.id)
    return { send: send(), key: house.emailSession.key, success: 204, target: 'AuthMethod', type: 'OAUTH' }
  },
  'verify OTP': async (house: Household): Promise<Ready> => {
    const { face, platform, email } = house
    const key = newKey()
    const { body } = expectStatus(await face.challenge(platform, email.id), 200)
    const bundle = () => sealCode(body.otpEncryptionTargetBundle, SANDBOX_CODE, key.publicKey)
    const input = async () => ({ type: 'EMAIL_OTP', encryptedOtpBundle: await bundle() })
    const send = ready(face.verify, house, email.id)
    const [one, other] = [await input(), await input()]
    return { send: send(one), sendOther: send(other), key, success: 200, target: 'AuthMethod', type: 'EMAIL_OTP' }
  },
  'refresh session': async (house: Household): Promise<Ready> => {
    const { face, oauthSession } = house
    const send = ready(face.refresh, house, oauthSession.id)
    const body = () => ({ clientPublicKey: newKey().publicKey })
    const { key } = oauthSession
    return { send: send(body()), sendOther: send(body()), key, success: 201, target: 'Session', type: 'OAUTH' }
  },
  'revoke session': async (house: Household): Promise<Ready> => {
    const { face, oauthSession, emailSession } = house
    const send = ready((caller, id, _body, proof) => face.revokeSession(caller, id, proof), house, oauthSession.id)
    return { send: send(), key: emailSession.key, success: 204, target: 'Session', type: 'OAUTH' }
  },
  'export wallet': async (house: Household): Promise<Ready> => {
    const send = ready(house.face.exportWallet, house, house.wallet.accountId)
    const body = () => ({ clientPublicKey: newKey().publicKey })
    const { key } = house.emailSession
    return { send: send(body()), sendOther: send(body()), key, success: 200, target: 'InternalAccount', type: null }
  },
  'wallet privacy': async (house: Household): Promise<Ready> => {
    const send = ready(house.face.updatePrivacy, house, house.wallet.accountId)
    const [one, other] = [send({ privateEnabled: true }), send({ privateEnabled: false })]
    const { key } = house.emailSession
    return { send: one, sendOther: other, key, success: 200, target: 'InternalAccount', type: null }
  },
  'customer email': async (house: Household): Promise<Ready> => {
    const { face, wallet, emailSession } = house
    const send = ready(face.updateCustomer, house, wallet.customerId)
    const [one, other] = [send({ email: `a-${wallet.email}` }), send({ email: `b-${wallet.email}` })]
    return { send: one, sendOther: other, key: emailSession.key, success: 200, target: 'Customer', type: 'EMAIL_OTP' }
  },
  'customer phone': async (house: Household): Promise<Ready> => {
    const { face, wallet, emailSession } = house
    await addOtp(face, wallet, emailSession, 'SMS_OTP')
    const send = ready(face.updateCustomer, house, wallet.customerId)
    const [one, other] = [send({ phoneNumber: newPhone() }), send({ phoneNumber: newPhone() })]
    return { send: one, sendOther: other, key: emailSession.key, success: 200, target: 'Customer', type: 'SMS_OTP' }
  },
} as const

export type OperationName = keyof typeof OPERATIONS
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[]
