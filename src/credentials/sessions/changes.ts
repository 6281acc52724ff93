// Refreshing and revoking sessions, signed by their account (docs/domain/credentials.md#sessions).
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { parse } from '#core/input.ts'
import { recipient } from '#credentials/crypto/p256.ts'
import { payloadOf } from '#credentials/signed-retry/activity.ts'
import { type Outcome, type Proof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { type IssuedSession, insertSession, issuedSession, makeSessionKey } from './session.ts'

/** A new session beside the old one, which keeps its own expiry. Needs the permission TRANSACT, and on both legs the old one's key. */
export const refreshSession = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  proof: Proof,
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
        payload: payloadOf(accountId, {
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

export interface RevokedSession {
  readonly id: string
  readonly accountId: string
}

/** Needs the permission TRANSACT, and the key of any active session of the account, the revoked one included. */
export const revokeSession = (caller: PlatformCaller, id: string, proof: Proof): Promise<Outcome<RevokedSession>> => {
  requirePermission(caller, 'TRANSACT')
  return signedRetry<{ sessionId: string }, RevokedSession>(caller, proof, {
    operation: 'REVOKE_SESSION',
    target: id,
    input: null,
    prepare: async () => {
      const session = await findSession(caller, id)
      if (!session?.isActive) throw unknownSession()
      const { accountId, type } = session
      const { customerId } = await db.internalAccount.findUniqueOrThrow({
        where: { platformId_id: { platformId: caller.platformId, id: accountId } },
      })
      return {
        accountIds: [accountId],
        signers: {},
        type,
        payload: payloadOf(accountId, {
          type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
          parameters: { apiKeyIds: [session.id], userId: customerId },
        }),
        data: { sessionId: session.id },
      }
    },
    perform: async (tx, { sessionId }, [accountId]) => {
      await end(tx, caller, sessionId)
      return { id: sessionId, accountId }
    },
  })
}

const end = async (tx: Tx, { platformId }: PlatformCaller, id: string) => {
  const ended = await tx.$executeRaw`
    update wallet_sessions set revoked_at = now(), updated_at = now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and revoked_at is null and expires_at > now()`
  if (ended !== 1) throw unknownSession()
}

/** Any session that was ever issued. */
const findSession = async ({ platformId }: PlatformCaller, id: string) => {
  const parsed = parseId(id)
  if (parsed?.kind !== 'Session') return undefined
  const session = await db.walletSession.findFirst({
    where: { platformId, id: parsed.uuid },
    include: { authMethod: true },
  })
  if (!session) return undefined
  const { accountId, authMethodId, authMethod } = session
  const [active] = await db.$queryRaw<unknown[]>`
    select 1 from active_sessions where platform_id = ${platformId}::uuid and id = ${parsed.uuid}::uuid`
  return { id: session.id, accountId, authMethodId, type: authMethod.type, isActive: active !== undefined }
}

const unknownSession = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such session')
