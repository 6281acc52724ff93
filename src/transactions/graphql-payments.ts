// Incoming and outgoing transactions.
import { PaymentInstructionsType, PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { TransactionDestination, TransactionSource } from '#accounts/party/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { column, from, idOf, labelOf, moneyOf } from '#graphql/compiled/field.ts'
import { partOf } from '#graphql/compiled/parts.ts'
import { CounterpartyFactType } from '#graphql/key-values.ts'
import { MoneyType, withCurrency } from '#graphql/money.ts'
import { IncomingTransactionNode, OutgoingTransactionNode, TransactionInterface, transactionType } from './graphql.ts'
import { entriesOfCounterparty, KEYS_DESCRIPTION } from './graphql-counterparty.ts'
import {
  FailureReasonEnum,
  IncomingFailureReasonEnum,
  OutgoingFailureReasonEnum,
  OutgoingTransactionStatusEnum,
  RailSelectionModeEnum,
  RefundReasonEnum,
  RefundStatusEnum,
  TransactionStatusEnum,
} from './graphql-enums.ts'
import { RateDetailsType } from './graphql-rate-details.ts'
import { TRANSACTION_TEXTS } from './texts.ts'
import {
  INCOMING_FAILURE_REASONS,
  OUTGOING_FAILURE_REASONS,
  OUTGOING_TRANSACTION_STATUSES,
  TRANSACTION_STATUSES,
  type Transaction,
  TransactionRecord,
} from './transaction.ts'

const { texts } = TransactionRecord

const ofPayment = from<Transaction>()

const RefundType = builder.objectRef<Transaction>('Refund').implement({
  description: 'Refund of a payment.',
  fields: (t) => ({
    reference: t.string({ nullable: false, description: texts.refundReference, ...column('refundReference') }),
    initiatedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: texts.refundInitiatedAt,
      ...column('refundInitiatedAt'),
    }),
    status: t.field({
      type: RefundStatusEnum,
      nullable: false,
      description: texts.refundStatus,
      ...column('refundStatus'),
    }),
    settledAt: t.expose('refundSettledAt', { type: 'DateTime', description: texts.refundSettledAt }),
    reason: t.expose('refundReason', { type: RefundReasonEnum, description: texts.refundReason }),
  }),
})

const ReconciliationInstructionsType = builder.objectRef<Transaction>('ReconciliationInstructions').implement({
  description: 'At least one field is present.',
  fields: (t) => ({
    reference: t.exposeString('reconciliationReference', { description: texts.reconciliationReference }),
    transactionHash: t.exposeString('reconciliationTransactionHash', {
      description: texts.reconciliationTransactionHash,
    }),
  }),
})

