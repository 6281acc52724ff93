// The kind OAUTH: an OIDC identity (docs/domain/credentials.md#oidc-tokens). `token.ts` holds the checks of its tokens.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { emailAddress } from '#core/addresses/email.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { rawText } from '#core/input.ts'
import { publicKeyOf } from '#credentials/crypto/p256.ts'
import type { CredentialKind, Reader } from '#credentials/kinds/kind.ts'
import type { WalletAccount } from '#credentials/wallet/wallet-account.ts'
import { db } from '#database/db.ts'
import { isDuplicate, lockText, type Tx, timeOf } from '#database/unit-of-work.ts'
import { issuerOf, storedForms } from './issuer-keys.ts'
import {
  checkIdentity,
  checkNonce,
  checkToken,
  MAX_TOKEN_AGE_SECONDS,
  type OidcToken,
  openToken,
  readProof,
  readToken,
} from './token.ts'

const registration = z.object({ oidcToken: rawText.describe('OIDC identity token.') }).describe('An OIDC identity.')

const proof = z.object({
  oidcToken: rawText.describe(`A fresh OIDC identity token: \`iat\` at most ${MAX_TOKEN_AGE_SECONDS} seconds ago.`),
  clientPublicKey: publicKeyOf.describe(
    'Public key on P-256, hex. The SHA-256 of this text, in hex, must be the `nonce` of the token.',
  ),
})

interface Identity {
  readonly issuer: string
  readonly audience: string
  readonly subject: string
}

const columns = ({ issuer, audience, subject }: Identity) => ({
  oidcIssuer: issuer,
  oidcAudience: audience,
  oidcSubject: subject,
})

const alreadyExists = () => invalidInput('oidcToken', 'The account already has a credential for this identity')

/** An identity belongs to one customer, who may register it once on each of their accounts. */
const refuseDuplicate = async (
  reader: Reader,
  { platformId }: PlatformCaller,
  { id, customerId }: WalletAccount,
  identity: Identity,
) => {
  const oidcIssuer = { in: [...storedForms(identity.issuer)] }
  const same = { platformId, type: 'OAUTH' as const, revokedAt: null, ...columns(identity), oidcIssuer }
  if ((await reader.authMethod.count({ where: { ...same, accountId: id } })) > 0) throw alreadyExists()
  if ((await reader.authMethod.count({ where: { ...same, account: { customerId: { not: customerId } } } })) > 0) {
    throw new ApiError('INVALID_INPUT', 'The identity belongs to another customer', {
      field: 'oidcToken',
      reason: 'OIDC_IDENTITY_IN_USE',
    })
  }
}

export const oidc: CredentialKind<typeof registration, Identity, typeof proof> = {
  description:
    'OIDC identity, registered at most once per account. Its nickname is the `email` claim, or `sub` when that is not an email address.',
  registration,
  columns,
  alreadyExists,
  draft: async (caller, wallet, { oidcToken }) => {
    const token = readToken(oidcToken)
    const { issuer, audience, subject, email } = token
    const identity = { issuer, audience, subject }
    await refuseDuplicate(db, caller, wallet, identity)
    await checkToken(token, caller.environment, await timeOf(db))
    const nickname = email !== null && emailAddress.safeParse(email).success ? email : subject
    return { nickname, facts: identity }
  },
  recheck: async (tx, caller, wallet, { facts }) => {
    // The account's lock does not stop a registration of the identity on another account.
    await lockText(tx, `${caller.platformId} identity ${Object.values(facts).join(' ')}`)
    await refuseDuplicate(tx, caller, wallet, facts)
  },
  activity: ({ oidcToken }, nickname, userId) => ({
    type: 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS',
    parameters: { oauthProviders: [{ oidcToken, providerName: nickname }], userId },
  }),
  sessionKey: 'GATEWAY',
  proof,
  prepareCheck: async (caller, credential, { oidcToken, clientPublicKey }) => {
    const opened = openToken(oidcToken)
    const { oidcIssuer: issuer, oidcAudience: audience, oidcSubject: subject } = credential
    return async () => {
      const token = readProof(opened)
      await checkToken(token, caller.environment, await timeOf(db))
      checkIdentity(token, { issuer: issuerOf(issuer ?? '') ?? '', audience: audience ?? '', subject: subject ?? '' })
      checkNonce(token, clientPublicKey)
      return { clientPublicKey, spend: (tx) => rememberToken(tx, caller, token) }
    }
  },
}

/**
 * A token is accepted once, so that a stolen copy cannot open a second session. Its use is stored under the day of its
 * `iat`. The hash covers the `iat`, so the token is still known after midnight.
 */
const rememberToken = async (tx: Tx, { platformId }: PlatformCaller, { text, issuedAt }: OidcToken) => {
  const signed = text.slice(0, text.lastIndexOf('.'))
  const tokenHash = createHash('sha256').update(signed, 'utf8').digest()
  try {
    await tx.$executeRaw`
      insert into oidc_token_uses (platform_id, token_hash, day)
      values (${platformId}::uuid, ${tokenHash}, (to_timestamp(${issuedAt}::float8) at time zone 'UTC')::date)`
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new ApiError('UNAUTHORIZED', 'The token has already been used', { reason: 'OIDC_NONCE' })
  }
}
