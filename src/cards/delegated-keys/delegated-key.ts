// Keys that let a card pull money from a wallet (docs/domain/cards.md#delegated-keys).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { partsOfId, requireUuid } from '#core/ids.ts'
import { anyOf, idOf, parse } from '#core/input.ts'
import { db, join, query, type Sql, sql } from '#database/db.ts'
import { findById, json, nullable, oneOf, type RecordOf, record, selectWritten, text, time } from '#database/record.ts'
import { isOneOf, recordList, refersTo, when } from '#database/record-list.ts'
import type { SpendingLimit } from './spending-limit.ts'

export const DELEGATED_KEY_STATUSES = ['PENDING', 'ACTIVE', 'REVOKED'] as const

export const DelegatedKeyRecord = record(
  'delegated_keys',
  {
    id: text.describe('`DelegatedKey:<uuid>`.'),
    cardId: text.describe('`Card:<uuid>` of the card that pulls.'),
    fundingSourceId: text.describe('`CardFundingSource:<uuid>`: the wallet as a funding source of the card.'),
    accountId: text.describe('`InternalAccount:<uuid>` of the wallet.'),
    publicKey: text.describe('Public key on P-256, compressed, in hex. The service keeps the private key.'),
    nickname: text.describe('Name of the key, 1 to 256 characters.'),
    status: oneOf(DELEGATED_KEY_STATUSES).describe('State of the key. Only an `ACTIVE` key can pull money.'),
    spendingLimits: nullable(json<readonly SpendingLimit[]>()).describe(
      'The maximum that the pulls of one transaction may take, by currency.',
    ),
    createdAt: time.describe('When the key was created.'),
    updatedAt: time.describe('When the key last changed.'),
  },
  'REFUSED',
)
export type DelegatedKey = RecordOf<typeof DelegatedKeyRecord>

export const DelegatedKeyFilterInput = z.object({
  accountId: idOf('InternalAccount').nullish().describe('Only keys of this wallet.'),
  fundingSourceId: idOf('CardFundingSource').nullish().describe('Only keys of this funding source.'),
  cardId: idOf('Card').nullish().describe('Only keys of this card.'),
  customerId: idOf('Customer').nullish().describe('Only keys of the wallets of this customer.'),
  statuses: anyOf(DELEGATED_KEY_STATUSES).describe('Only these states. An empty list means no filter.'),
})

const ownerFilter = DelegatedKeyFilterInput.pick({ accountId: true, fundingSourceId: true })

const matchesOwner = ({ accountId, fundingSourceId }: z.output<typeof ownerFilter>): Sql[] => [
  ...refersTo('account_id', accountId),
  ...refersTo('funding_source_id', fundingSourceId),
]

export const delegatedKeyList = recordList(DelegatedKeyRecord, {
  name: 'delegated keys',
  filter: DelegatedKeyFilterInput,
  matches: ({ accountId, fundingSourceId, cardId, customerId, statuses }) => [
    ...matchesOwner({ accountId, fundingSourceId }),
    ...refersTo('card_id', cardId),
    ...when(
      customerId,
      (id) => sql`(t.platform_id, t.account_id) in (
        select platform_id, id from internal_accounts where customer_id = ${partsOfId(id).uuid}::uuid)`,
    ),
    ...isOneOf('status', 'delegated_key_status', statuses),
  ],
  parents: { InternalAccount: 'account_id', Card: 'card_id' },
})

/** All keys of a wallet or of a funding source, newest first. Needs the permission VIEW. 400 `INVALID_INPUT` without either. */
export const listDelegatedKeys = async (
  caller: PlatformCaller,
  conditions: Readonly<Record<string, string | undefined>>,
): Promise<readonly DelegatedKey[]> => {
  DelegatedKeyRecord.requireView(caller)
  const { accountId, fundingSourceId } = parse(ownerFilter, conditions)
  if (!accountId && !fundingSourceId) throw invalidInput('accountId', 'accountId or fundingSourceId is required')
  const rows = await query(sql`
    select ${DelegatedKeyRecord.columns} from delegated_keys t
    where ${join([DelegatedKeyRecord.visibleTo(caller), ...matchesOwner({ accountId, fundingSourceId })], ' and ')}
    order by t.created_at desc, t.id desc`)
  return rows.map((row) => DelegatedKeyRecord.read(row))
}

const unknownKey = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such delegated key')

/** Needs the permission VIEW. 404 `REFERENCE_NOT_FOUND` for an unknown or malformed id. */
export const readDelegatedKey = (caller: PlatformCaller, id: string): Promise<DelegatedKey> =>
  findById(caller, DelegatedKeyRecord, 'DelegatedKey', id, unknownKey)

/** Needs the permission TRANSACT, and no signature. 400 `INVALID_INPUT` unless the key is `ACTIVE`. */
export const revokeDelegatedKey = async (caller: PlatformCaller, id: string): Promise<DelegatedKey> => {
  requirePermission(caller, 'TRANSACT')
  const { platformId } = caller
  const uuid = requireUuid('DelegatedKey', id, unknownKey)
  const revoked = await db.$executeRaw`
    update delegated_keys set status = 'REVOKED', updated_at = now()
    where platform_id = ${platformId}::uuid and id = ${uuid}::uuid and status = 'ACTIVE'`
  if (revoked === 1) return selectWritten(caller, DelegatedKeyRecord, uuid)
  const known = await db.$queryRaw<object[]>`
    select from delegated_keys where platform_id = ${platformId}::uuid and id = ${uuid}::uuid`
  if (known.length === 0) throw unknownKey()
  throw new ApiError('INVALID_INPUT', 'Only an active key can be revoked', { field: 'id', reason: 'KEY_NOT_ACTIVE' })
}
