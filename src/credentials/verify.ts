// Verifying a credential: a proof of its type gives a session (docs/domain/credentials.md#verification-decisions).
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { lockAccounts } from '#accounts/lock.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { labelOf, parse, rawText } from '#core/input.ts'
import { logStaleCounter } from '#core/log.ts'
import { parseOtpBundle } from '#credentials/crypto/bundles.ts'
import { compressKey, pointOf, publicKeyOf } from '#credentials/crypto/p256.ts'
import { signToken } from '#credentials/crypto/signing-key.ts'
import { checkIdentity, checkNonce, checkToken, openToken, readProof } from '#credentials/kinds/oidc/token.ts'
import { checkCode, spendCode } from '#credentials/kinds/otp/code.ts'
import { checkAssertion, passkeyAssertion } from '#credentials/kinds/passkey/assertion.ts'
import { passkeySettingsOf } from '#credentials/kinds/passkey/settings.ts'
import { type IssuedSession, insertSession, issuedSession, makeSessionKey } from '#credentials/sessions/session.ts'
import { consumeRequest, findRequest } from '#credentials/signed-retry/pending-request.ts'
import { type Outcome, type Proof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import { isDuplicate, type Tx, transaction } from '#database/unit-of-work.ts'
import type { AuthMethod } from '#generated/prisma/client.ts'
import type { AssertedContent } from './challenge.ts'
import { CREDENTIAL_TYPES, findCredential, isOtpType, OTP_TYPES, requireLive, unknownCredential } from './credential.ts'
import { clearFailures, countingFailures } from './limits.ts'

/** Needs the permission TRANSACT. One-time codes answer with a challenge first: the key that came with the code signs it. */
export const verifyCredential = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  proof: Proof,
): Promise<Outcome<IssuedSession>> => {
  requirePermission(caller, 'TRANSACT')
  const credential = await findCredential(caller, id)
  const type = credential ? credential.type : (input as { type?: unknown } | null)?.type
  if (isOtpType(type)) return verifyOtp(caller, id, credential, input, proof)
  if (!credential) throw unknownCredential()
  return {
    done:
      credential.type === 'OAUTH'
        ? await verifyOAuth(caller, credential, input)
        : await verifyPasskey(caller, credential, input, proof.requestId),
  }
}

const otpProof = {
  encryptedOtpBundle: rawText.describe(
    'JSON text with the keys `encappedPublic` and `ciphertext`, hex: the code, sealed to the bundle of the challenge (HPKE).',
  ),
}
const oauthProof = {
  oidcToken: rawText.describe('A fresh OIDC identity token: `iat` at most 60 seconds ago.'),
  clientPublicKey: publicKeyOf.describe(
    'Public key on P-256, hex. The sha256 of its text must be the `nonce` of the token.',
  ),
}
const passkeyProof = {
  assertion: passkeyAssertion.describe('What the authenticator signed: the result of `navigator.credentials.get`.'),
}
const TYPE = 'The type of the credential.'

export const verificationRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('PASSKEY').describe(TYPE), ...passkeyProof }),
  z.object({ type: z.literal('OAUTH').describe(TYPE), ...oauthProof }),
  z.object({ type: z.literal(OTP_TYPES).describe(TYPE), ...otpProof }),
])

const parseProof = <S extends z.ZodRawShape>({ type }: AuthMethod, shape: S, input: unknown) => {
  const proof = parse(z.object({ type: labelOf(CREDENTIAL_TYPES) }), input)
  parse(z.object({ type: z.literal(type, `must be the credential's, ${type}`) }), proof)
  return parse(z.object(shape), input)
}

const JWS_LIFE_SECONDS = 3600

const verifyOtp = async (
  caller: PlatformCaller,
  id: string,
  credential: AuthMethod | undefined,
  input: unknown,
  proof: Proof,
): Promise<Outcome<IssuedSession>> => {
  const outcome = await signedRetry<{ authMethodId: string; publicKey: string }, string>(caller, proof, {
    operation: 'VERIFY_OTP',
    target: id,
    input,
    prepare: async () => {
      if (!credential) throw unknownCredential()
      const bundle = parseOtpBundle(parseProof(credential, otpProof, input).encryptedOtpBundle)
      const { otpId, publicKey } = await countingFailures(credential, () => checkCode(credential, bundle))
      const compressed = Buffer.from(compressKey(publicKey)).toString('hex')
      const issuedAt = Math.floor(Date.now() / 1000)
      return {
        accountIds: [credential.accountId],
        signers: { publicKey: compressed },
        type: credential.type,
        payload: () => signToken({ sub: id, iat: issuedAt, exp: issuedAt + JWS_LIFE_SECONDS, public_key: compressed }),
        data: { authMethodId: credential.id, publicKey: compressed },
        alongside: async (tx) => {
          await spendCode(tx, caller.platformId, otpId)
          await clearFailures(tx, credential)
        },
      }
    },
    perform: async (tx, { authMethodId, publicKey }, [accountId]) => {
      await requireLive(tx, caller, authMethodId)
      return insertSession(tx, {
        platformId: caller.platformId,
        accountId,
        authMethodId,
        publicKey: pointOf(publicKey),
      })
    },
  })
  if ('challenge' in outcome) return outcome
  return { done: { session: await issuedSession(caller, outcome.done), encryptedSessionSigningKey: null } }
}

