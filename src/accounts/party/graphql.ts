// TransactionSource and TransactionDestination, shared by quotes and transactions.

import { ExternalAccountRecord } from '#accounts/external-account.ts'
import { AccountInterface } from '#accounts/graphql.ts'
import { PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { FUNDING_TEXTS, PARTY_TEXTS } from '#accounts/texts.ts'
import { builder } from '#graphql/builder.ts'
import { column, firstOf, from, idOf } from '#graphql/compiled/field.ts'
import { renamedPart, rowOf, typeBy } from '#graphql/compiled/parts.ts'
import { CURRENCY_IS_A_CODE } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import {
  DESTINATION_TYPES,
  type DestinationColumns,
  type FundingDetails,
  type OnChainTransaction,
  SOURCE_TYPES,
  type SourceColumns,
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

/** The columns of a payment or quote that say where the money comes from. */
export interface SourceRow extends Required<SourceColumns> {
  readonly sourceCurrency: string | null
  readonly sourceCustomerId: string | null
}

/** The columns of a payment or quote that say where the money goes. */
export interface DestinationRow extends Required<DestinationColumns> {
  readonly destinationCurrency: string | null
}

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

const onChainAtSource = renamedPart<OnChainTransaction>()({
  transactionHash: 'sourceTransactionHash',
  network: 'sourceNetwork',
})
const onChainAtDestination = renamedPart<OnChainTransaction>()({
  transactionHash: 'destinationTransactionHash',
  network: 'destinationNetwork',
})

const funding = <K extends keyof FundingDetails>(name: K) =>
  from<SourceRow>()(['sourceFunding'], ({ sourceFunding }) => sourceFunding?.[name] ?? null)

export const TransactionSource = builder.interfaceRef<SourceRow>('TransactionSource').implement({
  description: 'Where the money comes from, discriminated by `sourceType`.',
  ...typeBy('sourceType', {
    ACCOUNT: 'AccountSource',
    UMA_ADDRESS: 'UmaAddressSource',
    REALTIME_FUNDING: 'RealtimeFundingSource',
  }),
  fields: (t) => ({
    sourceType: t.field({
      type: SourceTypeEnum,
      nullable: false,
      description: PARTY_TEXTS.sourceType,
      ...column('sourceType'),
    }),
  }),
})

export const TransactionDestination = builder.interfaceRef<DestinationRow>('TransactionDestination').implement({
  description: 'Where the money goes, discriminated by `destinationType`.',
  ...typeBy('destinationType', { ACCOUNT: 'AccountDestination', UMA_ADDRESS: 'UmaAddressDestination' }),
  fields: (t) => ({
    destinationType: t.field({
      type: DestinationTypeEnum,
      nullable: false,
      description: PARTY_TEXTS.destinationType,
      ...column('destinationType'),
    }),
  }),
})

builder.objectType(builder.objectRef<SourceRow>('AccountSource'), {
  description: 'An account as the source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    accountId: t.id({
      nullable: false,
      description: PARTY_TEXTS.accountId,
      ...firstOf(
        idOf('InternalAccount', 'sourceInternalAccountId'),
        idOf('ExternalAccount', 'sourceExternalAccountId'),
      ),
    }),
    account: t.field({
      type: AccountInterface,
      description: 'The account.',
      ...firstOf(
        rowOf(InternalAccountRecord, 'sourceInternalAccountId'),
        rowOf(ExternalAccountRecord, 'sourceExternalAccountId'),
      ),
    }),
    customerId: t.id({
      description: PARTY_TEXTS.ownerId,
      ...idOf('Customer', 'sourceCustomerId'),
    }),
    currencyCode: t.exposeString('sourceCurrency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('sourceCurrency', {
      description: PARTY_TEXTS.currency,
      deprecationReason: CURRENCY_IS_A_CODE,
    }),
    onChainTransaction: t.field({
      type: OnChainTransactionType,
      description: PARTY_TEXTS.onChainTransaction,
      ...onChainAtSource,
    }),
  }),
})

