import { filterType } from '#graphql/list-field.ts'
import { TransactionItemTypeEnum, TransactionStatusEnum, TransactionTypeEnum } from '#transactions/graphql-enums.ts'
import { TransactionFilterInput } from './filter.ts'

const { status, type, itemTypes } = TransactionFilterInput.shape

export const TransactionFilterType = filterType(
  'Transaction',
  TransactionFilterInput.omit({ status: true, type: true, itemTypes: true }),
  (t) => ({
    status: t.field({
      type: TransactionStatusEnum,
      description: String(status.description),
      deprecationReason: 'Use `statuses`, which takes several states, including those of cards.',
    }),
    type: t.field({
      type: TransactionTypeEnum,
      description: String(type.description),
      deprecationReason: 'Use `types`, which takes several types, including cards.',
    }),
    itemTypes: t.field({
      type: [TransactionItemTypeEnum],
      description: String(itemTypes.description),
      deprecationReason: 'Use `types`, which is the same.',
    }),
  }),
)
