// Incoming and outgoing transactions.
import { PaymentInstructionsType, PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { TransactionDestination, TransactionSource } from '#accounts/graphql-party.ts'
import { destinationOf, sourceOf } from '#accounts/party.ts'
import { publicId } from '#core/ids.ts'
import { optionalMoney } from '#core/money.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { CounterpartyFactType, entriesOf, KEYS_DESCRIPTION } from '#graphql/key-values.ts'
import { MoneyType } from '#graphql/money.ts'
import { IncomingTransactionNode, OutgoingTransactionNode, TransactionInterface, typeNameOf } from './graphql.ts'
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
import {
  incomingFailureReason,
  outgoingFailureReason,
  outgoingStatus,
  paymentStatus,
  present,
  receivedMoney,
  sentMoney,
  type Transaction,
} from './transaction.ts'

const RefundType = builder.objectRef<Transaction>('Refund').implement({
  description: 'Refund of a payment.',
  fields: (t) => ({
    reference: t.string({
      nullable: false,
      description: 'Reference of the refund.',
      resolve: ({ refundReference }) => present(refundReference),
    }),
    initiatedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it was started.',
      resolve: ({ refundInitiatedAt }) => present(refundInitiatedAt),
    }),
    status: t.field({
      type: RefundStatusEnum,
      nullable: false,
      description: 'State of the refund; the transaction has its own.',
      resolve: ({ refundStatus }) => present(refundStatus),
    }),
    settledAt: t.expose('refundSettledAt', { type: 'DateTime', description: 'When the money was back.' }),
    reason: t.expose('refundReason', { type: RefundReasonEnum, description: 'Why it was made.' }),
  }),
})

const ReconciliationInstructionsType = builder.objectRef<Transaction>('ReconciliationInstructions').implement({
  description: 'At least one field is present.',
  fields: (t) => ({
    reference: t.exposeString('reconciliationReference', {
      description: 'Unique code to include with a payment so that it matches the incoming transaction.',
    }),
    transactionHash: t.exposeString('reconciliationTransactionHash', {
      description:
        "Hash of the internal settlement transfer that delivers a UMA payment. Not a transfer to a customer's own wallet.",
    }),
  }),
})

export const PaymentInterface = builder.interfaceRef<Transaction>('PaymentTransaction').implement({
  description: 'Common fields of incoming and outgoing transactions.',
  interfaces: [NodeInterface, TransactionInterface],
  resolveType: typeNameOf,
  fields: (t) => ({
    paymentStatus: t.field({
      type: TransactionStatusEnum,
      nullable: false,
      description: '`status` as the enum of payments.',
      resolve: paymentStatus,
    }),
    source: t.field({
      type: TransactionSource,
      description: 'Where the money comes from. Always present on an outgoing transaction.',
      resolve: (transaction) => sourceOf(transaction, transaction.sourceCurrency, transaction.sourceCustomerId),
    }),
    destination: t.field({
      type: TransactionDestination,
      nullable: false,
      description: 'Where the money goes.',
      resolve: (transaction) => destinationOf(transaction, transaction.destinationCurrency),
    }),
    sentAmount: t.field({
      type: MoneyType,
      description:
        "In the sender's currency. Always present on an outgoing transaction; `amount` is the same value as non-null.",
      resolve: sentMoney,
    }),
    receivedAmount: t.field({
      type: MoneyType,
      description:
        "In the recipient's currency. Always present on an incoming transaction; `amount` is the same value as non-null.",
      resolve: receivedMoney,
    }),
    fees: t.expose('fees', { type: 'Int64', description: 'Total fees in the smallest unit of the sending currency.' }),
    feesMoney: t.field({
      type: MoneyType,
      description: '`fees` with its currency. Null when the sending currency is unknown.',
      resolve: ({ fees, sentCurrency }) => optionalMoney(fees, sentCurrency),
    }),
    exchangeRate: t.exposeFloat('exchangeRate', {
      description: 'Sending currency units per receiving currency unit. Greater than 0.',
    }),
    settledAt: t.expose('settledAt', { type: 'DateTime', description: 'When the payment was or will be settled.' }),
    receiptDeliveryConfirmedAt: t.expose('receiptDeliveryConfirmedAt', {
      type: 'DateTime',
      description: 'When the platform confirmed delivering the receipt to its customer.',
    }),
    agentId: t.id({
      description: '`Agent:<uuid>`. Present only if an agent initiated the transaction.',
      resolve: ({ agentId }) => agentId && publicId('Agent', agentId),
    }),
    description: t.exposeString('description', { description: 'Memo.' }),
    quoteId: t.id({
      description: '`Quote:<uuid>` that triggered the payment.',
      resolve: ({ quoteId }) => quoteId && publicId('Quote', quoteId),
    }),
    refund: t.field({
      type: RefundType,
      description: 'Present if refunded.',
      resolve: (transaction) => (transaction.refundReference === null ? null : transaction),
    }),
    counterpartyInformation: t.field({
      type: [CounterpartyFactType],
      nullable: { list: true, items: false },
      description: 'Facts about the counterparty, for example FULL_NAME. Pass `keys` to select some.',
      args: { keys: t.arg.stringList({ description: KEYS_DESCRIPTION }) },
      resolve: ({ counterpartyInformation }, { keys }) => entriesOf(counterpartyInformation, keys),
    }),
    reconciliationInstructions: t.field({
      type: ReconciliationInstructionsType,
      description:
        "On an incoming transaction in every state but `CREATED`. The on-chain hash of a crypto payout is on the destination's `onChainTransaction` instead.",
      resolve: (transaction) =>
        transaction.reconciliationReference === null && transaction.reconciliationTransactionHash === null
          ? null
          : transaction,
    }),
    failureReason: t.expose('failureReason', {
      type: FailureReasonEnum,
      description:
        "Null unless failed. The type's exact enum is in `incomingFailureReason` or `outgoingFailureReason`.",
    }),
  }),
})

