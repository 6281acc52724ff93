// Registration of a WebAuthn credential (Web Authentication Level 3 §7.1). The attestation statement is not verified.
import { createHash } from 'node:crypto'
import { isoCBOR, parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import { getDomain } from 'tldts'
import { z } from 'zod'
import { base64urlOf, decodeBase64url } from '#core/base64url.ts'
import { ApiError } from '#core/errors.ts'
import { foreignLabelOf, textOf } from '#core/input.ts'
import { isJsonObject, parseStrictJsonBytes } from '#core/json/strict-json.ts'
import { readCoseKey } from '#credentials/crypto/cose-key.ts'

/** The platform's settings for its relying party. */
export interface PasskeySettings {
  /** The allowed origins. Null allows any: the relying party is then taken from the registration. */
  readonly origins: readonly string[] | null
  readonly requiresUserVerification: boolean
}

const TRANSPORTS = ['usb', 'nfc', 'ble', 'internal', 'hybrid'] as const
const MAX_CLIENT_DATA = 16_384
const MAX_ATTESTATION_OBJECT = 65_536
const MAX_CREDENTIAL_ID = 1023

export const clientDataJson = base64urlOf(MAX_CLIENT_DATA).describe('WebAuthn `clientDataJSON`, base64url.')
export const passkeyCredentialId = base64urlOf(MAX_CREDENTIAL_ID).describe('WebAuthn credential ID, base64url.')

export const passkeyRegistration = z.object({
  nickname: z
    .string({ error: 'must be a string' })
    .trim()
    .min(1, 'must be at least 1 character')
    .max(100, { error: 'must be at most 100 characters', abort: true })
    .regex(/^(?:[\p{L}\p{M}\p{Nd} ._']|\(|\)|-)+$/u, "must consist of letters, digits, spaces and . _ - ' ( )")
    .describe(
      "The owner's name for the passkey: 1 to 100 letters, digits, spaces and . _ - ' ( ). White space around it is removed.",
    ),
  challenge: textOf(2048).describe('The registration challenge, which your backend issued.'),
  attestation: z
    .object(
      {
        credentialId: passkeyCredentialId,
        clientDataJson,
        attestationObject: base64urlOf(MAX_ATTESTATION_OBJECT).describe('WebAuthn `attestationObject`, base64url.'),
        transports: z
          .array(foreignLabelOf(TRANSPORTS), { error: 'must be a list' })
          .max(TRANSPORTS.length, 'must not repeat any')
          .describe(`How the authenticator connects: any of ${TRANSPORTS.join(', ')}. May be empty.`),
      },
      { error: 'must be an object' },
    )
    .meta({ id: 'PasskeyAttestationRequest', description: 'The result of `navigator.credentials.create`.' }),
})
export type PasskeyRegistration = z.output<typeof passkeyRegistration>

export interface Passkey {
  /** Base64url. */
  readonly credentialId: string
  /** COSE (RFC 9052 §7). */
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
  readonly origin: string
  /** Null for the origin of a native app, which has no domain. */
  readonly rpId: string | null
  readonly rpIdHash: Uint8Array
}

/** The checks of §7.1 in their order. The first that fails is 400 `INVALID_INPUT` with its reason. */
export const checkRegistration = (registration: PasskeyRegistration, settings: PasskeySettings): Passkey => {
  const { challenge, attestation } = registration

  const clientData = readClientData(attestation.clientDataJson)
  if (clientData?.type !== 'webauthn.create') {
    throw refused('clientDataJson', 'REGISTRATION_TYPE', 'is not client data of the type webauthn.create')
  }
  if (clientData.challenge !== challenge) {
    throw refused('clientDataJson', 'REGISTRATION_CHALLENGE', 'has a different challenge')
  }
  const { origin } = clientData
  if (!isOrigin(origin) || (settings.origins !== null && !settings.origins.includes(origin))) {
    throw refused('clientDataJson', 'REGISTRATION_ORIGIN', 'has an origin that is not allowed')
  }
  if (!isSameOrigin(clientData)) {
    throw refused('clientDataJson', 'REGISTRATION_ORIGIN', 'comes from a frame of another origin')
  }

  const authenticatorData = readAttestationObject(attestation.attestationObject)
  if (authenticatorData === undefined) {
    throw refused('attestationObject', 'REGISTRATION_ATTESTATION', 'is not an attestation object in canonical CBOR')
  }
  const { flags, rpIdHash, credentialID, credentialPublicKey, counter } = authenticatorData

  const rpId = isWebOrigin(origin) ? relyingPartyOf(new URL(origin).hostname, rpIdHash) : null
  if (rpId === undefined) {
    throw refused('attestationObject', 'REGISTRATION_RP', 'is for a relying party that does not match the origin')
  }
  if (!flags.up || (settings.requiresUserVerification && !flags.uv)) {
    throw refused('attestationObject', 'REGISTRATION_PRESENCE', 'lacks the flag of user presence or user verification')
  }
  if (flags.bs && !flags.be) {
    throw refused(
      'attestationObject',
      'REGISTRATION_BACKUP',
      'has the backup state flag without the backup eligibility flag',
    )
  }
  if (credentialID === undefined || credentialPublicKey === undefined) {
    throw refused('attestationObject', 'REGISTRATION_CREDENTIAL', 'contains no credential')
  }
  if (!decodeBase64url(attestation.credentialId)?.equals(credentialID)) {
    throw refused('credentialId', 'REGISTRATION_CREDENTIAL', 'is not the id in the attestation object')
  }
  if (readCoseKey(credentialPublicKey) === undefined) {
    throw refused('attestationObject', 'REGISTRATION_KEY', 'contains no valid public key for ES256, RS256 or EdDSA')
  }

  return {
    credentialId: attestation.credentialId,
    publicKey: credentialPublicKey,
    counter,
    transports: [...new Set(attestation.transports)],
    origin,
    rpId,
    rpIdHash,
  }
}

const refused = (name: keyof PasskeyRegistration['attestation'], reason: string, problem: string) => {
  const field = `attestation.${name}`
  return new ApiError('INVALID_INPUT', `${field} ${problem}`, { field, reason })
}

/** CollectedClientData (§5.8.1). */
interface ClientData {
  readonly type?: unknown
  readonly challenge?: unknown
  readonly origin?: unknown
  readonly crossOrigin?: unknown
  readonly topOrigin?: unknown
}

/** False for a frame of another origin. `crossOrigin` is a boolean when present; `topOrigin` is present only when it is true. */
export const isSameOrigin = ({ crossOrigin = false, topOrigin }: ClientData) =>
  crossOrigin === false && topOrigin === undefined

/** Undefined unless it is a JSON object. */
export const readClientData = (text: string): ClientData | undefined => {
  const value = parseStrictJsonBytes(decodeBase64url(text) ?? new Uint8Array())
  return isJsonObject(value) ? value : undefined
}

export const isWebOrigin = (origin: string) => /^https?:/i.test(origin)

/** A web origin as browsers serialize it, with https unless the host is localhost. Or another scheme and a name, as native apps have. */
const isOrigin = (origin: unknown): origin is string => {
  if (typeof origin !== 'string' || !/^[a-z][a-z0-9+.-]*:[!-~]{1,500}$/i.test(origin)) return false
  if (!isWebOrigin(origin)) return true
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  return url?.origin === origin && (url.protocol === 'https:' || url.hostname === 'localhost')
}

/** The host or one of its parent domains, up to the registrable domain: a public suffix cannot be a relying party. */
export const relyingPartyOf = (host: string, rpIdHash: Uint8Array): string | undefined => {
  const registered = host === 'localhost' ? host : getDomain(host, { allowPrivateDomains: true })
  if (registered === null) return undefined
  const labels = host.split('.')
  return labels
    .map((_label, index) => labels.slice(index).join('.'))
    .filter((domain) => domain.length >= registered.length)
    .find((domain) => createHash('sha256').update(domain).digest().equals(rpIdHash))
}

/** Offset of the credential id (§6.5.1). The key follows it. */
const CREDENTIAL_ID_AT = 55

/** The parser returns the key in canonical form, so it must equal the bytes that were sent. */
const isKeyCanonical = (
  bytes: Uint8Array,
  { credentialID, credentialPublicKey }: ReturnType<typeof parseAuthenticatorData>,
): boolean => {
  if (credentialID === undefined || credentialPublicKey === undefined) return true
  const begin = CREDENTIAL_ID_AT + credentialID.length
  return Buffer.from(credentialPublicKey).equals(bytes.subarray(begin, begin + credentialPublicKey.length))
}

/** Undefined when anything is malformed, repeated or left over. */
const readAttestationObject = (text: string) => {
  const bytes = decodeBase64url(text)
  if (bytes === undefined) return undefined
  try {
    const attestationObject = isoCBOR.decodeFirst<Parameters<typeof isoCBOR.encode>[0]>(bytes)
    // The decoder ignores bytes after the first item and bytes missing from its end, so re-encode and compare.
    if (!(attestationObject instanceof Map) || !bytes.equals(isoCBOR.encode(attestationObject))) return undefined
    const authenticatorData = attestationObject.get('authData')
    const hasStatement =
      typeof attestationObject.get('fmt') === 'string' && attestationObject.get('attStmt') instanceof Map
    if (!hasStatement || !(authenticatorData instanceof Uint8Array)) return undefined
    const parsed = parseAuthenticatorData(authenticatorData.slice())
    return isKeyCanonical(authenticatorData, parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
