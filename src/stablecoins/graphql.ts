import { ExternalAccountRecord } from '#accounts/external-account.ts'
import { ExternalAccountNode, InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { builder, type FieldBuilder, NodeInterface } from '#graphql/builder.ts'
import { idOf, labelOf } from '#graphql/compiled/field.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { enumOf } from '#graphql/enums.ts'
import { linkedListField, listField, listType } from '#graphql/list-field.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { EnvironmentEnum } from '#platforms/graphql.ts'
import { textOfAmount } from './amount.ts'
import {
  OPERATION_STATUSES,
  OperationFilterInput,
  operationList,
  type StablecoinOperation,
  StablecoinOperationRecord,
} from './operation.ts'
import {
  LINK_STATUSES,
  type ProviderAccount,
  ProviderAccountFilterInput,
  ProviderAccountRecord,
  providerAccountList,
  STABLECOIN_PROVIDERS,
} from './provider-account.ts'
import { OPERATION_TYPES, STABLECOIN_QUOTE_STATUSES, type StablecoinQuote, StablecoinQuoteRecord } from './quote.ts'
import {
  STABLECOIN_NETWORKS,
  type Stablecoin,
  StablecoinFilterInput,
  StablecoinRecord,
  stablecoinList,
} from './stablecoin.ts'

const ProviderEnum = enumOf('StablecoinProvider', 'Issuer of the tokens.', STABLECOIN_PROVIDERS, { BRALE: 'Brale.' })

const LinkStatusEnum = enumOf('StablecoinProviderAccountStatus', 'Whether a link can be used.', LINK_STATUSES, {
  ACTIVE: 'The provider accepts the credentials.',
  INVALID: 'The provider does not accept the credentials.',
  REVOKED: 'The provider has revoked the credentials.',
})

const NetworkEnum = enumOf('StablecoinNetwork', 'The network that tokens are on.', STABLECOIN_NETWORKS, {
  SPARK: 'Spark.',
})

const OperationTypeEnum = enumOf('StablecoinOperationType', 'What happens to tokens.', OPERATION_TYPES, {
  MINT: 'Tokens are issued for US dollars.',
  BURN: 'Tokens are redeemed for US dollars.',
})

const QuoteStatusEnum = enumOf('StablecoinQuoteStatus', 'State of a quote.', STABLECOIN_QUOTE_STATUSES, {
  PENDING: 'It can be executed.',
  EXECUTED: 'It was executed.',
  EXPIRED: 'It was not executed in time.',
})

const OperationStatusEnum = enumOf('StablecoinOperationStatus', 'State of a mint or a burn.', OPERATION_STATUSES, {
  CREATED: 'The quote was executed.',
  PENDING_FUNDING: 'The provider waits for the dollars of a mint, or for the tokens of a burn.',
  PENDING_PROVIDER: 'The provider has received the funds, but has not started.',
  PROCESSING: 'Tokens are being issued or redeemed.',
  COMPLETED: 'The tokens are issued, or the dollars are paid.',
  FAILED: 'It failed. The dollars of a mint are paid back.',
  EXPIRED: 'The provider never received the funds. The dollars of a mint are paid back.',
})

const link = ProviderAccountRecord.texts

export const ProviderAccountNode = builder.objectRef<ProviderAccount>('StablecoinProviderAccount').implement({
  description: "A link to the platform's account at a stablecoin provider.",
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: link.id, ...idOf('StablecoinProviderAccount', 'id') }),
    stablecoinProvider: t.expose('provider', { type: ProviderEnum, nullable: false, description: link.provider }),
    providerAccountId: t.exposeString('providerAccountId', { nullable: false, description: link.providerAccountId }),
    providerEnvironment: t.expose('providerEnvironment', {
      type: EnvironmentEnum,
      nullable: false,
      description: link.providerEnvironment,
    }),
    linkStatus: t.expose('status', { type: LinkStatusEnum, nullable: false, description: link.status }),
    lastVerifiedAt: t.expose('lastVerifiedAt', { type: 'DateTime', description: link.lastVerifiedAt }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: link.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: link.updatedAt }),
  }),
})

registerRecord(ProviderAccountRecord, 'StablecoinProviderAccount')

const coin = StablecoinRecord.texts