IncomingTransactionNode.implement({
  description: 'A payment that a customer receives. Id kind: `Transaction`.',
  interfaces: [NodeInterface, TransactionInterface, PaymentInterface],
  fields: (t) => ({
    incomingFailureReason: t.field({
      type: IncomingFailureReasonEnum,
      description: '`failureReason` as the incoming enum.',
      resolve: incomingFailureReason,
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
      resolve: outgoingStatus,
    }),
    platformFees: t.expose('platformFees', {
      type: 'Int64',
      description: 'Portion of `fees` that the platform collects; 0 when none applies.',
    }),
    platformFeesMoney: t.field({
      type: MoneyType,
      description: '`platformFees` with its currency.',
      resolve: ({ platformFees, sentCurrency }) => optionalMoney(platformFees, sentCurrency),
    }),
    paymentInstructions: t.expose('paymentInstructions', {
      type: [PaymentInstructionsType],
      nullable: { list: true, items: false },
      description:
        'How it is funded: where to push the money, or what the owner of the wallet signs. Null when the money is there already.',
    }),
    rateDetails: t.field({
      type: RateDetailsType,
      description: 'How the amounts were computed. Only for UMA payments.',
      resolve: ({ rateDetails, sentCurrency: sendingCurrency, receivedCurrency: receivingCurrency }) =>
        rateDetails && { ...rateDetails, sendingCurrency, receivingCurrency },
    }),
    outgoingFailureReason: t.field({
      type: OutgoingFailureReasonEnum,
      description: '`failureReason` as the outgoing enum.',
      resolve: outgoingFailureReason,
    }),
    paymentRail: t.expose('paymentRail', {
      type: PaymentRailEnum,
      description: 'Null when no external rail is used or before one is resolved.',
    }),
    railSelectionMode: t.expose('railSelectionMode', {
      type: RailSelectionModeEnum,
      description: 'Null while no rail is resolved.',
    }),
    expectedSettlementAt: t.expose('expectedSettlementAt', {
      type: 'DateTime',
      description: 'Null for instant rails and before a deferred-settlement rail is resolved.',
    }),
    settlementTimelineSeconds: t.exposeInt('settlementTimelineSeconds', {
      description: 'Expected seconds from quote creation to settlement. Null when unknown.',
    }),
  }),
})
