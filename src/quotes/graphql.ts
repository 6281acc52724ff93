import { PaymentInstructionsType } from '#accounts/graphql-account-info.ts'
import { TransactionDestination, TransactionSource } from '#accounts/graphql-party.ts'
import { destinationOf, sourceOf } from '#accounts/party.ts'
import { currencyOf } from '#core/currencies.ts'
import { publicId } from '#core/ids.ts'
import { money, optionalMoney } from '#core/money.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { connectionType } from '#graphql/connection.ts'
import { CREATED_FROM, CREATED_UNTIL } from '#graphql/dates.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { CounterpartyFactType, entriesOf, KEYS_DESCRIPTION } from '#graphql/key-values.ts'
import { listField } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { CurrencyType, MoneyType } from '#graphql/money.ts'
import { registerNode } from '#graphql/node-types.ts'
import { RateDetailsType } from '#transactions/graphql-rate-details.ts'
import { quoteList } from './list.ts'
import {
  QUOTE_STATUSES,
  type Quote,
  QuoteRecord,
  quotesByIds,
  type ScaChallenge,
  ScaChallengeRecord,
  scaChallengesByIds,
  scaChallengesOfQuotes,
} from './quote.ts'

const QuoteStatusEnum = enumOf('QuoteStatus', 'State of a quote.', QUOTE_STATUSES, {
  PENDING: 'Waits for its execution or its funds.',
  PENDING_AUTHORIZATION: 'Waits for Strong Customer Authentication.',
  PROCESSING: 'Being paid out.',
  COMPLETED: 'Paid out.',
  FAILED: 'Could not be paid out.',
  EXPIRED: 'Not executed before its expiry.',
})

export const ScaChallengeNode = builder.objectRef<ScaChallenge>('ScaChallenge').implement({
  description: 'Strong Customer Authentication to pass before money moves.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: '`ScaChallenge:<uuid>`.',
      resolve: ({ id }) => publicId('ScaChallenge', id),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: false,
      description: 'Until when it can be passed.',
    }),
    factor: t.exposeString('factor', {
      nullable: false,
      description: 'The factor to pass it with, for example `SMS_OTP`.',
    }),
    availableFactors: t.stringList({
      nullable: { list: false, items: false },
      description: 'For example `SMS_OTP`.',
      resolve: ({ availableFactors }) => availableFactors,
    }),
    purpose: t.exposeString('purpose', { nullable: false, description: 'For example `PAYOUT`.' }),
    passkeyAssertionOptions: t.expose('passkeyAssertionOptions', {
      type: 'JSON',
      description: 'WebAuthn options for a passkey factor.',
    }),
    passkeyAllowedOrigins: t.stringList({
      nullable: { list: true, items: false },
      description: 'Origins where a passkey may be used.',
      resolve: ({ passkeyAllowedOrigins }) => (passkeyAllowedOrigins.length > 0 ? passkeyAllowedOrigins : null),
    }),
  }),
})

const NEVER_NULL = 'Always present; nullable only because it is so on transactions.'

