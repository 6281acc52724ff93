// Revoking a session, signed by a session of its account (docs/domain/credentials.md#sessions).
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { activityPayload } from '#credentials/signed-retry/activity.ts'
import { type Outcome, type RetryProof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import { sql } from '#database/db.ts'
import type { Send } from '#database/round-trips.ts'
import { findSession, unknownSession } from './session.ts'

export interface RevokedSession {
  readonly id: string
  readonly accountId: string
}

/** Needs the permission TRANSACT, and the key of any active session of the account, the revoked one included. */
export const revokeSession = (
  caller: PlatformCaller,
  id: string,
  proof: RetryProof,
): Promise<Outcome<RevokedSession>> => {
  requirePermission(caller, 'TRANSACT')
  return signedRetry<{ sessionId: string }, RevokedSession>(caller, proof, {
    operation: 'REVOKE_SESSION',
    target: id,
    input: null,
    prepare: async () => {
      const session = await findSession(caller, id)
      if (!session?.isActive) throw unknownSession()
      const { accountId, customerId, type } = session
      return {
        accountIds: [accountId],
        signers: {},
        type,
        payload: activityPayload(accountId, {
          type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
          parameters: { apiKeyIds: [session.id], userId: customerId },
        }),
        data: { sessionId: session.id },
      }
    },
    change: async (send, { sessionId }, [accountId]) => {
      await end(send, caller, sessionId)
      return { statements: [], done: () => ({ id: sessionId, accountId }) }
    },
  })
}

const end = async (send: Send, { platformId }: PlatformCaller, id: string) => {
  const [ended] = await send(sql`
    update wallet_sessions set revoked_at = now(), updated_at = now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and revoked_at is null and expires_at > now() returning 1`)
  if (ended.length !== 1) throw unknownSession()
}
