// TransactionSource and TransactionDestination, shared by quotes and transactions.
import { ExternalAccountRecord } from '#accounts/external-account.ts'
import { AccountInterface } from '#accounts/graphql.ts'
import { PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { FUNDING_TEXTS, PARTY_TEXTS } from '#accounts/texts.ts'
import { builder, type FieldBuilder } from '#graphql/builder.ts'
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

const fact = (t: FieldBuilder<SourceRow>, name: keyof FundingDetails) =>
  t.string({ description: FUNDING_TEXTS[name], ...funding(name) })

const currencyCode = { description: PARTY_TEXTS.currency }
const formerCurrency = { ...currencyCode, deprecationReason: CURRENCY_IS_A_CODE }

const formerCurrencyOfSource = (t: FieldBuilder<SourceRow>) => ({
  currency: t.string({ ...formerCurrency, ...column('sourceCurrency') }),
})

const formerCurrencyOfDestination = (t: FieldBuilder<DestinationRow>) => ({
  currency: t.string({ ...formerCurrency, ...column('destinationCurrency') }),
})

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
    currencyCode: t.string({ ...currencyCode, ...column('sourceCurrency') }),
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
    currencyCode: t.string({ ...currencyCode, ...column('destinationCurrency') }),
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
    ...formerCurrencyOfSource(t),
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
    ...formerCurrencyOfSource(t),
  }),
})

builder.objectType(builder.objectRef<SourceRow>('RealtimeFundingSource'), {
  description: 'Real-time funding as the source.',
  interfaces: [TransactionSource],
  fields: (t) => ({
    ...formerCurrencyOfSource(t),
    customerId: t.id({
      description: PARTY_TEXTS.payerId,
      ...idOf('Customer', 'sourceCustomerId'),
    }),
    accountHolderName: fact(t, 'accountHolderName'),
    accountIdentifier: fact(t, 'accountIdentifier'),
    bankName: fact(t, 'bankName'),
    bankIdentifier: fact(t, 'bankIdentifier'),
    paymentRail: t.field({
      type: PaymentRailEnum,
      description: FUNDING_TEXTS.paymentRail,
      ...funding('paymentRail'),
    }),
    remittanceInformation: fact(t, 'remittanceInformation'),
    endToEndId: fact(t, 'endToEndId'),
    traceNumber: fact(t, 'traceNumber'),
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
    ...formerCurrencyOfDestination(t),
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
    ...formerCurrencyOfDestination(t),
  }),
})
