// The union of all transactions, its common fields, and its queries.
import { invalidInput } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { firstOf, from, idOf, moneyOf } from '#graphql/compiled/field.ts'
import { nodeBy } from '#graphql/compiled/nodes.ts'
import { batchOf, byLabel, rowOf, typeBy } from '#graphql/compiled/parts.ts'
import { connectionType } from '#graphql/connection.ts'
import { withCost } from '#graphql/limits/field-cost.ts'
import { listField } from '#graphql/list-field.ts'
import { MoneyType } from '#graphql/money.ts'
import { registerNode } from '#graphql/node-types.ts'
import { TransactionFilterType } from '#transactions/list/graphql-filter.ts'
import { transactionList } from '#transactions/list/list.ts'
import { TransactionDirectionEnum, TransactionItemTypeEnum, TransactionLifecycleStatusEnum } from './graphql-enums.ts'
import { platformOwnerId } from './public-ids.ts'
import { type StateChange, timelinesOfTransactions } from './timeline.ts'
import { cardTransactionsByIds, paymentTransactionsByIds, type Transaction, TransactionRecord } from './transaction.ts'

const { texts } = TransactionRecord

export const transactionType = typeBy('type', {
  INCOMING: 'IncomingTransaction',
  OUTGOING: 'OutgoingTransaction',
  CARD: 'CardTransaction',
})

registerNode({
  record: TransactionRecord,
  kinds: { Transaction: paymentTransactionsByIds, CardTransaction: cardTransactionsByIds },
  name: 'TransactionNode',
  typeName: transactionType.resolveType,
})

const StateChangeType = builder.objectRef<StateChange>('TransactionStateChange').implement({
  description: 'One state change of a transaction.',
  fields: (t) => ({
    from: t.expose('fromStatus', {
      type: TransactionLifecycleStatusEnum,
      description: 'State before the change. Null for the first state.',
    }),
    to: t.expose('toStatus', {
      type: TransactionLifecycleStatusEnum,
      nullable: false,
      description: 'State after the change.',
    }),
    at: t.expose('at', { type: 'DateTime', nullable: false, description: 'When the state changed.' }),
    reason: t.exposeString('reason', { description: 'Why the state changed, if known.' }),
  }),
})

export const TransactionInterface = builder.interfaceRef<Transaction>('TransactionNode').implement({
  description:
    'What every transaction has, whatever its type: incoming, outgoing or card. Select this for a row of a table, and fragments on the types for fields that only they have.',
  interfaces: [NodeInterface],
  ...transactionType,
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: texts.id,
      ...byLabel('type', {
        INCOMING: idOf('Transaction', 'id'),
        OUTGOING: idOf('Transaction', 'id'),
        CARD: idOf('CardTransaction', 'id'),
      }),
    }),
    type: t.expose('type', { type: TransactionItemTypeEnum, nullable: false, description: texts.type }),
    direction: t.expose('direction', { type: TransactionDirectionEnum, nullable: false, description: texts.direction }),
    status: t.expose('status', { type: TransactionLifecycleStatusEnum, nullable: false, description: texts.status }),
    amount: t.field({
      type: MoneyType,
      nullable: false,
      description: 'Headline amount: received if incoming, sent if outgoing, authorized if card.',
      ...byLabel('type', {
        INCOMING: moneyOf('receivedAmount', 'receivedCurrency'),
        OUTGOING: moneyOf('sentAmount', 'sentCurrency'),
        CARD: moneyOf('authorizedAmount', 'cardCurrency'),
      }),
    }),
    customerId: t.id({
      nullable: false,
      description: texts.customerId,
      ...firstOf(idOf('Customer', 'customerId'), idOf('PlatformConfig', 'platformId')),
    }),
    customer: t.field({
      type: CustomerNode,
      description: 'The customer. Null for a transaction of the platform itself.',
      ...rowOf(CustomerRecord, 'customerId'),
    }),
    platformCustomerId: t.string({
      nullable: false,
      description: texts.platformCustomerId,
      ...from<Transaction>()(['platformCustomerId', 'customerId', 'platformId'], platformOwnerId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
    timeline: t.field({
      type: [StateChangeType],
      nullable: { list: true, items: false },
      description: 'State changes, oldest first.',
      ...withCost({ rows: 1 }, batchOf(timelinesOfTransactions, 'id')),
    }),
  }),
})

export const TransactionUnion = builder.unionType('Transaction', {
  description: 'A transaction of any of the three types, discriminated by `type`.',
  types: () => [IncomingTransactionNode, OutgoingTransactionNode, CardTransactionNode],
  ...transactionType,
})

export const IncomingTransactionNode = builder.objectRef<Transaction>('IncomingTransaction')
export const OutgoingTransactionNode = builder.objectRef<Transaction>('OutgoingTransaction')
export const CardTransactionNode = builder.objectRef<Transaction>('CardTransaction')

export const transactions = {
  list: transactionList,
  connection: connectionType<Transaction>('Transaction', TransactionInterface, 'transactions'),
  filter: TransactionFilterType,
}

const KINDS = ['Transaction', 'CardTransaction'] as const

builder.queryFields((t) => ({
  transactions: listField(t, transactions, 'Incoming, outgoing and card transactions.'),
  transaction: t.field({
    type: TransactionUnion,
    description: 'The transaction with this ID. Null if the ID is unknown.',
    args: { id: t.arg.id({ required: true, description: '`Transaction:<uuid>` or `CardTransaction:<uuid>`.' }) },
    ...nodeBy<Transaction>()(
      () => KINDS,
      ({ id }: { readonly id: string }) => {
        const kind = parseId(id)?.kind
        if (KINDS.some((own) => own === kind)) return id
        throw invalidInput('id', 'id must be Transaction:<uuid> or CardTransaction:<uuid>')
      },
    ),
  }),
}))