export const StablecoinNode = builder.objectRef<Stablecoin>('Stablecoin').implement({
  description: 'A stablecoin that the platform issues through a provider.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: coin.id, ...idOf('Stablecoin', 'id') }),
    stablecoinProviderAccountId: t.id({
      nullable: false,
      description: coin.stablecoinProviderAccountId,
      ...idOf('StablecoinProviderAccount', 'stablecoinProviderAccountId'),
    }),
    stablecoinProviderAccount: t.field({
      type: ProviderAccountNode,
      description: 'The link that issues it.',
      ...rowOf(ProviderAccountRecord, 'stablecoinProviderAccountId'),
    }),
    providerTokenIdentifier: t.exposeString('providerTokenIdentifier', {
      nullable: false,
      description: coin.providerTokenIdentifier,
    }),
    networkTokenIdentifier: t.exposeString('networkTokenIdentifier', {
      nullable: false,
      description: coin.networkTokenIdentifier,
    }),
    tokenNetwork: t.expose('network', { type: NetworkEnum, nullable: false, description: coin.network }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: coin.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: coin.updatedAt }),
  }),
})

registerRecord(StablecoinRecord, 'Stablecoin')

/** What a quote has in common with the operation that it becomes. */
const fieldsOfBoth = <T extends StablecoinQuote | StablecoinOperation>(
  t: FieldBuilder<T>,
  texts: Readonly<Record<'stablecoinId' | 'operationType' | 'amount', string>>,
) => ({
  stablecoinId: t.id({ nullable: false, description: texts.stablecoinId, ...idOf('Stablecoin', 'stablecoinId') }),
  stablecoin: t.field({
    type: StablecoinNode,
    description: 'The stablecoin.',
    ...rowOf(StablecoinRecord, 'stablecoinId'),
  }),
  operationType: t.field({
    type: OperationTypeEnum,
    nullable: false,
    description: texts.operationType,
    ...labelOf('operationType', OPERATION_TYPES),
  }),
  tokenAmount: t.field({
    type: 'Decimal',
    nullable: false,
    description: texts.amount,
    resolve: ({ amount }: T) => textOfAmount(amount),
  }),
  internalAccount: t.field({
    type: InternalAccountNode,
    description: 'The account in US dollars: it pays for a mint, and is paid by a burn.',
    ...rowOf(InternalAccountRecord, 'internalAccountId'),
  }),
  externalAccount: t.field({
    type: ExternalAccountNode,
    description: 'The Spark wallet that receives the tokens of a mint, or provides those of a burn.',
    ...rowOf(ExternalAccountRecord, 'externalAccountId'),
  }),
})

const quote = StablecoinQuoteRecord.texts

export const StablecoinQuoteNode = builder.objectRef<StablecoinQuote>('StablecoinQuote').implement({
  description: 'A quote of a mint or a burn.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    ...fieldsOfBoth(t, quote),
    id: t.id({ nullable: false, description: quote.id, ...idOf('StablecoinQuote', 'id') }),
    stablecoinQuoteStatus: t.expose('status', { type: QuoteStatusEnum, nullable: false, description: quote.status }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: quote.createdAt }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: quote.expiresAt }),
  }),
})

registerRecord(StablecoinQuoteRecord, 'StablecoinQuote')

const operation = StablecoinOperationRecord.texts

export const StablecoinOperationNode = builder.objectRef<StablecoinOperation>('StablecoinOperation').implement({
  description: 'A mint or a burn.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    ...fieldsOfBoth(t, operation),
    id: t.id({ nullable: false, description: operation.id, ...idOf('StablecoinOperation', 'id') }),
    stablecoinQuoteId: t.id({ nullable: false, description: operation.quoteId, ...idOf('StablecoinQuote', 'quoteId') }),
    stablecoinQuote: t.field({
      type: StablecoinQuoteNode,
      description: 'The quote that was executed.',
      ...rowOf(StablecoinQuoteRecord, 'quoteId'),
    }),
    operationStatus: t.expose('status', {
      type: OperationStatusEnum,
      nullable: false,
      description: operation.status,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: operation.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: operation.updatedAt }),
  }),
})

registerRecord(StablecoinOperationRecord, 'StablecoinOperation')

const providerAccounts = listType(
  'StablecoinProviderAccount',
  ProviderAccountNode,
  'links to stablecoin providers',
  providerAccountList,
  ProviderAccountFilterInput,
)
const stablecoins = listType('Stablecoin', StablecoinNode, 'stablecoins', stablecoinList, StablecoinFilterInput)
const operations = listType(
  'StablecoinOperation',
  StablecoinOperationNode,
  'mints and burns',
  operationList,
  OperationFilterInput,
)

builder.queryField('stablecoinProviderAccounts', (t) =>
  listField(t, providerAccounts, "Links to the platform's accounts at stablecoin providers."),
)
builder.queryField('stablecoins', (t) => listField(t, stablecoins, 'Stablecoins that the platform has registered.'))
builder.objectField(StablecoinNode, 'operations', (t) =>
  linkedListField(t, operations, 'Stablecoin', 'Mints and burns of the stablecoin.'),
)
