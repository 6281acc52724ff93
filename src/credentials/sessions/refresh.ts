// Refreshing a session, signed by that session (docs/domain/credentials.md#sessions).
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parse } from '#core/input.ts'
import { recipient } from '#credentials/crypto/p256.ts'
import { activityPayload } from '#credentials/signed-retry/activity.ts'
import { type Outcome, type RetryProof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import {
  findSession,
  type IssuedSession,
  insertSession,
  issuedSession,
  makeSessionKey,
  unknownSession,
} from './session.ts'

/**
 * Issues a new session; the old one keeps its own expiry. Needs the permission TRANSACT. The old session must be active on both calls, and
 * its key signs the second.
 */
export const refreshSession = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  proof: RetryProof,
): Promise<Outcome<IssuedSession>> => {
  requirePermission(caller, 'TRANSACT')
  const { platformId } = caller
  const outcome = await signedRetry<
    { authMethodId: string; clientPublicKey: string },
    { id: string; encryptedSessionSigningKey: string }
  >(caller, proof, {
    operation: 'REFRESH_SESSION',
    target: id,
    input,
    prepare: async () => {
      const { clientPublicKey } = parse(recipient, input)
      const session = await findSession(caller, id)
      if (!session) throw unknownSession()
      if (!session.isActive) {
        throw new ApiError('UNAUTHORIZED', 'The session is not active', { reason: 'SESSION_NOT_ACTIVE' })
      }
      const { accountId, authMethodId, type } = session
      return {
        accountIds: [accountId],
        signers: { sessionId: session.id },
        type,
        payload: activityPayload(accountId, {
          type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
          parameters: { targetPublicKey: clientPublicKey },
        }),
        data: { authMethodId, clientPublicKey },
      }
    },
    perform: async (tx, { authMethodId, clientPublicKey }, [accountId]) => {
      const { publicKey, encryptedSessionSigningKey } = await makeSessionKey(clientPublicKey)
      return {
        id: await insertSession(tx, { platformId, accountId, authMethodId, publicKey }),
        encryptedSessionSigningKey,
      }
    },
  })
  if ('challenge' in outcome) return outcome
  const session = await issuedSession(caller, outcome.done.id)
  return { done: { session, encryptedSessionSigningKey: outcome.done.encryptedSessionSigningKey } }
}