const REMEMBERED_SECONDS = 120

const verifyOAuth = async (caller: PlatformCaller, credential: AuthMethod, input: unknown): Promise<IssuedSession> => {
  const { oidcToken, clientPublicKey } = parseProof(credential, oauthProof, input)
  const opened = openToken(oidcToken)
  const { oidcIssuer: issuer, oidcAudience: audience, oidcSubject: subject } = credential
  return countingFailures(credential, async () => {
    const token = readProof(opened)
    await checkToken(token, caller.environment, new Date())
    checkIdentity(token, { issuer: issuer ?? '', audience: audience ?? '', subject: subject ?? '' })
    checkNonce(token, clientPublicKey)
    return openSession(caller, credential, clientPublicKey, (tx) => rememberToken(tx, caller, oidcToken))
  })
}

/** What its issuer signed is accepted once: a copy within its minute gives no second session. */
const rememberToken = async (tx: Tx, { platformId }: PlatformCaller, oidcToken: string) => {
  const signed = oidcToken.slice(0, oidcToken.lastIndexOf('.'))
  const tokenHash = createHash('sha256').update(signed, 'utf8').digest()
  try {
    await tx.$executeRaw`
      insert into oidc_token_uses (platform_id, token_hash, expires_at)
      values (${platformId}::uuid, ${tokenHash}, now() + make_interval(secs => ${REMEMBERED_SECONDS}))`
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new ApiError('UNAUTHORIZED', 'The token has been used', { reason: 'OIDC_NONCE' })
  }
}

const verifyPasskey = async (
  caller: PlatformCaller,
  credential: AuthMethod,
  input: unknown,
  requestId: string | null,
): Promise<IssuedSession> => {
  const { assertion } = parseProof(credential, passkeyProof, input)
  if (requestId === null) {
    throw new ApiError('REQUEST_ID_MISSING', 'The assertion needs the request id of its challenge')
  }
  const request = await findRequest(caller, requestId, 'ASSERT_PASSKEY', `AuthMethod:${credential.id}`)
  const { challenge, clientPublicKey } = request.content as AssertedContent
  const settings = await passkeySettingsOf(caller)
  return countingFailures(credential, async () => {
    const { counter } = checkAssertion(assertion, challenge, passkeyOf(credential), settings)
    return openSession(caller, credential, clientPublicKey, async (tx) => {
      await consumeRequest(tx, caller, request.id)
      await raiseCounter(tx, credential, counter)
    })
  }).catch((error: unknown) => {
    const isStale = error instanceof ApiError && error.details?.reason === 'ASSERTION_COUNTER'
    if (isStale) logStaleCounter(credential.platformId, credential.id)
    throw error
  })
}

const passkeyOf = ({ credentialId, publicKey, counter, transports, origin, rpId, rpIdHash }: AuthMethod) => ({
  credentialId: credentialId ?? '',
  publicKey: publicKey ?? new Uint8Array(),
  counter: Number(counter ?? 0),
  transports,
  origin: origin ?? '',
  rpId,
  rpIdHash: rpIdHash ?? new Uint8Array(),
})

/** Of two assertions with the same counter one is a copy. Authenticators without a counter always say 0. */
const raiseCounter = async (tx: Tx, { platformId, id }: AuthMethod, counter: number) => {
  const raised = await tx.$executeRaw`
    update auth_methods set counter = ${counter}
    where platform_id = ${platformId}::uuid and id = ${id}::uuid
      and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`
  if (raised !== 1) {
    throw new ApiError('UNAUTHORIZED', 'The signature counter has not grown', { reason: 'ASSERTION_COUNTER' })
  }
}

/** A session whose key is made here, and sealed to the client's. The key itself is kept nowhere. */
const openSession = async (
  caller: PlatformCaller,
  credential: AuthMethod,
  clientPublicKey: string,
  useProof: (tx: Tx) => Promise<void>,
): Promise<IssuedSession> => {
  const { platformId, accountId, id: authMethodId } = credential
  const { publicKey, encryptedSessionSigningKey } = await makeSessionKey(clientPublicKey)
  const id = await transaction(async (tx) => {
    await lockAccounts(tx, caller, [accountId])
    await useProof(tx)
    await requireLive(tx, caller, authMethodId)
    await clearFailures(tx, credential)
    return insertSession(tx, { platformId, accountId, authMethodId, publicKey })
  })
  return { session: await issuedSession(caller, id), encryptedSessionSigningKey }
}
