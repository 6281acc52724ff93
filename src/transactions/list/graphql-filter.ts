import { CREATED_FROM, CREATED_UNTIL } from '#core/time-filters.ts'
import { builder } from '#graphql/builder.ts'
import {
  TransactionDirectionEnum,
  TransactionItemTypeEnum,
  TransactionLifecycleStatusEnum,
  TransactionStatusEnum,
  TransactionTypeEnum,
} from '#transactions/graphql-enums.ts'

export const TransactionFilterType = builder.inputType('TransactionFilter', {
  description: 'All given conditions must hold.',
  fields: (t) => ({
    customerId: t.id({
      description: 'System customer id. Pass the platform id for transactions made on behalf of the platform.',
    }),
    platformCustomerId: t.string({ description: "Customer id in the platform's own system, exact." }),
    accountIdentifier: t.string({ description: 'Account id or UMA address. Matches the sender or the receiver.' }),
    senderAccountIdentifier: t.string({ description: 'Account id or UMA address of the source.' }),
    receiverAccountIdentifier: t.string({ description: 'Account id or UMA address of the destination.' }),
    types: t.field({
      type: [TransactionItemTypeEnum],
      description: 'Of any of these types, cards included. An empty list is no filter.',
    }),
    statuses: t.field({
      type: [TransactionLifecycleStatusEnum],
      description: 'In any of these states of any type. An empty list is no filter.',
    }),
    reference: t.string({ description: 'Reference of the reconciliation or payment instructions, exact.' }),
    startDate: t.field({ type: 'DateTime', description: CREATED_FROM }),
    endDate: t.field({ type: 'DateTime', description: CREATED_UNTIL }),
    direction: t.field({ type: TransactionDirectionEnum, description: 'With this direction.' }),
    agentId: t.id({ description: 'Only those that this agent initiated.' }),
    cardId: t.id({ description: 'Only uses of this card.' }),
    currency: t.string({ description: 'Code of the currency of `amount`, exact.' }),
    minAmount: t.field({
      type: 'Int64',
      description: 'The least `amount`, in the smallest unit of `currency`, which must be given. Inclusive.',
    }),
    maxAmount: t.field({
      type: 'Int64',
      description: 'The greatest `amount`, in the smallest unit of `currency`, which must be given. Inclusive.',
    }),
    search: t.string({
      description:
        'Matches the start of the description, of the merchant descriptor or of the counterparty name, ignoring case.',
    }),
    status: t.field({
      type: TransactionStatusEnum,
      description: 'In this state. `REFUNDED` also finds card transactions.',
      deprecationReason: 'Use `statuses`, which takes several and those of cards.',
    }),
    type: t.field({
      type: TransactionTypeEnum,
      description: 'Of this type, which leaves card transactions out.',
      deprecationReason: 'Use `types`, which takes several and cards.',
    }),
    itemTypes: t.field({
      type: [TransactionItemTypeEnum],
      description: 'Of any of these types, cards included. An empty list is no filter.',
      deprecationReason: 'Use `types`, which is the same.',
    }),
  }),
})
