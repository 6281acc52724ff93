import { PaymentInstructionsType } from '#accounts/graphql-account-info.ts'
import {
  type DestinationRow,
  type SourceRow,
  TransactionDestination,
  TransactionSource,
} from '#accounts/party/graphql.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { currency, from, idOf } from '#graphql/compiled/field.ts'
import { renamedPart, rowOf } from '#graphql/compiled/parts.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { CounterpartyFactType } from '#graphql/key-values.ts'
import { linkedListField, listField, listType } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { CurrencyType, withCurrency } from '#graphql/money.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { scaChallengesOfQuotes } from '#sca/challenge/challenge.ts'
import { ScaChallengeNode } from '#sca/challenge/graphql.ts'
import { entriesOfCounterparty, KEYS_DESCRIPTION } from '#transactions/graphql-counterparty.ts'
import { RateDetailsType } from '#transactions/graphql-rate-details.ts'
import { QuoteFilterInput, quoteList } from './list.ts'
import { LOCKED_SIDES } from './price.ts'
import { QUOTE_STATUSES, QUOTE_TEXTS, type Quote, QuoteRecord } from './quote.ts'

const { texts } = QuoteRecord

const QuoteStatusEnum = enumOf('QuoteStatus', 'State of a quote.', QUOTE_STATUSES, {
  PENDING: 'Waits for its execution or its funds.',
  PENDING_AUTHORIZATION: 'Waits for Strong Customer Authentication.',
  PROCESSING: 'Being paid out.',
  COMPLETED: 'Paid out.',
  FAILED: 'Could not be paid out.',
  EXPIRED: 'Not executed before its expiry.',
})

const LockedCurrencySideEnum = enumOf('LockedCurrencySide', 'Which amount of a quote is fixed.', LOCKED_SIDES, {
  SENDING: 'The amount sent, including fees.',
  RECEIVING: 'The amount received.',
})

export const QuoteNode = builder.objectRef<Quote>('Quote').implement({
  description: 'Price and terms of a payment.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('Quote', 'id') }),
    quoteStatus: t.expose('status', { type: QuoteStatusEnum, nullable: false, description: texts.status }),
    status: t.expose('status', {
      type: QuoteStatusEnum,
      nullable: false,
      description: texts.status,
      deprecationReason: renamedTo('quoteStatus'),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: texts.expiresAt }),
    customer: t.field({
      type: CustomerNode,
      description: "The customer who pays. Null for a quote of the platform's own.",
      ...rowOf(CustomerRecord, 'customerId'),
    }),
    source: t.field({
      type: TransactionSource,
      description: QUOTE_TEXTS.source,
      ...renamedPart<SourceRow>()({
        sourceCurrency: 'sendingCurrency',
        sourceCustomerId: 'customerId',
        sourceFunding: null,
        sourceTransactionHash: null,
        sourceNetwork: null,
      }),
    }),
    destination: t.field({
      type: TransactionDestination,
      nullable: false,
      description: QUOTE_TEXTS.destination,
      ...renamedPart<DestinationRow>()({
        destinationCurrency: 'receivingCurrency',
        destinationTransactionHash: null,
        destinationNetwork: null,
      }),
    }),
    sendingCurrency: t.field({
      type: CurrencyType,
      nullable: false,
      description: texts.sendingCurrency,
      ...currency('sendingCurrency'),
    }),
    receivingCurrency: t.field({
      type: CurrencyType,
      nullable: false,
      description: texts.receivingCurrency,
      ...currency('receivingCurrency'),
    }),
    lockedCurrencySide: t.expose('lockedCurrencySide', {
      type: LockedCurrencySideEnum,
      nullable: false,
      description: texts.lockedCurrencySide,
    }),
    totalSendingAmount: t.expose('totalSendingAmount', {
      type: 'Int64',
      nullable: false,
      description: texts.totalSendingAmount,
    }),
    totalReceivingAmount: t.expose('totalReceivingAmount', {
      type: 'Int64',
      nullable: false,
      description: texts.totalReceivingAmount,
    }),
    totalSending: t.field({ nullable: false, ...withCurrency('totalSendingAmount', 'sendingCurrency') }),
    totalReceiving: t.field({ nullable: false, ...withCurrency('totalReceivingAmount', 'receivingCurrency') }),
    exchangeRate: t.exposeFloat('exchangeRate', { description: texts.exchangeRate }),
    feesIncluded: t.expose('feesIncluded', { type: 'Int64', nullable: false, description: texts.feesIncluded }),
    feesIncludedMoney: t.field({ nullable: false, ...withCurrency('feesIncluded', 'sendingCurrency') }),
    platformFeesIncluded: t.expose('platformFeesIncluded', { type: 'Int64', description: texts.platformFeesIncluded }),
    platformFeesIncludedMoney: t.field(withCurrency('platformFeesIncluded', 'sendingCurrency')),
    paymentInstructions: t.expose('paymentInstructions', {
      type: [PaymentInstructionsType],
      nullable: { list: true, items: false },
      description: texts.paymentInstructions,
    }),
    counterpartyInformation: t.field({
      type: [CounterpartyFactType],
      nullable: { list: true, items: false },
      description: texts.counterpartyInformation,
      args: { keys: t.arg.stringList({ description: KEYS_DESCRIPTION }) },
      ...from<Quote>()(['counterpartyInformation'], entriesOfCounterparty),
    }),
    rateDetails: t.field({
      type: RateDetailsType,
      description: texts.rateDetails,
      ...from<Quote>()(
        ['rateDetails', 'sendingCurrency', 'receivingCurrency'],
        ({ rateDetails, sendingCurrency, receivingCurrency }) =>
          rateDetails && { ...rateDetails, sendingCurrency, receivingCurrency },
      ),
    }),
    scaChallenge: t.field({
      type: ScaChallengeNode,
      description: QUOTE_TEXTS.scaChallenge,
      resolve: ({ id, status }, _args, context) =>
        status === 'PENDING_AUTHORIZATION' ? load(context, scaChallengesOfQuotes, id) : null,
    }),
  }),
})

registerRecord(QuoteRecord, 'Quote')

export const quotes = listType('Quote', QuoteNode, 'quotes', quoteList, QuoteFilterInput)

builder.queryField('quotes', (t) => listField(t, quotes, 'Quotes of the platform. An agent sees only its own.'))

builder.objectField(CustomerNode, 'quotes', (t) =>
  linkedListField(t, quotes, 'Customer', 'Quotes of the customer. An agent sees only its own.'),
)
