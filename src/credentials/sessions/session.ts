// Sessions: while one is active, its key signs for the account (docs/domain/credentials.md#sessions).
import { type Caller, requirePermission } from '#core/caller.ts'
import { newUuid } from '#core/ids.ts'
import { accountUuid, CREDENTIAL_TYPES } from '#credentials/credential.ts'
import { sealSessionKey } from '#credentials/crypto/bundles.ts'
import { compressKey, generateKeyPair, pointOf } from '#credentials/crypto/p256.ts'
import { identifier } from '#database/db.ts'
import {
  nullable,
  oneOf,
  type RecordOf,
  record,
  selectByIds,
  selectByOwner,
  selectWritten,
  text,
  time,
} from '#database/record.ts'
import type { Tx } from '#database/unit-of-work.ts'

const LIFE_SECONDS = 15 * 60

export const SessionRecord = record('active_sessions', {
  id: text,
  accountId: text,
  authMethodId: text,
  /** Of the credential that issued it, as the nickname and the WebAuthn credential id. */
  type: oneOf(CREDENTIAL_TYPES),
  nickname: text,
  credentialId: nullable(text),
  createdAt: time,
  updatedAt: time,
  expiresAt: time,
})
export type Session = RecordOf<typeof SessionRecord>

export interface IssuedSession {
  readonly session: Session
  /** Sealed to the client's key, and given out this once. Null where the client holds the session's key itself. */
  readonly encryptedSessionSigningKey: string | null
}

export const sessionsByIds = (caller: Caller, ids: readonly string[]) => selectByIds(caller, SessionRecord, ids)

/** A session that has just been issued, even if it has been revoked since. */
export const issuedSession = (caller: Caller, id: string): Promise<Session> => selectWritten(caller, AnySession, id)

const AnySession: typeof SessionRecord = { ...SessionRecord, table: identifier('issued_sessions') }

export const activeSessionsOfAccounts = (caller: Caller, accountIds: readonly string[]) =>
  selectByOwner(caller, SessionRecord, 'accountId', accountIds)

/** The active sessions of an account, newest first; none when the account is unknown. 400 `INVALID_INPUT` for a malformed id. */
export const listSessions = async (caller: Caller, accountId: unknown): Promise<readonly Session[]> => {
  requirePermission(caller, 'VIEW')
  const [sessions] = await activeSessionsOfAccounts(caller, [accountUuid(accountId)])
  return sessions ?? []
}

interface NewSession {
  readonly platformId: string
  readonly accountId: string
  readonly authMethodId: string
  /** Uncompressed P-256 point. */
  readonly publicKey: Uint8Array
}

/** The id of a new session. Its life begins by the clock of the database. */
export const insertSession = async (tx: Tx, { platformId, accountId, authMethodId, publicKey }: NewSession) => {
  const id = newUuid()
  await tx.$executeRaw`
    insert into wallet_sessions (platform_id, id, account_id, auth_method_id, public_key, expires_at)
    values (${platformId}::uuid, ${id}::uuid, ${accountId}::uuid, ${authMethodId}::uuid, ${Buffer.from(compressKey(publicKey))},
      now() + make_interval(secs => ${LIFE_SECONDS}))`
  return id
}

/** The key of a session that is made here: sealed to the client's, and kept nowhere. */
export const makeSessionKey = async (clientPublicKey: string) => {
  const { publicKey, privateKey } = generateKeyPair()
  try {
    return { publicKey, encryptedSessionSigningKey: await sealSessionKey(pointOf(clientPublicKey), privateKey) }
  } finally {
    privateKey.fill(0)
  }
}