export const PaymentInterface = builder.interfaceRef<Transaction>('PaymentTransaction').implement({
  description: 'Common fields of incoming and outgoing transactions.',
  interfaces: [NodeInterface, TransactionInterface],
  ...transactionType,
  fields: (t) => ({
    paymentStatus: t.field({
      type: TransactionStatusEnum,
      nullable: false,
      description: '`status` as the enum of payments.',
      ...labelOf('status', TRANSACTION_STATUSES),
    }),
    source: t.field({
      type: TransactionSource,
      description: TRANSACTION_TEXTS.source,
      ...partOf('sourceType'),
    }),
    destination: t.field({
      type: TransactionDestination,
      nullable: false,
      description: TRANSACTION_TEXTS.destination,
      ...partOf(),
    }),
    sentAmount: t.field({ type: MoneyType, description: texts.sentAmount, ...moneyOf('sentAmount', 'sentCurrency') }),
    receivedAmount: t.field({
      type: MoneyType,
      description: texts.receivedAmount,
      ...moneyOf('receivedAmount', 'receivedCurrency'),
    }),
    fees: t.expose('fees', { type: 'Int64', description: texts.fees }),
    feesMoney: t.field({
      type: MoneyType,
      description: '`fees` with its currency. Null when the sending currency is unknown.',
      ...moneyOf('fees', 'sentCurrency'),
    }),
    exchangeRate: t.exposeFloat('exchangeRate', { description: texts.exchangeRate }),
    settledAt: t.expose('settledAt', { type: 'DateTime', description: texts.settledAt }),
    receiptDeliveryConfirmedAt: t.expose('receiptDeliveryConfirmedAt', {
      type: 'DateTime',
      description: texts.receiptDeliveryConfirmedAt,
    }),
    agentId: t.id({ description: texts.agentId, ...idOf('Agent', 'agentId') }),
    description: t.exposeString('description', { description: texts.description }),
    quoteId: t.id({ description: texts.quoteId, ...idOf('Quote', 'quoteId') }),
    refund: t.field({
      type: RefundType,
      description: TRANSACTION_TEXTS.refund,
      ...partOf('refundReference'),
    }),
    counterpartyInformation: t.field({
      type: [CounterpartyFactType],
      nullable: { list: true, items: false },
      description: texts.counterpartyInformation,
      args: { keys: t.arg.stringList({ description: KEYS_DESCRIPTION }) },
      ...ofPayment(['counterpartyInformation'], entriesOfCounterparty),
    }),
    reconciliationInstructions: t.field({
      type: ReconciliationInstructionsType,
      description: TRANSACTION_TEXTS.reconciliationInstructions,
      ...partOf('reconciliationReference', 'reconciliationTransactionHash'),
    }),
    failureReason: t.expose('failureReason', { type: FailureReasonEnum, description: texts.failureReason }),
  }),
})

IncomingTransactionNode.implement({
  description: 'A payment that a customer receives. Id kind: `Transaction`.',
  interfaces: [NodeInterface, TransactionInterface, PaymentInterface],
  fields: (t) => ({
    incomingFailureReason: t.field({
      type: IncomingFailureReasonEnum,
      description: '`failureReason` as the incoming enum.',
      ...labelOf('failureReason', INCOMING_FAILURE_REASONS),
    }),
  }),
})

OutgoingTransactionNode.implement({
  description: 'A payment that a customer sends. Id kind: `Transaction`.',
  interfaces: [NodeInterface, TransactionInterface, PaymentInterface],
  fields: (t) => ({
    outgoingStatus: t.field({
      type: OutgoingTransactionStatusEnum,
      description: '`paymentStatus` narrowed to the outgoing states. Null while it is none of them.',
      ...labelOf('status', OUTGOING_TRANSACTION_STATUSES),
    }),
    platformFees: t.expose('platformFees', { type: 'Int64', description: texts.platformFees }),
    platformFeesMoney: t.field(withCurrency('platformFees', 'sentCurrency')),
    paymentInstructions: t.expose('paymentInstructions', {
      type: [PaymentInstructionsType],
      nullable: { list: true, items: false },
      description: texts.paymentInstructions,
    }),
    rateDetails: t.field({
      type: RateDetailsType,
      description: texts.rateDetails,
      ...ofPayment(
        ['rateDetails', 'sentCurrency', 'receivedCurrency'],
        ({ rateDetails, sentCurrency: sendingCurrency, receivedCurrency: receivingCurrency }) =>
          rateDetails && { ...rateDetails, sendingCurrency, receivingCurrency },
      ),
    }),
    outgoingFailureReason: t.field({
      type: OutgoingFailureReasonEnum,
      description: '`failureReason` as the outgoing enum.',
      ...labelOf('failureReason', OUTGOING_FAILURE_REASONS),
    }),
    paymentRail: t.expose('paymentRail', { type: PaymentRailEnum, description: texts.paymentRail }),
    railSelectionMode: t.expose('railSelectionMode', {
      type: RailSelectionModeEnum,
      description: texts.railSelectionMode,
    }),
    expectedSettlementAt: t.expose('expectedSettlementAt', {
      type: 'DateTime',
      description: texts.expectedSettlementAt,
    }),
    settlementTimelineSeconds: t.exposeInt('settlementTimelineSeconds', {
      description: texts.settlementTimelineSeconds,
    }),
  }),
})
