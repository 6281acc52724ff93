// Credentials of wallet accounts. Callers see only those that are not revoked.
import { type Caller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { partsOfId, uuidOf } from '#core/ids.ts'
import { idOf, parse } from '#core/input.ts'
import { db, identifier, sql } from '#database/db.ts'
import { nullable, oneOf, type RecordOf, record, selectByOwner, selectWritten, text, time } from '#database/record.ts'
import type { Send } from '#database/round-trips.ts'
import type { AuthMethod } from '#generated/prisma/client.ts'

export const CREDENTIAL_TYPES = ['PASSKEY', 'OAUTH', 'EMAIL_OTP', 'SMS_OTP'] as const
export type CredentialType = (typeof CREDENTIAL_TYPES)[number]

export const CredentialRecord = record(
  'live_auth_methods',
  {
    id: text.describe('`AuthMethod:<uuid>`.'),
    accountId: text.describe('The wallet: `InternalAccount:<uuid>`.'),
    type: oneOf(CREDENTIAL_TYPES).describe('Type of the credential.'),
    nickname: text.describe(
      'The email address, phone number or OIDC identity behind the credential, or the name that its owner gave it.',
    ),
    credentialId: nullable(text).describe('WebAuthn credential ID, base64url. Only passkeys have one.'),
    createdAt: time.describe('When the credential was registered.'),
    updatedAt: time.describe('When the credential was last changed or, for one-time codes, challenged.'),
  },
  'REFUSED',
)

export const OTP_BUNDLE_TEXT =
  'Signed public key to encrypt the one-time code to (HPKE), as JSON text with `version`, `data`, `dataSignature` and `enclaveQuorumPublic`. Use it byte for byte. Only in the response to a call that sent a code.'
export type Credential = RecordOf<typeof CredentialRecord>

/** The credential for the response to a write, even if it was revoked in the meantime. */
export const writtenCredential = (caller: Caller, id: string): Promise<Credential> =>
  selectWritten(caller, AnyCredential, id)

const AnyCredential: typeof CredentialRecord = { ...CredentialRecord, table: identifier('auth_methods') }

/** The live credentials of an account, newest first; none when the account is unknown. 400 `INVALID_INPUT` for a malformed id. */
export const listCredentials = async (caller: Caller, accountId: unknown): Promise<readonly Credential[]> => {
  requirePermission(caller, 'VIEW')
  const [credentials] = await selectByOwner(caller, CredentialRecord, 'accountId', [accountUuid(accountId)])
  return credentials ?? []
}

/** The uuid in an account's id. */
export const accountUuid = (accountId: unknown): string =>
  partsOfId(parse(idOf('InternalAccount'), accountId, 'accountId')).uuid

/** The whole row. Undefined when the credential is unknown, revoked, or another platform's. */
export const findCredential = async ({ platformId }: Caller, id: string): Promise<AuthMethod | undefined> => {
  const uuid = uuidOf('AuthMethod', id)
  if (uuid === undefined) return undefined
  const credential = await db.authMethod.findFirst({ where: { platformId, id: uuid, revokedAt: null } })
  return credential ?? undefined
}

/** 404 when the credential was revoked after it was looked up. Call it with the account locked. */
export const requireLive = async (send: Send, { platformId }: Caller, id: string): Promise<void> => {
  const [[live]] = await send(sql`
    select 1 from live_auth_methods where platform_id = ${platformId}::uuid and id = ${id}::uuid`)
  if (!live) throw unknownCredential()
}

export const unknownCredential = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such credential')
