// Revoking a credential. A session of another credential signs it. The sessions that the credential issued are revoked with it.
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { activityPayload } from '#credentials/signed-retry/activity.ts'
import { type Change, type Outcome, type RetryProof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import { db, sql } from '#database/db.ts'
import { lookUpTogether, type Send } from '#database/round-trips.ts'
import { findCredential, requireLive, unknownCredential } from './credential.ts'

export interface RevokedCredential {
  readonly id: string
  readonly accountId: string
  readonly revokedSessionIds: readonly string[]
}

/** Needs the permission TRANSACT. 400 `INVALID_INPUT`, reason `LAST_CREDENTIAL`, for the only credential of an account. */
export const revokeCredential = (
  caller: PlatformCaller,
  id: string,
  proof: RetryProof,
): Promise<Outcome<RevokedCredential>> => {
  requirePermission(caller, 'TRANSACT')
  return signedRetry<{ authMethodId: string }, RevokedCredential>(caller, proof, {
    operation: 'REVOKE_CREDENTIAL',
    target: id,
    input: null,
    prepare: async () => {
      const credential = await findCredential(caller, id)
      if (!credential) throw unknownCredential()
      const { accountId, type } = credential
      await refuseLast(lookUpTogether, caller, accountId)
      const { customerId } = await db.internalAccount.findUniqueOrThrow({
        where: { platformId_id: { platformId: caller.platformId, id: accountId } },
      })
      return {
        accountIds: [accountId],
        signers: { exceptCredentialId: credential.id },
        type,
        payload: activityPayload(accountId, {
          type: 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
          parameters: { authenticatorIds: [credential.id], userId: customerId },
        }),
        data: { authMethodId: credential.id },
      }
    },
    change: async (send, { authMethodId }, [accountId]) => {
      await requireLive(send, caller, authMethodId)
      await refuseLast(send, caller, accountId)
      return removing(caller, authMethodId, accountId)
    },
  })
}

const refuseLast = async (send: Send, { platformId }: PlatformCaller, accountId: string) => {
  const [live] = await send(sql`
    select 1 from live_auth_methods where platform_id = ${platformId}::uuid and account_id = ${accountId}::uuid limit 2`)
  if (live.length <= 1) {
    throw new ApiError('INVALID_INPUT', 'The last credential of an account cannot be revoked', {
      reason: 'LAST_CREDENTIAL',
    })
  }
}

const removing = ({ platformId }: PlatformCaller, id: string, accountId: string): Change<RevokedCredential> => ({
  statements: [
    sql`
      update auth_methods set revoked_at = now(), updated_at = now()
      where platform_id = ${platformId}::uuid and id = ${id}::uuid`,
    sql`delete from otp_challenges where platform_id = ${platformId}::uuid and auth_method_id = ${id}::uuid`,
    sql`
      update wallet_sessions set revoked_at = now(), updated_at = now()
      where platform_id = ${platformId}::uuid and auth_method_id = ${id}::uuid and revoked_at is null and expires_at > now()
      returning id`,
  ],
  done: ([, , sessions = []]) => ({ id, accountId, revokedSessionIds: sessions.map(([session]) => String(session)) }),
})
