// Card transactions, with the three summaries of what happened to them.
import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { CardRecord } from '#cards/card.ts'
import { CardNode } from '#cards/graphql.ts'
import { builder, type FieldBuilder, NodeInterface } from '#graphql/builder.ts'
import { column, firstOf, from, idOf, labelOf, moneyOf } from '#graphql/compiled/field.ts'
import { partOf, rowOf } from '#graphql/compiled/parts.ts'
import { MoneyType } from '#graphql/money.ts'
import { CardTransactionNode, TransactionInterface } from './graphql.ts'
import { CardTransactionStatusEnum } from './graphql-enums.ts'
import { TRANSACTION_TEXTS } from './texts.ts'
import { CARD_TRANSACTION_STATUSES, type Transaction, TransactionRecord } from './transaction.ts'

const { texts } = TransactionRecord

const CardMerchantType = builder.objectRef<Transaction>('CardMerchant').implement({
  description: 'Where the card was used.',
  fields: (t) => ({
    descriptor: t.string({
      nullable: false,
      description: texts.merchantDescriptor,
      ...from<Transaction>()(['merchantDescriptor'], ({ merchantDescriptor }) => merchantDescriptor ?? ''),
    }),
    mcc: t.exposeString('merchantMcc', { description: texts.merchantMcc }),
    country: t.exposeString('merchantCountry', { description: texts.merchantCountry }),
  }),
})

const summaryFields = (t: FieldBuilder<Transaction>, of: 'pull' | 'refund' | 'settlement') => ({
  count: t.int({ nullable: false, description: texts[`${of}Count`], ...column(`${of}Count`) }),
  totalAmount: t.field({
    type: 'Int64',
    nullable: false,
    description: texts[`${of}TotalAmount`],
    ...column(`${of}TotalAmount`),
  }),
  total: t.field({
    type: MoneyType,
    description: '`totalAmount` with its currency.',
    ...moneyOf(`${of}TotalAmount`, 'cardCurrency'),
  }),
})

const CardPullSummaryType = builder.objectRef<Transaction>('CardPullSummary').implement({
  description: 'Pulls of a card transaction.',
  fields: (t) => ({
    ...summaryFields(t, 'pull'),
    pendingCount: t.exposeInt('pullPendingCount', { description: texts.pullPendingCount }),
  }),
})

const CardRefundSummaryType = builder.objectRef<Transaction>('CardRefundSummary').implement({
  description: 'Refunds of a card transaction.',
  fields: (t) => summaryFields(t, 'refund'),
})

const CardSettlementSummaryType = builder.objectRef<Transaction>('CardSettlementSummary').implement({
  description: 'Settlements of a card transaction.',
  fields: (t) => summaryFields(t, 'settlement'),
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
      ...labelOf('status', CARD_TRANSACTION_STATUSES),
    }),
    cardId: t.id({ description: texts.cardId, ...idOf('Card', 'cardId') }),
    card: t.field({
      type: CardNode,
      description: 'The card that was used.',
      ...rowOf(CardRecord, 'cardId'),
    }),
    issuerTransactionToken: t.exposeString('issuerTransactionToken', { description: texts.issuerTransactionToken }),
    merchant: t.field({
      type: CardMerchantType,
      nullable: false,
      description: TRANSACTION_TEXTS.merchant,
      ...partOf(),
    }),
    authorizedAmount: t.field({
      type: MoneyType,
      nullable: false,
      description: texts.authorizedAmount,
      ...moneyOf('authorizedAmount', 'cardCurrency'),
    }),
    settledAmount: t.field({
      type: MoneyType,
      description: texts.settledAmount,
      ...moneyOf('settledAmount', 'cardCurrency'),
    }),
    refundedAmount: t.field({
      type: MoneyType,
      description: texts.refundedAmount,
      ...moneyOf('refundedAmount', 'cardCurrency'),
    }),
    accountId: t.id({
      nullable: false,
      description: TRANSACTION_TEXTS.accountId,
      ...firstOf(
        idOf('InternalAccount', 'sourceInternalAccountId'),
        idOf('InternalAccount', 'destinationInternalAccountId'),
      ),
    }),
    account: t.field({
      type: InternalAccountNode,
      description: 'Account that funded it.',
      ...firstOf(
        rowOf(InternalAccountRecord, 'sourceInternalAccountId'),
        rowOf(InternalAccountRecord, 'destinationInternalAccountId'),
      ),
    }),
    pullSummary: t.field({
      type: CardPullSummaryType,
      description: TRANSACTION_TEXTS.pullSummary,
      ...partOf('pullCount'),
    }),
    refundSummary: t.field({
      type: CardRefundSummaryType,
      description: TRANSACTION_TEXTS.refundSummary,
      ...partOf('refundCount'),
    }),
    settlementSummary: t.field({
      type: CardSettlementSummaryType,
      description: TRANSACTION_TEXTS.settlementSummary,
      ...partOf('settlementCount'),
    }),
    authorizedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: TRANSACTION_TEXTS.authorizedAt,
    }),
    lastEventAt: t.expose('lastEventAt', { type: 'DateTime', description: texts.lastEventAt }),
  }),
})
