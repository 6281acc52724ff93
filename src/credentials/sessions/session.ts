// Sessions: while one is active, its key signs for the account (docs/domain/credentials.md#sessions).
import { type Caller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, parseId } from '#core/ids.ts'
import { accountUuid, CREDENTIAL_TYPES } from '#credentials/credential.ts'
import { sealSessionKey } from '#credentials/crypto/bundles.ts'
import { compressKey, generateKeyPair, pointOf } from '#credentials/crypto/p256.ts'
import { db, identifier } from '#database/db.ts'
import { nullable, oneOf, type RecordOf, record, selectByOwner, selectWritten, text, time } from '#database/record.ts'
import type { Tx } from '#database/unit-of-work.ts'

const LIFE_SECONDS = 15 * 60

export const SessionRecord = record(
  'active_sessions',
  {
    id: text.describe('`Session:<uuid>`.'),
    accountId: text.describe('The wallet: `InternalAccount:<uuid>`.'),
    authMethodId: text,
    type: oneOf(CREDENTIAL_TYPES).describe('Type of the credential that issued the session.'),
    nickname: text.describe('Nickname of the credential that issued the session.'),
    credentialId: nullable(text).describe('WebAuthn credential ID of the passkey that issued the session, base64url.'),
    createdAt: time.describe('When the session was issued.'),
    updatedAt: time.describe('When the session was last changed.'),
    expiresAt: time.describe('When the session expires: 15 minutes after it was issued.'),
  },
  'REFUSED',
)

export const SESSION_KEY_TEXT =
  "The session's private key, encrypted to `clientPublicKey`: base58check of 81 bytes. Returned only once, and not at all if the device made the key (one-time codes)."
export type Session = RecordOf<typeof SessionRecord>

export interface IssuedSession {
  readonly session: Session
  /** The session's private key, encrypted to the client's key. It is returned only here. Null when the device made the key itself. */
  readonly encryptedSessionSigningKey: string | null
}

/** A session that was just issued, even when it was revoked in the meantime. */
export const issuedSession = (caller: Caller, id: string): Promise<Session> => selectWritten(caller, AnySession, id)

const AnySession: typeof SessionRecord = { ...SessionRecord, table: identifier('issued_sessions') }

/** The active sessions of an account, newest first; none when the account is unknown. 400 `INVALID_INPUT` for a malformed id. */
export const listSessions = async (caller: Caller, accountId: unknown): Promise<readonly Session[]> => {
  requirePermission(caller, 'VIEW')
  const [sessions] = await selectByOwner(caller, SessionRecord, 'accountId', [accountUuid(accountId)])
  return sessions ?? []
}

interface NewSession {
  readonly platformId: string
  readonly accountId: string
  readonly authMethodId: string
  /** Uncompressed P-256 point. */
  readonly publicKey: Uint8Array
}

/** Returns the id. The database's clock decides when the session expires. */
export const insertSession = async (tx: Tx, { platformId, accountId, authMethodId, publicKey }: NewSession) => {
  const id = newUuid()
  await tx.$executeRaw`
    insert into wallet_sessions (platform_id, id, account_id, auth_method_id, public_key, expires_at)
    values (${platformId}::uuid, ${id}::uuid, ${accountId}::uuid, ${authMethodId}::uuid, ${Buffer.from(compressKey(publicKey))},
      now() + make_interval(secs => ${LIFE_SECONDS}))`
  return id
}

/** A new session key. The private key is encrypted to the client's key and not stored. */
export const makeSessionKey = async (clientPublicKey: string) => {
  const { publicKey, privateKey } = generateKeyPair()
  try {
    return { publicKey, encryptedSessionSigningKey: await sealSessionKey(pointOf(clientPublicKey), privateKey) }
  } finally {
    privateKey.fill(0)
  }
}

/** A session with its state, whether active, expired or revoked. Undefined when it is unknown or another platform's. */
export const findSession = async ({ platformId }: Caller, id: string) => {
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

export const unknownSession = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such session')