export const QuoteNode = builder.objectRef<Quote>('Quote').implement({
  description: 'Price and terms of a payment.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: '`Quote:<uuid>`.', resolve: ({ id }) => publicId('Quote', id) }),
    quoteStatus: t.expose('status', { type: QuoteStatusEnum, nullable: false, description: 'State of the quote.' }),
    status: t.expose('status', {
      type: QuoteStatusEnum,
      nullable: false,
      description: 'State of the quote.',
      deprecationReason: renamedTo('quoteStatus'),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: 'When the quote was made.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: 'Until when the terms hold.' }),
    source: t.field({
      type: TransactionSource,
      description: `Where the money comes from. ${NEVER_NULL}`,
      resolve: (quote) => sourceOf(quote, quote.sendingCurrency, quote.customerId),
    }),
    destination: t.field({
      type: TransactionDestination,
      nullable: false,
      description: 'Where the money goes.',
      resolve: (quote) => destinationOf(quote, quote.receivingCurrency),
    }),
    sendingCurrency: t.field({
      type: CurrencyType,
      nullable: false,
      description: 'Currency of the sender.',
      resolve: ({ sendingCurrency }) => currencyOf(sendingCurrency),
    }),
    receivingCurrency: t.field({
      type: CurrencyType,
      nullable: false,
      description: 'Currency of the recipient.',
      resolve: ({ receivingCurrency }) => currencyOf(receivingCurrency),
    }),
    totalSendingAmount: t.expose('totalSendingAmount', {
      type: 'Int64',
      nullable: false,
      description: 'Smallest unit of `sendingCurrency`, fees included.',
    }),
    totalReceivingAmount: t.expose('totalReceivingAmount', {
      type: 'Int64',
      nullable: false,
      description: 'Smallest unit of `receivingCurrency`.',
    }),
    totalSending: t.field({
      type: MoneyType,
      nullable: false,
      description: '`totalSendingAmount` with its currency.',
      resolve: ({ totalSendingAmount, sendingCurrency }) => money(totalSendingAmount, sendingCurrency),
    }),
    totalReceiving: t.field({
      type: MoneyType,
      nullable: false,
      description: '`totalReceivingAmount` with its currency.',
      resolve: ({ totalReceivingAmount, receivingCurrency }) => money(totalReceivingAmount, receivingCurrency),
    }),
    exchangeRate: t.exposeFloat('exchangeRate', {
      description: `Sending currency units per receiving currency unit, net of fees. ${NEVER_NULL}`,
    }),
    feesIncluded: t.expose('feesIncluded', {
      type: 'Int64',
      nullable: false,
      description: 'All fees inside `totalSendingAmount`, in its unit.',
    }),
    feesIncludedMoney: t.field({
      type: MoneyType,
      nullable: false,
      description: '`feesIncluded` with its currency.',
      resolve: ({ feesIncluded, sendingCurrency }) => money(feesIncluded, sendingCurrency),
    }),
    platformFeesIncluded: t.expose('platformFeesIncluded', {
      type: 'Int64',
      description: 'Portion of `feesIncluded` that the platform collects.',
    }),
    platformFeesIncludedMoney: t.field({
      type: MoneyType,
      description: '`platformFeesIncluded` with its currency.',
      resolve: ({ platformFeesIncluded, sendingCurrency }) => optionalMoney(platformFeesIncluded, sendingCurrency),
    }),
    paymentInstructions: t.expose('paymentInstructions', {
      type: [PaymentInstructionsType],
      nullable: { list: true, items: false },
      description:
        'How it is funded: where to push the money, or what the owner of the wallet signs. Null when the money is there already.',
    }),
    counterpartyInformation: t.field({
      type: [CounterpartyFactType],
      nullable: { list: true, items: false },
      description: 'Facts about the counterparty, for example FULL_NAME.',
      args: { keys: t.arg.stringList({ description: KEYS_DESCRIPTION }) },
      resolve: ({ counterpartyInformation }, { keys }) => entriesOf(counterpartyInformation, keys),
    }),
    rateDetails: t.field({
      type: RateDetailsType,
      description: 'How the amounts were computed. Only for UMA payments.',
      resolve: ({ rateDetails, sendingCurrency, receivingCurrency }) =>
        rateDetails && { ...rateDetails, sendingCurrency, receivingCurrency },
    }),
    scaChallenge: t.field({
      type: ScaChallengeNode,
      description: 'Pending Strong Customer Authentication. Only while `PENDING_AUTHORIZATION`.',
      resolve: ({ id, status }, _args, context) =>
        status === 'PENDING_AUTHORIZATION' ? load(context, scaChallengesOfQuotes, id) : null,
    }),
  }),
})

registerNode({ kinds: { Quote: quotesByIds }, typeName: (value) => (QuoteRecord.is(value) ? 'Quote' : undefined) })
registerNode({
  kinds: { ScaChallenge: scaChallengesByIds },
  typeName: (value) => (ScaChallengeRecord.is(value) ? 'ScaChallenge' : undefined),
})

const QuoteFilterType = builder.inputType('QuoteFilter', {
  description: 'All given conditions must hold.',
  fields: (t) => ({
    customerId: t.id({ description: 'Of this customer.' }),
    agentId: t.id({ description: 'Made by this agent.' }),
    statuses: t.field({ type: [QuoteStatusEnum], description: 'In any of these states. An empty list is as none.' }),
    sendingCurrency: t.string({ description: 'Code of the currency of the sender, exact.' }),
    receivingCurrency: t.string({ description: 'Code of the currency of the recipient, exact.' }),
    startDate: t.field({ type: 'DateTime', description: CREATED_FROM }),
    endDate: t.field({ type: 'DateTime', description: CREATED_UNTIL }),
  }),
})

const quotes = {
  list: quoteList,
  connection: connectionType<Quote>('Quote', QuoteNode, 'quotes'),
  filter: QuoteFilterType,
}

builder.queryField('quotes', (t) => listField(t, quotes, 'Quotes; an agent sees its own.'))
