// Verifying a credential: a valid proof opens a session (docs/domain/credentials.md#verification-decisions).
import { z } from 'zod'
import { lockAccounts } from '#accounts/lock.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { labelOf, parse } from '#core/input.ts'
import { pointOf } from '#credentials/crypto/p256.ts'
import { signToken } from '#credentials/crypto/signing-key.ts'
import { bodiesByType, CREDENTIAL_KINDS, kindOf } from '#credentials/kinds/table.ts'
import { type IssuedSession, issuedSession, issuingSession, makeSessionKey } from '#credentials/sessions/session.ts'
import { type Outcome, type RetryProof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import { sendIn, sending } from '#database/round-trips.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { AuthMethod } from '#generated/prisma/client.ts'
import { clearFailures, countingFailures, giveBackProof } from './attempt-limits.ts'
import { CREDENTIAL_TYPES, CredentialRecord, findCredential, requireLive, unknownCredential } from './credential.ts'

export const verificationRequest = bodiesByType<z.ZodObject>('proof', (schema, type) =>
  z.object({ type: type.describe(CredentialRecord.texts.type), ...schema.shape }),
)

/** Needs the permission TRANSACT. When the device made the session key, the first call returns a challenge for that key to sign. */
export const verifyCredential = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  retry: RetryProof,
): Promise<Outcome<IssuedSession>> => {
  requirePermission(caller, 'TRANSACT')
  const credential = await findCredential(caller, id)
  const kind = kindOf(credential ? credential.type : (input as { type?: unknown } | null)?.type)
  if (kind?.sessionKey === 'DEVICE') return openDeviceSession(caller, id, credential, input, retry)
  if (!credential) throw unknownCredential()
  return { done: await openGatewaySession(caller, credential, input, retry.requestId) }
}

const prepareCheck = (caller: PlatformCaller, credential: AuthMethod, input: unknown, requestId: string | null) => {
  const { type } = credential
  const typed = parse(z.object({ type: labelOf(CREDENTIAL_TYPES) }), input)
  parse(z.object({ type: z.literal(type, `must be the credential's, ${type}`) }), typed)
  const kind = CREDENTIAL_KINDS[type]
  return kind.prepareCheck(caller, credential, parse(kind.proof, input), requestId)
}

const JWS_LIFE_SECONDS = 3600

/** The device keeps the session's private key. The first call checks the proof and spends it; the second shows that the device has the key. */
const openDeviceSession = (
  caller: PlatformCaller,
  id: string,
  credential: AuthMethod | undefined,
  input: unknown,
  retry: RetryProof,
): Promise<Outcome<IssuedSession>> => {
  return signedRetry<{ authMethodId: string; publicKey: string }, IssuedSession>(caller, retry, {
    operation: 'VERIFY_OTP',
    target: id,
    input,
    prepare: async () => {
      if (!credential) throw unknownCredential()
      const check = await prepareCheck(caller, credential, input, retry.requestId)
      const { clientPublicKey, spend, giveBack } = await countingFailures(credential, check)
      const issuedAt = Math.floor(Date.now() / 1000)
      const claims = { sub: id, iat: issuedAt, exp: issuedAt + JWS_LIFE_SECONDS, public_key: clientPublicKey }
      return {
        accountIds: [credential.accountId],
        signers: { publicKey: clientPublicKey },
        type: credential.type,
        payload: () => signToken(claims),
        data: { authMethodId: credential.id, publicKey: clientPublicKey },
        alongside: async (tx) => {
          await spend(tx)
          await clearFailures(tx, credential)
        },
        ifNotStored: async () => {
          await giveBack?.()
          await giveBackProof(credential)
        },
      }
    },
    change: async (send, { authMethodId, publicKey }, [accountId]) => {
      await requireLive(send, caller, authMethodId)
      return {
        statements: issuingSession(caller, { accountId, authMethodId, publicKey: pointOf(publicKey) }),
        done: (rows) => ({ session: issuedSession(rows), encryptedSessionSigningKey: null }),
      }
    },
  })
}

/** The gateway makes the session's key, encrypts the private key to the client's, and stores only the public key. */
const openGatewaySession = async (
  caller: PlatformCaller,
  credential: AuthMethod,
  input: unknown,
  requestId: string | null,
): Promise<IssuedSession> => {
  const { accountId, id: authMethodId } = credential
  const check = await prepareCheck(caller, credential, input, requestId)
  return countingFailures(credential, async () => {
    const { clientPublicKey, spend } = await check()
    const { publicKey, encryptedSessionSigningKey } = await makeSessionKey(clientPublicKey)
    const session = await inTransaction(async (tx) => {
      await lockAccounts(tx, caller, [accountId])
      await spend(tx)
      await requireLive(sending(tx), caller, authMethodId)
      await clearFailures(tx, credential)
      return issuedSession(await sendIn(tx, ...issuingSession(caller, { accountId, authMethodId, publicKey })))
    })
    return { session, encryptedSessionSigningKey }
  })
}
