// Delegated keys: the lists, and the mutations that create and revoke them.
import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { CardRecord } from '#cards/card.ts'
import { CardNode } from '#cards/graphql.ts'
import { money } from '#core/money.ts'
import { addSignedMutation, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { enumOf } from '#graphql/enums.ts'
import { fieldsInput, inputOf, schemaInput } from '#graphql/input-of.ts'
import { linkedListField, listField, listType } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { MoneyType } from '#graphql/money.ts'
import { addMutation, type Success, withoutNulls } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { createDelegatedKey, delegatedKeyInput } from './create.ts'
import {
  DELEGATED_KEY_STATUSES,
  type DelegatedKey,
  DelegatedKeyFilterInput,
  DelegatedKeyRecord,
  delegatedKeyList,
  revokeDelegatedKey,
} from './delegated-key.ts'
import { asInt, type SpendingLimit, spendingLimitInput } from './spending-limit.ts'

const { texts } = DelegatedKeyRecord

const StatusEnum = enumOf('DelegatedKeyStatus', 'State of a delegated key.', DELEGATED_KEY_STATUSES, {
  PENDING: 'The wallet has signed the key but not its policy yet.',
  ACTIVE: 'The card may pull with it.',
  REVOKED: 'The platform revoked it.',
})

const SpendingLimitType = builder.objectRef<SpendingLimit>('SpendingLimit').implement({
  description: 'The maximum that the pulls of one transaction may take.',
  fields: (t) => ({
    currencyCode: t.exposeString('currencyCode', { nullable: false, description: 'Currency code.' }),
    maxAmount: t.field({
      type: 'Int64',
      nullable: false,
      description: 'In the smallest unit of the currency.',
      resolve: ({ maxPerTransaction }) => BigInt(maxPerTransaction),
    }),
    maxAmountMoney: t.field({
      type: MoneyType,
      nullable: false,
      description: '`maxAmount` with its currency.',
      resolve: ({ maxPerTransaction, currencyCode }) => money(BigInt(maxPerTransaction), currencyCode),
    }),
    maxPerTransaction: t.int({
      nullable: false,
      description: 'In the smallest unit of the currency, and at most 2147483647.',
      deprecationReason: 'An `Int` ends before an amount does. Select `maxAmount`.',
      resolve: asInt,
    }),
  }),
})

const DelegatedKeyNode = builder.objectRef<DelegatedKey>('DelegatedKey').implement({
  description: 'A key that lets a card pull money from a wallet. Errors: `FORBIDDEN` for an agent.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('DelegatedKey', 'id') }),
    cardId: t.id({ description: texts.cardId, ...idOf('Card', 'cardId') }),
    card: t.field({
      type: CardNode,
      description: 'The card that pulls.',
      resolve: ({ cardId }, _args, context) => load(context, CardRecord.byIds, cardId),
    }),
    fundingSourceId: t.id({
      nullable: false,
      description: texts.fundingSourceId,
      ...idOf('CardFundingSource', 'fundingSourceId'),
    }),
    accountId: t.id({ nullable: false, description: texts.accountId, ...idOf('InternalAccount', 'accountId') }),
    account: t.field({
      type: InternalAccountNode,
      description: 'The wallet.',
      resolve: ({ accountId }, _args, context) => load(context, InternalAccountRecord.byIds, accountId),
    }),
    publicKey: t.expose('publicKey', { type: 'Hex', nullable: false, description: texts.publicKey }),
    keyName: t.exposeString('nickname', { nullable: false, description: texts.nickname }),
    keyStatus: t.expose('status', { type: StatusEnum, nullable: false, description: texts.status }),
    spendingLimits: t.field({
      type: [SpendingLimitType],
      nullable: { list: true, items: false },
      description: texts.spendingLimits,
      resolve: ({ spendingLimits }) => (spendingLimits === null ? null : [...spendingLimits]),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
  }),
})

registerRecord(DelegatedKeyRecord, 'DelegatedKey')

const delegatedKeys = listType(
  'DelegatedKey',
  DelegatedKeyNode,
  'delegated keys',
  delegatedKeyList,
  DelegatedKeyFilterInput,
)

builder.queryField('delegatedKeys', (t) => listField(t, delegatedKeys, 'Delegated keys of wallets.'))
builder.objectField(InternalAccountNode, 'delegatedKeys', (t) =>
  linkedListField(t, delegatedKeys, 'InternalAccount', 'Delegated keys of the wallet.'),
)
builder.objectField(CardNode, 'delegatedKeys', (t) =>
  linkedListField(t, delegatedKeys, 'Card', 'Delegated keys with which the card pulls from wallets.'),
)

inputOf('SpendingLimitInput', 'The maximum that the pulls of one transaction may take.', spendingLimitInput)

const keySuccess = (description: string): Success<{ readonly delegatedKey: DelegatedKey }> => ({
  description,
  fields: (t) => ({
    delegatedKey: t.expose('delegatedKey', { type: DelegatedKeyNode, nullable: false, description: 'The key.' }),
  }),
})

addSignedMutation('createDelegatedKey', {
  description:
    'Creates a key that lets a card pull money from a wallet, in three calls with the same input: the wallet signs the key, then its policy. Each of the first two returns a challenge. `ConflictError` while the funding source has an active key.',
  input: schemaInput(delegatedKeyInput, (t) => ({
    signedRetry: t.field({ type: SignedRetryInput, description: 'Signed by any active session of the wallet.' }),
  })),
  statuses: [400, 401, 403, 404, 409],
  resolve: ({ signedRetry: _, ...input }, { caller }, proof) =>
    createDelegatedKey(caller, withoutNulls(input), proof, delegatedKeyInput),
  done: (delegatedKey) => ({ delegatedKey }),
  success: keySuccess('The key is active. REST: 201.'),
})

addMutation('revokeDelegatedKey', {
  description: 'Revokes an active key. Needs no signature.',
  input: fieldsInput((t) => ({ id: t.id({ required: true, description: texts.id }) })),
  statuses: [400, 403, 404],
  resolve: async ({ id }, { caller }) => ({ delegatedKey: await revokeDelegatedKey(caller, id) }),
  success: keySuccess('The key is revoked. REST: 204.'),
})
