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
  issuedSession,
  issuingSession,
  makeSessionKey,
  unknownSession,
} from './session.ts'

/**
 * Issues a new session; the old one keeps its own expiry. Needs the permission TRANSACT. The old session must be active on both calls, and
 * its key signs the second.
 */
export const refreshSession = (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  proof: RetryProof,
): Promise<Outcome<IssuedSession>> => {
  requirePermission(caller, 'TRANSACT')
  return signedRetry<{ authMethodId: string; clientPublicKey: string }, IssuedSession>(caller, proof, {
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
    change: async (_send, { authMethodId, clientPublicKey }, [accountId]) => {
      const { publicKey, encryptedSessionSigningKey } = await makeSessionKey(clientPublicKey)
      return {
        statements: issuingSession(caller, { accountId, authMethodId, publicKey }),
        done: (rows) => ({ session: issuedSession(rows), encryptedSessionSigningKey }),
      }
    },
  })
}
