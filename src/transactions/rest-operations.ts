import { answer, DAY, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { TransactionFilterInput } from './filter.ts'
import { transactionPageSchema, transactionSchema } from './rest-schema.ts'

/** Query parameters that agents may use too. */
export const transactionConditions = {
  accountIdentifier: 'Account id or UMA address of the sender or the receiver.',
  senderAccountIdentifier: 'Account id or UMA address of the source.',
  receiverAccountIdentifier: 'Account id or UMA address of the destination.',
  status: 'In this state. `REFUNDED` also finds card transactions.',
  type: 'Of this type, which leaves card transactions out.',
  reference: 'Reference of the reconciliation or payment instructions, exact.',
  startDate: `Created at this time or later. ${DAY}`,
  endDate: `Created at this time or earlier. ${DAY}`,
} as const

const tags = ['Transactions']

export const transactionOperations: Operations = {
  '/transactions': {
    get: {
      operationId: 'listTransactions',
      summary: 'List transactions',
      description: 'Money in, money out and card use, newest first unless asked otherwise.',
      tags,
      requestParams: {
        query: filterQuery(TransactionFilterInput, {
          customerId: 'The customer. The platform’s own configuration for transactions of the platform itself.',
          platformCustomerId: 'The platform’s own id of the customer, exact.',
          ...transactionConditions,
        }),
      },
      responses: { 200: answer('A page of transactions.', transactionPageSchema), ...failures() },
    },
  },
  '/transactions/{id}': {
    get: {
      operationId: 'getTransaction',
      summary: 'Read a transaction',
      tags,
      requestParams: { path: pathId('Transaction', 'CardTransaction') },
      responses: { 200: answer('The transaction.', transactionSchema), ...failures(404) },
    },
  },
}
