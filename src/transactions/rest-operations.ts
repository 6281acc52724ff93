import { CREATED_FROM, CREATED_UNTIL } from '#core/time-filters.ts'
import { answer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { TransactionFilterInput } from '#transactions/list/filter.ts'
import { transactionPageSchema, transactionSchema } from './rest-schema.ts'

/** Query parameters that agents may use too. */
export const transactionConditions = {
  accountIdentifier: 'Transactions with this account ID or UMA address on either side.',
  senderAccountIdentifier: 'Transactions from this account ID or UMA address.',
  receiverAccountIdentifier: 'Transactions to this account ID or UMA address.',
  status: 'Transactions with this status. `REFUNDED` includes card transactions.',
  type: 'Transactions of this type. Excludes card transactions.',
  reference: 'Exact reference of the reconciliation instructions or the payment instructions.',
  startDate: CREATED_FROM,
  endDate: CREATED_UNTIL,
} as const

const tags = ['Transactions']

export const transactionOperations: Operations = {
  '/transactions': {
    get: {
      operationId: 'listTransactions',
      summary: 'List transactions',
      description: 'Returns incoming, outgoing and card transactions. The newest come first by default.',
      tags,
      requestParams: {
        query: filterQuery(TransactionFilterInput, {
          customerId:
            "`Customer:<uuid>`, or the ID of the platform's configuration for the platform's own transactions.",
          platformCustomerId: "The customer's exact ID in the platform's own system.",
          ...transactionConditions,
        }),
      },
      responses: { 200: answer('A page of transactions.', transactionPageSchema), ...failures() },
    },
  },
  '/transactions/{id}': {
    get: {
      operationId: 'getTransaction',
      summary: 'Get a transaction',
      tags,
      requestParams: { path: pathId('Transaction', 'CardTransaction') },
      responses: { 200: answer('The transaction.', transactionSchema), ...failures(404) },
    },
  },
}
