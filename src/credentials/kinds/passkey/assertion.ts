// Verification of a WebAuthn assertion (Web Authentication Level 3 §7.2).
import { createHash } from 'node:crypto'
import { parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import { z } from 'zod'
import { base64urlOf, decodeBase64url } from '#core/base64url.ts'
import { ApiError } from '#core/errors.ts'
import { inBase64url } from '#core/input.ts'
import { isSignedByCoseKey, readCoseKey } from '#credentials/crypto/cose-key.ts'
import {
  clientDataJson,
  isSameOrigin,
  isWebOrigin,
  type Passkey,
  type PasskeySettings,
  passkeyCredentialId,
  readClientData,
  relyingPartyOf,
} from './registration.ts'

/** `userHandle` is ignored: the request names the credential. */
export const passkeyAssertion = z
  .object({
    credentialId: passkeyCredentialId,
    clientDataJson,
    authenticatorData: base64urlOf(8192).describe('WebAuthn `authenticatorData`, base64url.'),
    signature: base64urlOf(2048).describe('WebAuthn `signature`, base64url.'),
    userHandle: inBase64url(z.unknown()).optional().describe('WebAuthn `userHandle`. Ignored.'),
  })
  .meta({ id: 'PasskeyAssertionRequest', description: 'The result of `navigator.credentials.get`.' })
export type PasskeyAssertion = z.output<typeof passkeyAssertion>

/** `checkSignedAssertion` of a wallet, whose challenge is text: the device signs its UTF-8 bytes. */
export const checkAssertion = (
  assertion: PasskeyAssertion,
  challengeHex: string,
  passkey: Omit<Passkey, 'transports'>,
  settings: PasskeySettings,
): { counter: number } =>
  checkSignedAssertion(assertion, Buffer.from(challengeHex, 'utf8').toString('base64url'), passkey, settings)

/** The new signature counter. 401 `UNAUTHORIZED` with the failed check as the reason. `challenge` is the bytes in base64url. */
export const checkSignedAssertion = (
  assertion: PasskeyAssertion,
  challenge: string,
  passkey: Omit<Passkey, 'transports'>,
  settings: PasskeySettings,
): { counter: number } => {
  if (assertion.credentialId !== passkey.credentialId) {
    throw refused('ASSERTION_CREDENTIAL', 'is for another credential')
  }

  const clientData = readClientData(assertion.clientDataJson)
  if (clientData?.type !== 'webauthn.get' || clientData.challenge !== challenge) {
    throw refused('ASSERTION_CHALLENGE', 'is not for this challenge')
  }
  if (!isOriginOf(passkey, clientData.origin, settings) || !isSameOrigin(clientData)) {
    throw refused('ASSERTION_ORIGIN', 'comes from an origin that is not allowed')
  }

  const signed = decodeBase64url(assertion.authenticatorData) ?? Buffer.alloc(0)
  const authenticatorData = readAuthenticatorData(signed)
  if (!authenticatorData || !Buffer.from(passkey.rpIdHash).equals(authenticatorData.rpIdHash)) {
    throw refused('ASSERTION_RP', 'is not for the relying party of the credential')
  }
  const { flags, counter } = authenticatorData
  if (!flags.up || (settings.requiresUserVerification && !flags.uv)) {
    throw refused('ASSERTION_PRESENCE', 'lacks the flag of user presence or user verification')
  }

  if (flags.bs && !flags.be) {
    throw refused('ASSERTION_BACKUP', 'has the backup state flag without the backup eligibility flag')
  }

  if (!isSigned(assertion, signed, passkey.publicKey)) {
    throw refused('ASSERTION_SIGNATURE', 'has a signature that does not verify with the key of the credential')
  }

  // Authenticators without a counter always send 0 (§6.1.1).
  const isCounting = counter !== 0 || passkey.counter !== 0
  if (isCounting && counter <= passkey.counter) {
    throw refused(
      'ASSERTION_COUNTER',
      'has a signature counter that did not increase: the authenticator may have been cloned',
    )
  }
  return { counter }
}

const refused = (reason: string, problem: string) =>
  new ApiError('UNAUTHORIZED', `The passkey assertion ${problem}`, { reason })

type RelyingParty = Pick<Passkey, 'origin' | 'rpId' | 'rpIdHash'>

/** The registered origin or another host of the same relying party. It must also be one of the platform's origins, if it has set any. */
export const isOriginOf = (passkey: RelyingParty, origin: unknown, { origins }: PasskeySettings) =>
  typeof origin === 'string' &&
  (origin === passkey.origin || isInRelyingParty(passkey, origin)) &&
  (origins === null || origins.includes(origin))

const isInRelyingParty = ({ rpId, rpIdHash, origin: registered }: RelyingParty, origin: string) => {
  if (!isWebOrigin(origin) || !URL.canParse(origin)) return false
  const url = new URL(origin)
  // Registered in a native app: no scheme or port to compare, and only the hash of the relying party is known.
  if (rpId === null) return origin === `https://${url.hostname}` && relyingPartyOf(url.hostname, rpIdHash) !== undefined
  const { protocol, port } = new URL(registered)
  return (
    url.origin === origin &&
    url.protocol === protocol &&
    url.port === port &&
    (url.hostname === rpId || url.hostname.endsWith(`.${rpId}`))
  )
}

const readAuthenticatorData = (bytes: Buffer<ArrayBuffer>) => {
  try {
    return parseAuthenticatorData(bytes)
  } catch {
    return undefined
  }
}

const isSigned = (assertion: PasskeyAssertion, authenticatorData: Uint8Array, publicKey: Uint8Array): boolean => {
  const key = readCoseKey(publicKey)
  const clientData = decodeBase64url(assertion.clientDataJson) ?? Buffer.alloc(0)
  const data = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
  return key !== undefined && isSignedByCoseKey(key, data, decodeBase64url(assertion.signature) ?? Buffer.alloc(0))
}
