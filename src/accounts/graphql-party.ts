// TransactionSource and TransactionDestination, shared by quotes and transactions.

import { publicId } from '#core/ids.ts'
import { builder, type Context } from '#graphql/builder.ts'
import { CURRENCY_IS_A_CODE } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { load } from '#graphql/load.ts'
import { externalAccountsByIds } from './external-account.ts'
import { AccountInterface } from './graphql.ts'
import { PaymentRailEnum } from './graphql-account-info.ts'
import { internalAccountsByIds } from './internal-account.ts'
import {
  type AccountRef,
  DESTINATION_TYPES,
  type Destination,
  type OnChainTransaction,
  SOURCE_TYPES,
  type Source,
} from './party.ts'

const SourceTypeEnum = enumOf('SourceType', 'Discriminator of a source.', SOURCE_TYPES, {
  ACCOUNT: '`AccountSource`.',
  UMA_ADDRESS: '`UmaAddressSource`.',
  REALTIME_FUNDING: '`RealtimeFundingSource`.',
})

const DestinationTypeEnum = enumOf('DestinationType', 'Discriminator of a destination.', DESTINATION_TYPES, {
  ACCOUNT: '`AccountDestination`.',
  UMA_ADDRESS: '`UmaAddressDestination`.',
})

const OnChainTransactionType = builder.objectRef<OnChainTransaction>('OnChainTransaction').implement({
  description: 'Reference to a transaction on a blockchain.',
  fields: (t) => ({
    transactionHash: t.exposeString('transactionHash', {
      nullable: false,
      description: 'Hash as the network writes it.',
    }),
    network: t.exposeString('network', { nullable: false, description: 'For example `ETHEREUM`.' }),
  }),
})

export const TransactionSource = builder.interfaceRef<Source>('TransactionSource').implement({
  description: 'Where the money comes from, discriminated by `sourceType`.',
  resolveType: ({ sourceType }) => SOURCE_TYPE_NAMES[sourceType],
  fields: (t) => ({
    sourceType: t.expose('sourceType', { type: SourceTypeEnum, nullable: false, description: 'Which kind of source.' }),
  }),
})
const SOURCE_TYPE_NAMES = {
  ACCOUNT: 'AccountSource',
  UMA_ADDRESS: 'UmaAddressSource',
  REALTIME_FUNDING: 'RealtimeFundingSource',
}

export const TransactionDestination = builder.interfaceRef<Destination>('TransactionDestination').implement({
  description: 'Where the money goes, discriminated by `destinationType`.',
  resolveType: ({ destinationType }) =>
    destinationType === 'ACCOUNT' ? 'AccountDestination' : 'UmaAddressDestination',
  fields: (t) => ({
    destinationType: t.expose('destinationType', {
      type: DestinationTypeEnum,
      nullable: false,
      description: 'Which kind of destination.',
    }),
  }),
})

const loadAccount = ({ kind, id }: AccountRef, context: Context) =>
  kind === 'InternalAccount' ? load(context, internalAccountsByIds, id) : load(context, externalAccountsByIds, id)

type SourceOf<T extends Source['sourceType']> = Extract<Source, { sourceType: T }>
type DestinationOf<T extends Destination['destinationType']> = Extract<Destination, { destinationType: T }>

const CURRENCY = 'ISO 4217 code or ticker, for example `USD`.'
const ON_CHAIN = 'For crypto that moves on a blockchain.'

builder.objectType(builder.objectRef<SourceOf<'ACCOUNT'>>('AccountSource'), {
  description: 'An account as source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    accountId: t.id({
      nullable: false,
      description: '`InternalAccount:<uuid>` or `ExternalAccount:<uuid>`.',
      resolve: ({ account }) => publicId(account.kind, account.id),
    }),
    account: t.field({
      type: AccountInterface,
      description: 'The account.',
      resolve: ({ account }, _args, context) => loadAccount(account, context),
    }),
    customerId: t.id({
      description: '`Customer:<uuid>` of the owner.',
      resolve: ({ customerId }) => customerId && publicId('Customer', customerId),
    }),
    currencyCode: t.exposeString('currency', { description: CURRENCY }),
    currency: t.exposeString('currency', { description: CURRENCY, deprecationReason: CURRENCY_IS_A_CODE }),
    onChainTransaction: t.expose('onChainTransaction', { type: OnChainTransactionType, description: ON_CHAIN }),
  }),
})

