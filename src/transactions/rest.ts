import type { Caller } from '#core/caller.ts'
import { pageBody, pageOfList } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import { OWN_TRANSACTION_PARAMETERS, TRANSACTION_PARAMETERS } from '#transactions/list/filter.ts'
import { transactionList } from '#transactions/list/list.ts'
import { readTransaction } from './read.ts'
import { transactionBody } from './rest-body.ts'

export const transactionRoutes = router()

/** One page of transactions. Agents see only those of their customer, so they have no filter by customer. */
export const transactionsBody = async (caller: Caller, url: string) => {
  const conditions = caller.scheme === 'AGENT' ? OWN_TRANSACTION_PARAMETERS : TRANSACTION_PARAMETERS
  const found = await pageOfList(caller, url, transactionList, conditions)
  return pageBody(found, found.page.items.map(transactionBody))
}

transactionRoutes.get('/', async (context) => context.json(await transactionsBody(context.var.caller, context.req.url)))

transactionRoutes.get('/:id', async (context) =>
  context.json(transactionBody(await readTransaction(context.var.caller, context.req.param('id')))),
)
