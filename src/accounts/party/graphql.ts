// TransactionSource and TransactionDestination, shared by quotes and transactions.

import { externalAccountsByIds } from '#accounts/external-account.ts'
import { AccountInterface } from '#accounts/graphql.ts'
import { PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { internalAccountsByIds } from '#accounts/internal-account.ts'
import { FUNDING_TEXTS, PARTY_TEXTS } from '#accounts/texts.ts'
import { publicId } from '#core/ids.ts'
import { builder, type Context } from '#graphql/builder.ts'
import { CURRENCY_IS_A_CODE } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { load } from '#graphql/load.ts'
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
      description: PARTY_TEXTS.transactionHash,
    }),
    network: t.exposeString('network', { nullable: false, description: PARTY_TEXTS.network }),
  }),
})

export const TransactionSource = builder.interfaceRef<Source>('TransactionSource').implement({
  description: 'Where the money comes from, discriminated by `sourceType`.',
  resolveType: ({ sourceType }) => SOURCE_TYPE_NAMES[sourceType],
  fields: (t) => ({
    sourceType: t.expose('sourceType', { type: SourceTypeEnum, nullable: false, description: PARTY_TEXTS.sourceType }),
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
      description: PARTY_TEXTS.destinationType,
    }),
  }),
})

const loadAccount = ({ kind, id }: AccountRef, context: Context) =>
  kind === 'InternalAccount' ? load(context, internalAccountsByIds, id) : load(context, externalAccountsByIds, id)

type SourceOf<T extends Source['sourceType']> = Extract<Source, { sourceType: T }>
type DestinationOf<T extends Destination['destinationType']> = Extract<Destination, { destinationType: T }>

builder.objectType(builder.objectRef<SourceOf<'ACCOUNT'>>('AccountSource'), {
  description: 'An account as source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    accountId: t.id({
      nullable: false,
      description: PARTY_TEXTS.accountId,
      resolve: ({ account }) => publicId(account.kind, account.id),
    }),
    account: t.field({
      type: AccountInterface,
      description: 'The account.',
      resolve: ({ account }, _args, context) => loadAccount(account, context),
    }),
    customerId: t.id({
      description: PARTY_TEXTS.ownerId,
      resolve: ({ customerId }) => customerId && publicId('Customer', customerId),
    }),
    currencyCode: t.exposeString('currency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('currency', { description: PARTY_TEXTS.currency, deprecationReason: CURRENCY_IS_A_CODE }),
    onChainTransaction: t.expose('onChainTransaction', {
      type: OnChainTransactionType,
      description: PARTY_TEXTS.onChainTransaction,
    }),
  }),
})

builder.objectType(builder.objectRef<SourceOf<'UMA_ADDRESS'>>('UmaAddressSource'), {
  description: 'A UMA address as source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    umaAddress: t.exposeString('umaAddress', { nullable: false, description: PARTY_TEXTS.umaAddress }),
    currencyCode: t.exposeString('currency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('currency', { description: PARTY_TEXTS.currency, deprecationReason: CURRENCY_IS_A_CODE }),
  }),
})

builder.objectType(builder.objectRef<SourceOf<'REALTIME_FUNDING'>>('RealtimeFundingSource'), {
  description: 'Real-time funding as source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    currencyCode: t.exposeString('currency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('currency', { description: PARTY_TEXTS.currency, deprecationReason: CURRENCY_IS_A_CODE }),
    customerId: t.id({
      description: PARTY_TEXTS.payerId,
      resolve: ({ customerId }) => customerId && publicId('Customer', customerId),
    }),
    accountHolderName: t.string({
      description: FUNDING_TEXTS.accountHolderName,
      resolve: ({ funding }) => funding.accountHolderName ?? null,
    }),
    accountIdentifier: t.string({
      description: FUNDING_TEXTS.accountIdentifier,
      resolve: ({ funding }) => funding.accountIdentifier ?? null,
    }),
    bankName: t.string({
      description: FUNDING_TEXTS.bankName,
      resolve: ({ funding }) => funding.bankName ?? null,
    }),
    bankIdentifier: t.string({
      description: FUNDING_TEXTS.bankIdentifier,
      resolve: ({ funding }) => funding.bankIdentifier ?? null,
    }),
    paymentRail: t.field({
      type: PaymentRailEnum,
      description: FUNDING_TEXTS.paymentRail,
      resolve: ({ funding }) => funding.paymentRail ?? null,
    }),
    remittanceInformation: t.string({
      description: FUNDING_TEXTS.remittanceInformation,
      resolve: ({ funding }) => funding.remittanceInformation ?? null,
    }),
    endToEndId: t.string({
      description: FUNDING_TEXTS.endToEndId,
      resolve: ({ funding }) => funding.endToEndId ?? null,
    }),
    traceNumber: t.string({
      description: FUNDING_TEXTS.traceNumber,
      resolve: ({ funding }) => funding.traceNumber ?? null,
    }),
    onChainTransaction: t.expose('onChainTransaction', {
      type: OnChainTransactionType,
      description: PARTY_TEXTS.onChainTransaction,
    }),
  }),
})

builder.objectType(builder.objectRef<DestinationOf<'ACCOUNT'>>('AccountDestination'), {
  description: 'An account as destination.',
  interfaces: [TransactionDestination],
  fields: (t) => ({
    accountId: t.id({
      nullable: false,
      description: PARTY_TEXTS.accountId,
      resolve: ({ account }) => publicId(account.kind, account.id),
    }),
    account: t.field({
      type: AccountInterface,
      description: 'The account.',
      resolve: ({ account }, _args, context) => loadAccount(account, context),
    }),
    currencyCode: t.exposeString('currency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('currency', { description: PARTY_TEXTS.currency, deprecationReason: CURRENCY_IS_A_CODE }),
    paymentRail: t.expose('paymentRail', { type: PaymentRailEnum, description: PARTY_TEXTS.paymentRail }),
    onChainTransaction: t.expose('onChainTransaction', {
      type: OnChainTransactionType,
      description: PARTY_TEXTS.onChainTransaction,
    }),
  }),
})

builder.objectType(builder.objectRef<DestinationOf<'UMA_ADDRESS'>>('UmaAddressDestination'), {
  description: 'A UMA address as destination.',
  interfaces: [TransactionDestination],
  fields: (t) => ({
    umaAddress: t.exposeString('umaAddress', { nullable: false, description: PARTY_TEXTS.umaAddress }),
    currencyCode: t.exposeString('currency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('currency', { description: PARTY_TEXTS.currency, deprecationReason: CURRENCY_IS_A_CODE }),
  }),
})
