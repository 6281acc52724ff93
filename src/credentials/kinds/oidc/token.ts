// Reading and validating OIDC identity tokens (OpenID Connect Core §2 and §3.1.3.7).
import { createHash } from 'node:crypto'
import { compactVerify, errors } from 'jose'
import { z } from 'zod'
import { decodeBase64url } from '#core/base64url.ts'
import type { Environment } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { textOf } from '#core/input.ts'
import { isJsonObject, parseStrictJsonBytes } from '#core/json/strict-json.ts'
import { issuerOf, keysOf } from './issuer-keys.ts'

export interface OidcToken {
  readonly text: string
  readonly issuer: string
  readonly audience: string
  readonly subject: string
  readonly email: string | null
  /** Seconds since 1970, like the other times. */
  readonly issuedAt: number
  readonly expiresAt: number
  readonly notBefore: number | null
  readonly nonce: string | null
  /** Whether its header requires an extension, which we do not support (RFC 7515 §4.1.11, RFC 7797). */
  readonly isExtended: boolean
}

const MAX_LENGTH = 16_384
const COMPACT_JWS = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){2}$/
export const MAX_TOKEN_AGE_SECONDS = 60
const SKEW = 5
const ALGORITHMS = ['RS256', 'ES256']

const time = z.number({ error: 'must be a number of seconds' })
const audience = textOf(512)
const claimsOf = z.object({
  aud: z.union([audience, z.tuple([audience])], { error: 'must be a string or a list of one string' }),
  sub: textOf(255),
  iat: time,
  exp: time,
  nbf: time.nullish(),
  email: textOf(320).nullish(),
  nonce: z.string({ error: 'must be a string' }).nullish(),
})

/** A token that names a supported issuer. Its signature and claims are not yet checked. */
interface OpenedToken {
  readonly text: string
  readonly issuer: string
  readonly isExtended: boolean
  readonly claims: unknown
}

/** 400 `INVALID_INPUT` unless it is a compact JWS of a supported issuer. */
export const openToken = (text: string, field = 'oidcToken'): OpenedToken => {
  if (text.length > MAX_LENGTH) {
    throw invalidInput(field, `${field} must be at most ${MAX_LENGTH} characters`, { maxLength: MAX_LENGTH })
  }
  if (!COMPACT_JWS.test(text)) throw invalidInput(field, `${field} must be a JWT in compact form`)

  const [first, payload, signature] = text.split('.').map(decodeBase64url)
  if (!first || !payload || !signature) throw invalidInput(field, `${field} must be base64url without padding`)
  const header = parseStrictJsonBytes(first)
  if (!isJsonObject(header)) throw invalidInput(field, `${field} must have a header in JSON`)
  const claims = parseStrictJsonBytes(payload)
  if (!isJsonObject(claims)) throw invalidInput(field, `${field} must have claims in JSON`)
  const { iss } = claims
  const issuer = typeof iss === 'string' ? issuerOf(iss) : undefined
  if (issuer === undefined) throw invalidInput(field, `${field} has an unsupported issuer`)
  const { crit, b64 = true } = header
  return { text, issuer, isExtended: crit !== undefined || b64 !== true, claims }
}

/** The claims of the token. `refuse` makes the error for a missing or malformed claim. */
const readClaims = (
  { text, issuer, isExtended, claims }: OpenedToken,
  refuse: (claim: string, problem: string) => ApiError,
): OidcToken => {
  const { data, error } = claimsOf.safeParse(claims)
  if (error) {
    const claim = String(error.issues[0]?.path[0])
    throw refuse(claim, `has a claim ${claim} that ${error.issues[0]?.message}`)
  }
  const { aud, sub, iat, exp, nbf, email, nonce } = data
  return {
    text,
    issuer,
    audience: typeof aud === 'string' ? aud : aud[0],
    subject: sub,
    email: email ?? null,
    issuedAt: iat,
    expiresAt: exp,
    notBefore: nbf ?? null,
    nonce: nonce ?? null,
    isExtended,
  }
}

/** At registration a malformed claim is 400 `INVALID_INPUT`. */
export const readToken = (text: string, field = 'oidcToken'): OidcToken =>
  readClaims(openToken(text, field), (_claim, problem) => invalidInput(field, `${field} ${problem}`))

const REASONS: Readonly<Record<string, string>> = {
  iat: 'OIDC_FRESHNESS',
  exp: 'OIDC_FRESHNESS',
  nbf: 'OIDC_FRESHNESS',
  nonce: 'OIDC_NONCE',
}

/** At verification a malformed claim is 401 `UNAUTHORIZED`, like a wrong one. */
export const readProof = (opened: OpenedToken): OidcToken =>
  readClaims(opened, (claim, problem) => refused(REASONS[claim] ?? 'OIDC_IDENTITY', problem))

/** 401 `UNAUTHORIZED` unless its issuer signed it at most a minute ago. The sandbox skips only the check of the signature. */
export const checkToken = async (token: OidcToken, environment: Environment, now: Date): Promise<void> => {
  if (token.isExtended) throw refused('OIDC_SIGNATURE', 'has a header with an unsupported extension')
  if (environment === 'PRODUCTION') await checkSignature(token)

  const seconds = now.getTime() / 1000
  if (Math.floor(seconds) - token.issuedAt > MAX_TOKEN_AGE_SECONDS)
    throw refused('OIDC_FRESHNESS', `was issued more than ${MAX_TOKEN_AGE_SECONDS} seconds ago`)
  if (token.issuedAt - seconds > SKEW) throw refused('OIDC_FRESHNESS', 'was issued in the future')
  if (token.expiresAt <= seconds) throw refused('OIDC_FRESHNESS', 'has expired')
  if (token.notBefore !== null && token.notBefore - seconds > SKEW) throw refused('OIDC_FRESHNESS', 'is not valid yet')
}

/** 401 `UNAUTHORIZED` unless the token belongs to the registered identity. */
export const checkIdentity = (token: OidcToken, identity: Pick<OidcToken, 'issuer' | 'audience' | 'subject'>): void => {
  const { issuer, audience, subject } = identity
  if (token.issuer !== issuer || token.audience !== audience || token.subject !== subject) {
    throw refused('OIDC_IDENTITY', 'is for another identity')
  }
}

/** The nonce binds the token to the key: it is the hash of the key's text as sent. */
export const checkNonce = (token: OidcToken, clientPublicKeyText: string): void => {
  if (token.nonce !== createHash('sha256').update(clientPublicKeyText, 'utf8').digest('hex')) {
    throw refused('OIDC_NONCE', 'has a nonce that is not the SHA-256 of clientPublicKey')
  }
}

/** Keys come only from the configured issuer. Keys in the token's header are ignored. */
const checkSignature = async ({ text, issuer }: OidcToken) => {
  try {
    await compactVerify(text, keysOf(issuer), { algorithms: ALGORITHMS })
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refused('OIDC_SIGNATURE', 'is not signed by its issuer')
    throw error
  }
}

const refused = (reason: string, problem: string) =>
  new ApiError('UNAUTHORIZED', `The OIDC token ${problem}`, { reason })
