// Card transactions, with the three summaries of what happened to them.
import { InternalAccountNode } from '#accounts/graphql.ts'
import { internalAccountsByIds } from '#accounts/internal-account.ts'
import { cardsByIds } from '#cards/card.ts'
import { CardNode } from '#cards/graphql.ts'
import { publicId } from '#core/ids.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { load, loadOptional } from '#graphql/load.ts'
import { MoneyType } from '#graphql/money.ts'
import { CardTransactionNode, TransactionInterface } from './graphql.ts'
import { CardTransactionStatusEnum } from './graphql-enums.ts'
import { cardAccountId, cardMoney, cardStatus, headlineMoney, present, type Transaction } from './transaction.ts'

const SMALLEST_UNIT = 'Smallest unit of the funding source currency.'

const CardMerchantType = builder.objectRef<Transaction>('CardMerchant').implement({
  description: 'Where the card was used.',
  fields: (t) => ({
    descriptor: t.string({
      nullable: false,
      description: 'Descriptor captured at authorization.',
      resolve: ({ merchantDescriptor }) => merchantDescriptor ?? '',
    }),
    mcc: t.exposeString('merchantMcc', { description: 'Merchant Category Code per ISO 18245, four digits.' }),
    country: t.exposeString('merchantCountry', { description: 'ISO 3166-1 alpha-2.' }),
  }),
})

const CardPullSummaryType = builder.objectRef<Transaction>('CardPullSummary').implement({
  description: 'Pulls of a card transaction.',
  fields: (t) => ({
    count: t.int({
      nullable: false,
      description: 'Pulls executed against the funding source. More than 1 means post-hoc pulls such as tips.',
      resolve: ({ pullCount }) => present(pullCount),
    }),
    totalAmount: t.field({
      type: 'Int64',
      nullable: false,
      description: SMALLEST_UNIT,
      resolve: ({ pullTotalAmount }) => present(pullTotalAmount),
    }),
    total: t.field({
      type: MoneyType,
      description: '`totalAmount` with its currency.',
      resolve: (card) => cardMoney(card, card.pullTotalAmount),
    }),
    pendingCount: t.exposeInt('pullPendingCount', {
      description: 'Pulls still pending. Persistent non-zero values signal the EXCEPTION path.',
    }),
  }),
})

const CardRefundSummaryType = builder.objectRef<Transaction>('CardRefundSummary').implement({
  description: 'Refunds of a card transaction.',
  fields: (t) => ({
    count: t.int({
      nullable: false,
      description: 'Refund or return events.',
      resolve: ({ refundCount }) => present(refundCount),
    }),
    totalAmount: t.field({
      type: 'Int64',
      nullable: false,
      description: SMALLEST_UNIT,
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
      description: 'Settlement or clearing events.',
      resolve: ({ settlementCount }) => present(settlementCount),
    }),
    totalAmount: t.field({
      type: 'Int64',
      nullable: false,
      description: SMALLEST_UNIT,
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
    cardId: t.id({ description: '`Card:<uuid>`.', resolve: ({ cardId }) => cardId && publicId('Card', cardId) }),
    card: t.field({
      type: CardNode,
      description: 'The card that was used.',
      resolve: ({ cardId }, _args, context) => loadOptional(context, cardsByIds, cardId),
    }),
    issuerTransactionToken: t.exposeString('issuerTransactionToken', {
      description: 'Opaque id on the underlying card issuer.',
    }),
    merchant: t.field({
      type: CardMerchantType,
      nullable: false,
      description: 'Where the card was used.',
      resolve: (transaction) => transaction,
    }),
    authorizedAmount: t.field({
      type: MoneyType,
      nullable: false,
      description: 'What the merchant asked for.',
      resolve: headlineMoney,
    }),
    settledAmount: t.field({
      type: MoneyType,
      description: 'Sum of the clearings. Null before the first.',
      resolve: (transaction) => cardMoney(transaction, transaction.settledAmount),
    }),
    refundedAmount: t.field({
      type: MoneyType,
      description: 'Sum of the returns. Null before the first.',
      resolve: (transaction) => cardMoney(transaction, transaction.refundedAmount),
    }),
    accountId: t.id({
      nullable: false,
      description: '`InternalAccount:<uuid>` that funded it, selected at authorization.',
      resolve: (transaction) => publicId('InternalAccount', cardAccountId(transaction)),
    }),
    account: t.field({
      type: InternalAccountNode,
      description: 'Account that funded it.',
      resolve: (transaction, _args, context) => load(context, internalAccountsByIds, cardAccountId(transaction)),
    }),
    pullSummary: t.field({
      type: CardPullSummaryType,
      description: 'Pulls from the funding source.',
      resolve: (transaction) => (transaction.pullCount === null ? null : transaction),
    }),
    refundSummary: t.field({
      type: CardRefundSummaryType,
      description: 'Returns by the merchant.',
      resolve: (transaction) => (transaction.refundCount === null ? null : transaction),
    }),
    settlementSummary: t.field({
      type: CardSettlementSummaryType,
      description: 'Clearings.',
      resolve: (transaction) => (transaction.settlementCount === null ? null : transaction),
    }),
    authorizedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the authorization was approved.',
    }),
    lastEventAt: t.expose('lastEventAt', {
      type: 'DateTime',
      description: 'Most recent pull, clearing or refund event.',
    }),
  }),
})
