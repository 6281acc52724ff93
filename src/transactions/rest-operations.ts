import { answer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { TRANSACTION_PARAMETERS, TransactionFilterInput } from '#transactions/list/filter.ts'
import { transactionPageSchema, transactionSchema } from './rest-schema.ts'

const tags = ['Transactions']

export const transactionOperations: Operations = {
  '/transactions': {
    get: {
      operationId: 'listTransactions',
      'x-graphql': ['Query.transactions'],
      summary: 'List transactions',
      description: 'Returns incoming, outgoing and card transactions. The newest come first by default.',
      tags,
      requestParams: {
        query: filterQuery(TransactionFilterInput, TRANSACTION_PARAMETERS),
      },
      responses: { 200: answer('A page of transactions.', transactionPageSchema), ...failures() },
    },
  },
  '/transactions/{transactionId}': {
    get: {
      operationId: 'getTransaction',
      'x-graphql': ['Query.transaction'],
      summary: 'Get a transaction',
      tags,
      requestParams: { path: pathId('transactionId', 'Transaction', 'CardTransaction') },
      responses: { 200: answer('The transaction.', transactionSchema), ...failures(404) },
    },
  },
}