builder.objectType(builder.objectRef<SourceOf<'UMA_ADDRESS'>>('UmaAddressSource'), {
  description: 'A UMA address as source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    umaAddress: t.exposeString('umaAddress', { nullable: false, description: 'For example `$alice@bank.example`.' }),
    currencyCode: t.exposeString('currency', { description: CURRENCY }),
    currency: t.exposeString('currency', { description: CURRENCY, deprecationReason: CURRENCY_IS_A_CODE }),
  }),
})

builder.objectType(builder.objectRef<SourceOf<'REALTIME_FUNDING'>>('RealtimeFundingSource'), {
  description: 'Real-time funding as source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    currencyCode: t.exposeString('currency', { description: CURRENCY }),
    currency: t.exposeString('currency', { description: CURRENCY, deprecationReason: CURRENCY_IS_A_CODE }),
    customerId: t.id({
      description: '`Customer:<uuid>` of the payer.',
      resolve: ({ customerId }) => customerId && publicId('Customer', customerId),
    }),
    accountHolderName: t.string({
      description: 'Holder of the account that paid.',
      resolve: ({ funding }) => funding.accountHolderName ?? null,
    }),
    accountIdentifier: t.string({
      description: 'Masked account of the sender.',
      resolve: ({ funding }) => funding.accountIdentifier ?? null,
    }),
    bankName: t.string({
      description: "Name of the sender's bank.",
      resolve: ({ funding }) => funding.bankName ?? null,
    }),
    bankIdentifier: t.string({
      description: "Routing number or BIC of the sender's bank.",
      resolve: ({ funding }) => funding.bankIdentifier ?? null,
    }),
    paymentRail: t.field({
      type: PaymentRailEnum,
      description: 'Rail that the money came by.',
      resolve: ({ funding }) => funding.paymentRail ?? null,
    }),
    remittanceInformation: t.string({
      description: 'Text that the sender gave.',
      resolve: ({ funding }) => funding.remittanceInformation ?? null,
    }),
    endToEndId: t.string({
      description: 'End-to-end id of the rail.',
      resolve: ({ funding }) => funding.endToEndId ?? null,
    }),
    traceNumber: t.string({
      description: 'Trace number of the rail.',
      resolve: ({ funding }) => funding.traceNumber ?? null,
    }),
    onChainTransaction: t.expose('onChainTransaction', { type: OnChainTransactionType, description: ON_CHAIN }),
  }),
})

builder.objectType(builder.objectRef<DestinationOf<'ACCOUNT'>>('AccountDestination'), {
  description: 'An account as destination.',
  interfaces: [TransactionDestination],
  fields: (t) => ({
    accountId: t.id({
      nullable: false,
      description: '`InternalAccount:<uuid>` or `ExternalAccount:<uuid>`.',
      resolve: ({ account }) => publicId(account.kind, account.id),
    }),
    account: t.field({
      type: AccountInterface,
      description: 'The account.',
      resolve: ({ account }, _args, context) => loadAccount(account, context),
    }),
    currencyCode: t.exposeString('currency', { description: CURRENCY }),
    currency: t.exposeString('currency', { description: CURRENCY, deprecationReason: CURRENCY_IS_A_CODE }),
    paymentRail: t.expose('paymentRail', { type: PaymentRailEnum, description: 'Rail that the platform asked for.' }),
    onChainTransaction: t.expose('onChainTransaction', {
      type: OnChainTransactionType,
      description: 'For a crypto payout to an external wallet.',
    }),
  }),
})

builder.objectType(builder.objectRef<DestinationOf<'UMA_ADDRESS'>>('UmaAddressDestination'), {
  description: 'A UMA address as destination.',
  interfaces: [TransactionDestination],
  fields: (t) => ({
    umaAddress: t.exposeString('umaAddress', { nullable: false, description: 'For example `$alice@bank.example`.' }),
    currencyCode: t.exposeString('currency', { description: CURRENCY }),
    currency: t.exposeString('currency', { description: CURRENCY, deprecationReason: CURRENCY_IS_A_CODE }),
  }),
})
