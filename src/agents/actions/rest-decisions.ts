// The platform's decisions on what agents want to do: by the action, and by the transaction that it carries.
import type { Context } from 'hono'
import { actionBody } from '#agents/rest-body.ts'
import { optionalBodyOf } from '#rest/body.ts'
import { type RestVariables, router } from '#rest/router.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import type { AgentAction } from './action.ts'
import { partsOfAction } from './action-parts.ts'
import { approveAction, rejectAction } from './decide.ts'

/** Below `/agents`. */
export const actionDecisionRoutes = router()
/** Below `/transactions`. */
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

transactionDecisionRoutes.post('/:id/approve', async (context) =>
  answerTransaction(context, await approveAction(context.var.caller, { transactionId: context.req.param('id') })),
)

transactionDecisionRoutes.post('/:id/reject', async (context) => {
  const input = await optionalBodyOf(context, 'TRANSACT')
  const transactionId = context.req.param('id')
  return answerTransaction(context, await rejectAction(context.var.caller, { transactionId }, input))
})

const answerAction = async (context: Context<RestVariables>, action: AgentAction) =>
  context.json(actionBody(await partsOfAction(context.var.caller, action)))

const answerTransaction = async (context: Context<RestVariables>, action: AgentAction) => {
  const { transaction } = await partsOfAction(context.var.caller, action)
  return context.json(transaction && transactionBody(transaction))
}
