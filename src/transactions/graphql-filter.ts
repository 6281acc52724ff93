import { builder } from '#graphql/builder.ts'
import {
  TransactionDirectionEnum,
  TransactionItemTypeEnum,
  TransactionLifecycleStatusEnum,
  TransactionStatusEnum,
  TransactionTypeEnum,
} from './graphql-enums.ts'

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
    status: t.field({
      type: TransactionStatusEnum,
      description: 'In this state. `REFUNDED` also finds card transactions.',
    }),
    type: t.field({ type: TransactionTypeEnum, description: 'Of this type, which leaves card transactions out.' }),
    reference: t.string({ description: 'Reference of the reconciliation or payment instructions, exact.' }),
    startDate: t.field({ type: 'DateTime', description: 'Created at this time or later. Inclusive.' }),
    endDate: t.field({ type: 'DateTime', description: 'Created at this time or earlier. Inclusive.' }),
    itemTypes: t.field({
      type: [TransactionItemTypeEnum],
      description: 'Extension: any of these item types, cards included.',
    }),
    statuses: t.field({
      type: [TransactionLifecycleStatusEnum],
      description: 'Extension: any of these states of any type.',
    }),
    direction: t.field({ type: TransactionDirectionEnum, description: 'Extension: with this direction.' }),
    agentId: t.id({ description: 'Extension: only those that this agent initiated.' }),
  }),
})
