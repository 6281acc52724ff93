import type { Caller } from '#core/caller.ts'
import { pageBody, queryOf, WINDOW_PARAMETERS, windowOfQuery } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import { countTransactions } from './count.ts'
import { parseTransactionFilter } from './filter.ts'
import { listTransactions } from './list.ts'
import { readTransaction } from './read.ts'
import { transactionBody } from './rest-body.ts'

export const transactionRoutes = router()

/** The filters of the specification. GraphQL has more. */
const FILTERS_OF_AGENTS = [
  'accountIdentifier',
  'senderAccountIdentifier',
  'receiverAccountIdentifier',
  'status',
  'type',
  'reference',
  'startDate',
  'endDate',
]
const FILTERS = ['customerId', 'platformCustomerId', ...FILTERS_OF_AGENTS]

/** The body of a page: of an agent those of its customer, and there is no other to ask for. */
export const transactionsBody = async (caller: Caller, url: string) => {
  const names = caller.scheme === 'AGENT' ? FILTERS_OF_AGENTS : FILTERS
  const query = queryOf(url, [...names, ...WINDOW_PARAMETERS])
  const filter = parseTransactionFilter(Object.fromEntries(names.map((name) => [name, query[name]])), '')
  const window = windowOfQuery(query)
  const [page, totalCount] = await Promise.all([
    listTransactions(caller, filter, window),
    countTransactions(caller, filter),
  ])
  return pageBody(page, totalCount, transactionBody)
}

transactionRoutes.get('/', async (context) => context.json(await transactionsBody(context.var.caller, context.req.url)))

transactionRoutes.get('/:id', async (context) =>
  context.json(transactionBody(await readTransaction(context.var.caller, context.req.param('id')))),
)
