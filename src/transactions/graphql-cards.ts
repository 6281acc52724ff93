// Card transactions, with the three summaries of what happened to them.
import { InternalAccountNode } from '#accounts/graphql.ts'
import { internalAccountsByIds } from '#accounts/internal-account.ts'
import { cardsByIds } from '#cards/card.ts'
import { CardNode } from '#cards/graphql.ts'
import { publicId } from '#core/ids.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { load, loadOptional } from '#graphql/load.ts'
import { MoneyType } from '#graphql/money.ts'
import { cardMoney, headlineMoney } from './amounts.ts'
import { CardTransactionNode, TransactionInterface } from './graphql.ts'
import { CardTransactionStatusEnum } from './graphql-enums.ts'
import { cardAccountId } from './public-ids.ts'
import { TRANSACTION_TEXTS } from './texts.ts'
import { cardStatus, present, type Transaction, TransactionRecord } from './transaction.ts'

const CardMerchantType = builder.objectRef<Transaction>('CardMerchant').implement({
  description: 'Where the card was used.',
  fields: (t) => ({
    descriptor: t.string({
      nullable: false,
      description: TransactionRecord.texts.merchantDescriptor,
      resolve: ({ merchantDescriptor }) => merchantDescriptor ?? '',
    }),
    mcc: t.exposeString('merchantMcc', { description: TransactionRecord.texts.merchantMcc }),
    country: t.exposeString('merchantCountry', { description: TransactionRecord.texts.merchantCountry }),
  }),
})

const CardPullSummaryType = builder.objectRef<Transaction>('CardPullSummary').implement({
  description: 'Pulls of a card transaction.',
  fields: (t) => ({
    count: t.int({
      nullable: false,
      description: TransactionRecord.texts.pullCount,
      resolve: ({ pullCount }) => present(pullCount),
    }),
    totalAmount: t.field({
      type: 'Int64',
      nullable: false,
      description: TransactionRecord.texts.pullTotalAmount,
      resolve: ({ pullTotalAmount }) => present(pullTotalAmount),
    }),
    total: t.field({
      type: MoneyType,
      description: '`totalAmount` with its currency.',
      resolve: (card) => cardMoney(card, card.pullTotalAmount),
    }),
    pendingCount: t.exposeInt('pullPendingCount', {
      description: TransactionRecord.texts.pullPendingCount,
    }),
  }),
})

const CardRefundSummaryType = builder.objectRef<Transaction>('CardRefundSummary').implement({
  description: 'Refunds of a card transaction.',
  fields: (t) => ({
    count: t.int({
      nullable: false,
      description: TransactionRecord.texts.refundCount,
      resolve: ({ refundCount }) => present(refundCount),
    }),
    totalAmount: t.field({
      type: 'Int64',
      nullable: false,
      description: TransactionRecord.texts.refundTotalAmount,
      resolve: ({ refundTotalAmount }) => present(refundTotalAmount),
    }),
    total: t.field({
      type: MoneyType,
      description: '`totalAmount` with its currency.',
      resolve: (card) => cardMoney(card, card.refundTotalAmount),
    }),
  }),
})

const CardSettlementSummaryType = builder.objectRef<Transaction>('CardSettlementSummary').implement({
  description: 'Settlements of a card transaction.',
  fields: (t) => ({
    count: t.int({
      nullable: false,
      description: TransactionRecord.texts.settlementCount,
      resolve: ({ settlementCount }) => present(settlementCount),
    }),
    totalAmount: t.field({
      type: 'Int64',
      nullable: false,
      description: TransactionRecord.texts.settlementTotalAmount,
      resolve: ({ settlementTotalAmount }) => present(settlementTotalAmount),
    }),
    total: t.field({
      type: MoneyType,
      description: '`totalAmount` with its currency.',
      resolve: (card) => cardMoney(card, card.settlementTotalAmount),
    }),
  }),
})

CardTransactionNode.implement({
  description:
    'A card authorization with the pulls, settlements and refunds reconciled against it. Id kind: `CardTransaction`.',
  interfaces: [NodeInterface, TransactionInterface],
  fields: (t) => ({
    cardStatus: t.field({
      type: CardTransactionStatusEnum,
      nullable: false,
      description: '`status` as the enum of card transactions.',
      resolve: cardStatus,
    }),
    cardId: t.id({
      description: TransactionRecord.texts.cardId,
      resolve: ({ cardId }) => cardId && publicId('Card', cardId),
    }),
    card: t.field({
      type: CardNode,
      description: 'The card that was used.',
      resolve: ({ cardId }, _args, context) => loadOptional(context, cardsByIds, cardId),
    }),
    issuerTransactionToken: t.exposeString('issuerTransactionToken', {
      description: TransactionRecord.texts.issuerTransactionToken,
    }),
    merchant: t.field({
      type: CardMerchantType,
      nullable: false,
      description: TRANSACTION_TEXTS.merchant,
      resolve: (transaction) => transaction,
    }),
    authorizedAmount: t.field({
      type: MoneyType,
      nullable: false,
      description: TransactionRecord.texts.authorizedAmount,
      resolve: headlineMoney,
    }),
    settledAmount: t.field({
      type: MoneyType,
      description: TransactionRecord.texts.settledAmount,
      resolve: (transaction) => cardMoney(transaction, transaction.settledAmount),
    }),
    refundedAmount: t.field({
      type: MoneyType,
      description: TransactionRecord.texts.refundedAmount,
      resolve: (transaction) => cardMoney(transaction, transaction.refundedAmount),
    }),
    accountId: t.id({
      nullable: false,
      description: TRANSACTION_TEXTS.accountId,
      resolve: (transaction) => publicId('InternalAccount', cardAccountId(transaction)),
    }),
    account: t.field({
      type: InternalAccountNode,
      description: 'Account that funded it.',
      resolve: (transaction, _args, context) => load(context, internalAccountsByIds, cardAccountId(transaction)),
    }),
    pullSummary: t.field({
      type: CardPullSummaryType,
      description: TRANSACTION_TEXTS.pullSummary,
      resolve: (transaction) => (transaction.pullCount === null ? null : transaction),
    }),
    refundSummary: t.field({
      type: CardRefundSummaryType,
      description: TRANSACTION_TEXTS.refundSummary,
      resolve: (transaction) => (transaction.refundCount === null ? null : transaction),
    }),
    settlementSummary: t.field({
      type: CardSettlementSummaryType,
      description: TRANSACTION_TEXTS.settlementSummary,
      resolve: (transaction) => (transaction.settlementCount === null ? null : transaction),
    }),
    authorizedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: TRANSACTION_TEXTS.authorizedAt,
    }),
    lastEventAt: t.expose('lastEventAt', {
      type: 'DateTime',
      description: TransactionRecord.texts.lastEventAt,
    }),
  }),
})
