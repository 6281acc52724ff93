// The platform's decisions on actions of agents, and on transactions that wait for it.
import type { Context } from 'hono'
import { actionBody } from '#agents/rest-body.ts'
import { optionalBodyOf } from '#rest/body.ts'
import { type RestVariables, router } from '#rest/router.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import type { AgentAction } from './action.ts'
import { partsOfAction } from './action-parts.ts'
import { approveAction, rejectAction } from './decide.ts'
import { approveTransaction, type Decided, rejectTransaction } from './decide-transaction.ts'

/** Routes under `/agents`. */
export const actionDecisionRoutes = router()
/** Routes under `/transactions`. */
export const transactionDecisionRoutes = router()

actionDecisionRoutes.post('/:id/actions/:actionId/approve', async (context) => {
  const { id: agentId, actionId } = context.req.param()
  return answerAction(context, await approveAction(context.var.caller, { agentId, actionId }))
})

actionDecisionRoutes.post('/:id/actions/:actionId/reject', async (context) => {
  const input = await optionalBodyOf(context, 'TRANSACT')
  const { id: agentId, actionId } = context.req.param()
  return answerAction(context, await rejectAction(context.var.caller, { agentId, actionId }, input))
})

transactionDecisionRoutes.post('/:id/approve', async (context) => {
  const input = await optionalBodyOf(context, 'TRANSACT')
  return answerTransaction(context, await approveTransaction(context.var.caller, context.req.param('id'), input))
})

transactionDecisionRoutes.post('/:id/reject', async (context) => {
  const input = await optionalBodyOf(context, 'TRANSACT')
  return answerTransaction(context, await rejectTransaction(context.var.caller, context.req.param('id'), input))
})

const answerAction = async (context: Context<RestVariables>, action: AgentAction) =>
  context.json(actionBody(await partsOfAction(context.var.caller, action)))

const answerTransaction = (context: Context<RestVariables>, { transaction }: Decided) =>
  context.json(transaction && transactionBody(transaction))
