// Sessions: while one is active, its key signs for the account (docs/domain/credentials.md#sessions).
import { type Caller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, uuidOf } from '#core/ids.ts'
import { accountUuid, CREDENTIAL_TYPES, type CredentialType } from '#credentials/credential.ts'
import { sealSessionKey } from '#credentials/crypto/bundles.ts'
import { compressKey, generateKeyPair, pointOf } from '#credentials/crypto/p256.ts'
import { identifier, type Sql, sql } from '#database/db.ts'
import { nullable, oneOf, type RecordOf, record, selectByOwner, text, time } from '#database/record.ts'
import { lookUpTogether } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'

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

/** The active sessions of an account, newest first; none when the account is unknown. 400 `INVALID_INPUT` for a malformed id. */
export const listSessions = async (caller: Caller, accountId: unknown): Promise<readonly Session[]> => {
  requirePermission(caller, 'VIEW')
  const [sessions] = await selectByOwner(caller, SessionRecord, 'accountId', [accountUuid(accountId)])
  return sessions ?? []
}

/** The condition that a row of `wallet_sessions` with this alias is in `active_sessions`, which also looks up its credential. */
export const isActive = (alias: string): Sql =>
  sql`${identifier(alias)}.revoked_at is null and ${identifier(alias)}.expires_at > now()`

interface NewSession {
  readonly accountId: string
  readonly authMethodId: string
  /** Uncompressed P-256 point. */
  readonly publicKey: Uint8Array
}

/** The statements that insert a session and select it, whatever its state. The database's clock decides when it expires. */
export const issuingSession = (
  { platformId }: Pick<Caller, 'platformId'>,
  { accountId, authMethodId, publicKey }: NewSession,
): readonly [Sql, Sql] => {
  const id = newUuid()
  return [
    sql`
      insert into wallet_sessions (platform_id, id, account_id, auth_method_id, public_key, expires_at)
      values (${platformId}::uuid, ${id}::uuid, ${accountId}::uuid, ${authMethodId}::uuid, ${Buffer.from(compressKey(publicKey))},
        now() + make_interval(secs => ${LIFE_SECONDS}))`,
    sql`
      select ${SessionRecord.columns} from issued_sessions t
      where t.platform_id = ${platformId}::uuid and t.id = ${id}::uuid`,
  ]
}

/** The session, given the rows of both statements of `issuingSession`. */
export const issuedSession = ([, rows]: readonly (readonly Row[])[]): Session => SessionRecord.read(rows?.[0] ?? [])

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
  const uuid = uuidOf('Session', id)
  if (uuid === undefined) return undefined
  const [[row]] = await lookUpTogether(sql`
    select t.account_id, account.customer_id, t.auth_method_id, t.type,
      exists (select from active_sessions where platform_id = t.platform_id and id = t.id)
    from issued_sessions t join internal_accounts account on account.platform_id = t.platform_id and account.id = t.account_id
    where t.platform_id = ${platformId}::uuid and t.id = ${uuid}::uuid`)
  if (!row) return undefined
  const [accountId, customerId, authMethodId, type, isActive] = row as FoundSession
  return { id: uuid, accountId, customerId, authMethodId, type, isActive: isActive === 't' }
}

type FoundSession = readonly [
  accountId: string,
  customerId: string,
  authMethodId: string,
  CredentialType,
  isActive: 't' | 'f',
]

export const unknownSession = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such session')