builder.objectType(builder.objectRef<SourceRow>('UmaAddressSource'), {
  description: 'A UMA address as the source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    umaAddress: t.string({ nullable: false, description: PARTY_TEXTS.umaAddress, ...column('sourceUmaAddress') }),
    currencyCode: t.exposeString('sourceCurrency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('sourceCurrency', {
      description: PARTY_TEXTS.currency,
      deprecationReason: CURRENCY_IS_A_CODE,
    }),
  }),
})

builder.objectType(builder.objectRef<SourceRow>('RealtimeFundingSource'), {
  description: 'Real-time funding as the source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    currencyCode: t.exposeString('sourceCurrency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('sourceCurrency', {
      description: PARTY_TEXTS.currency,
      deprecationReason: CURRENCY_IS_A_CODE,
    }),
    customerId: t.id({
      description: PARTY_TEXTS.payerId,
      ...idOf('Customer', 'sourceCustomerId'),
    }),
    accountHolderName: t.string({
      description: FUNDING_TEXTS.accountHolderName,
      ...funding('accountHolderName'),
    }),
    accountIdentifier: t.string({
      description: FUNDING_TEXTS.accountIdentifier,
      ...funding('accountIdentifier'),
    }),
    bankName: t.string({
      description: FUNDING_TEXTS.bankName,
      ...funding('bankName'),
    }),
    bankIdentifier: t.string({
      description: FUNDING_TEXTS.bankIdentifier,
      ...funding('bankIdentifier'),
    }),
    paymentRail: t.field({
      type: PaymentRailEnum,
      description: FUNDING_TEXTS.paymentRail,
      ...funding('paymentRail'),
    }),
    remittanceInformation: t.string({
      description: FUNDING_TEXTS.remittanceInformation,
      ...funding('remittanceInformation'),
    }),
    endToEndId: t.string({
      description: FUNDING_TEXTS.endToEndId,
      ...funding('endToEndId'),
    }),
    traceNumber: t.string({
      description: FUNDING_TEXTS.traceNumber,
      ...funding('traceNumber'),
    }),
    onChainTransaction: t.field({
      type: OnChainTransactionType,
      description: PARTY_TEXTS.onChainTransaction,
      ...onChainAtSource,
    }),
  }),
})

builder.objectType(builder.objectRef<DestinationRow>('AccountDestination'), {
  description: 'An account as the destination.',
  interfaces: [TransactionDestination],
  fields: (t) => ({
    accountId: t.id({
      nullable: false,
      description: PARTY_TEXTS.accountId,
      ...firstOf(
        idOf('InternalAccount', 'destinationInternalAccountId'),
        idOf('ExternalAccount', 'destinationExternalAccountId'),
      ),
    }),
    account: t.field({
      type: AccountInterface,
      description: 'The account.',
      ...firstOf(
        rowOf(InternalAccountRecord, 'destinationInternalAccountId'),
        rowOf(ExternalAccountRecord, 'destinationExternalAccountId'),
      ),
    }),
    currencyCode: t.exposeString('destinationCurrency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('destinationCurrency', {
      description: PARTY_TEXTS.currency,
      deprecationReason: CURRENCY_IS_A_CODE,
    }),
    paymentRail: t.expose('destinationPaymentRail', { type: PaymentRailEnum, description: PARTY_TEXTS.paymentRail }),
    onChainTransaction: t.field({
      type: OnChainTransactionType,
      description: PARTY_TEXTS.onChainTransaction,
      ...onChainAtDestination,
    }),
  }),
})

builder.objectType(builder.objectRef<DestinationRow>('UmaAddressDestination'), {
  description: 'A UMA address as the destination.',
  interfaces: [TransactionDestination],
  fields: (t) => ({
    umaAddress: t.string({ nullable: false, description: PARTY_TEXTS.umaAddress, ...column('destinationUmaAddress') }),
    currencyCode: t.exposeString('destinationCurrency', { description: PARTY_TEXTS.currency }),
    currency: t.exposeString('destinationCurrency', {
      description: PARTY_TEXTS.currency,
      deprecationReason: CURRENCY_IS_A_CODE,
    }),
  }),
})
