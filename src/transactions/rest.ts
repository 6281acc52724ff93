import { ApiError } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { pageBody, queryOf, windowOf } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import { countTransactions } from './count.ts'
import { parseTransactionFilter } from './filter.ts'
import { listTransactions } from './list.ts'
import { transactionBody } from './rest-body.ts'
import { cardTransactionsByIds, paymentTransactionsByIds } from './transaction.ts'

export const transactionRoutes = router()

/** The filters of the specification; other parameters are ignored, those of GraphQL's extensions too. */
const FILTERS = [
  'customerId',
  'platformCustomerId',
  'accountIdentifier',
  'senderAccountIdentifier',
  'receiverAccountIdentifier',
  'status',
  'type',
  'reference',
  'startDate',
  'endDate',
]

transactionRoutes.get('/', async (context) => {
  const { caller } = context.var
  const query = queryOf(context.req.url)
  const filter = parseTransactionFilter(Object.fromEntries(FILTERS.map((name) => [name, query[name]])), '')
  const window = windowOf(query)
  const [page, totalCount] = await Promise.all([
    listTransactions(caller, filter, window),
    countTransactions(caller, filter),
  ])
  return context.json(pageBody(page, totalCount, transactionBody))
})

transactionRoutes.get('/:id', async (context) => {
  const id = parseId(context.req.param('id'))
  const byIds = id?.kind === 'CardTransaction' ? cardTransactionsByIds : paymentTransactionsByIds
  const [transaction] =
    id?.kind === 'Transaction' || id?.kind === 'CardTransaction' ? await byIds(context.var.caller, [id.uuid]) : []
  if (!transaction) throw new ApiError('TRANSACTION_NOT_FOUND', 'There is no such transaction')
  return context.json(transactionBody(transaction))
})
