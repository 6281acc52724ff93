import type { Context } from 'hono'
import type { Caller } from '#core/caller.ts'
import { pageOfList, sendTexts } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import { OWN_TRANSACTION_PARAMETERS, TRANSACTION_PARAMETERS } from '#transactions/list/filter.ts'
import { transactionList } from '#transactions/list/list.ts'
import { readTransaction } from './read.ts'
import { transactionBody, transactionText } from './rest-body.ts'

export const transactionRoutes = router()

/** Sends one page of transactions. Agents see only those of their customer, so they have no filter by customer. */
export const sendTransactions = async (context: Context, caller: Caller) => {
  const conditions = caller.scheme === 'AGENT' ? OWN_TRANSACTION_PARAMETERS : TRANSACTION_PARAMETERS
  const found = await pageOfList(caller, context.req.url, transactionList, conditions)
  return sendTexts(context, found, found.page.items.map(transactionText))
}

transactionRoutes.get('/', (context) => sendTransactions(context, context.var.caller))

transactionRoutes.get('/:id', async (context) =>
  context.json(transactionBody(await readTransaction(context.var.caller, context.req.param('id')))),
)
