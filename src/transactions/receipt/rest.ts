import { optionalBodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import { confirmTransaction } from './confirm.ts'

/** Routes under `/transactions`. */
export const receiptRoutes = router()

receiptRoutes.post('/:id/confirm', async (context) => {
  const input = await optionalBodyOf(context, 'TRANSACT')
  return context.json(transactionBody(await confirmTransaction(context.var.caller, context.req.param('id'), input)))
})
