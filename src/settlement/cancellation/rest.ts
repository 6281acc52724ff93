import { optionalBodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import { cancelTransaction } from './cancel.ts'

/** Routes under `/transactions`. */
export const cancellationRoutes = router()

cancellationRoutes.post('/:id/cancel', async (context) => {
  const input = await optionalBodyOf(context, 'TRANSACT')
  return context.json(transactionBody(await cancelTransaction(context.var.caller, context.req.param('id'), input)))
})
