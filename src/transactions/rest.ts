import type { Caller } from '#core/caller.ts'
import { pageBody, pageOfList } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import { transactionList } from '#transactions/list/list.ts'
import { readTransaction } from './read.ts'
import { transactionBody } from './rest-body.ts'

export const transactionRoutes = router()

/** The filters of the specification. Filters that only GraphQL has are rejected. */
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

/** One page of transactions. Agents see only those of their customer, so they have no filter by customer. */
export const transactionsBody = async (caller: Caller, url: string) => {
  const conditions = caller.scheme === 'AGENT' ? FILTERS_OF_AGENTS : FILTERS
  const found = await pageOfList(caller, url, transactionList, conditions)
  return pageBody(found, found.page.items.map(transactionBody))
}

transactionRoutes.get('/', async (context) => context.json(await transactionsBody(context.var.caller, context.req.url)))

transactionRoutes.get('/:id', async (context) =>
  context.json(transactionBody(await readTransaction(context.var.caller, context.req.param('id')))),
)
