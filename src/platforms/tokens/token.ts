// API tokens as their platform sees them (docs/domain/api-credentials.md#api-tokens). `api-token.ts` authenticates callers by them.
import { randomBytes } from 'node:crypto'
import { API_PERMISSIONS, type ApiPermission } from '#core/caller.ts'
import { newUuid } from '#core/ids.ts'
import { listOf, type RecordOf, record, text, time } from '#database/record.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { hashSecret } from '#platforms/api-token.ts'

export const ApiTokenRecord = record(
  'api_tokens',
  {
    id: text.describe('`Token:<uuid>`.'),
    name: text.describe('Name of the token, chosen by the platform.'),
    permissions: listOf(API_PERMISSIONS).describe('What the token may do. No permission implies another.'),
    clientId: text.describe('The user name of HTTP Basic.'),
    createdAt: time.describe('When the token was created.'),
    updatedAt: time.describe('When the token was last changed.'),
  },
  'REFUSED',
)
export type ApiToken = RecordOf<typeof ApiTokenRecord>

export const TOKEN_TEXTS = {
  secret: 'The password of HTTP Basic, 36 hexadecimal digits. It is shown only now, because only its hash is stored.',
} as const

/** The secret cannot be shown again, because only its hash is stored. */
export interface NewToken {
  /** The bare uuid. */
  readonly id: string
  readonly clientId: string
  readonly secret: string
}

/** The only way to create a token. */
export const insertToken = async (
  tx: Tx,
  platformId: string,
  { name, permissions }: { readonly name: string; readonly permissions: readonly ApiPermission[] },
): Promise<NewToken> => {
  const id = newUuid()
  const clientId = randomBytes(16).toString('hex')
  const secret = randomBytes(18).toString('hex')
  const secretHash = new Uint8Array(hashSecret(secret))
  const data = { platformId, id, name, clientId, secretHash, permissions: [...permissions] }
  await tx.apiToken.create({ data, select: { id: true } })
  return { id, clientId, secret }
}
