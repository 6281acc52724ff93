// `/agents`: the operations of platforms on their agents.

import { createDeviceCode, findDeviceCode } from '#agents/access/device-code.ts'
import { ACTION_PARAMETERS, APPROVAL_PARAMETERS, actionList, approvalList } from '#agents/actions/list.ts'
import { sendActions } from '#agents/actions/rest-actions.ts'
import { ApiError } from '#core/errors.ts'
import { bodyOf } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import { AGENT_PARAMETERS, agentList } from './list.ts'
import { createAgent, deleteAgent, readAgent, requireAgentId, updateAgent, updateAgentPolicy } from './management.ts'
import { agentBody, deviceCodeBody } from './rest-body.ts'

export const agentRoutes = router()

agentRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  const { agent, deviceCode } = await createAgent(context.var.caller, input)
  return context.json({ agent: agentBody(agent), deviceCode: deviceCodeBody(deviceCode) }, 201)
})

agentRoutes.get('/', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, agentList, AGENT_PARAMETERS)
  return sendPage(context, found, found.page.items.map(agentBody))
})

agentRoutes.get('/approvals', async (context) =>
  sendActions(context, context.var.caller, approvalList, APPROVAL_PARAMETERS),
)

agentRoutes.get('/:id/actions', async (context) => {
  const { caller } = context.var
  const given = { agentId: await requireAgentId(caller, context.req.param('id')) }
  return sendActions(context, caller, actionList, ACTION_PARAMETERS, given)
})

agentRoutes.get('/device-codes/:code/status', async (context) => {
  const status = await findDeviceCode(context.var.caller, context.req.param('code'))
  if (!status) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such device code')
  return context.json(status)
})

agentRoutes.get('/:id', async (context) =>
  context.json(agentBody(await readAgent(context.var.caller, context.req.param('id')))),
)

agentRoutes.patch('/:id', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  return context.json(agentBody(await updateAgent(context.var.caller, context.req.param('id'), input)))
})

agentRoutes.delete('/:id', async (context) => {
  await deleteAgent(context.var.caller, context.req.param('id'))
  return context.body(null, 204)
})

agentRoutes.patch('/:id/policy', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  return context.json(agentBody(await updateAgentPolicy(context.var.caller, context.req.param('id'), input)))
})

agentRoutes.post('/:id/device-codes', async (context) =>
  context.json(deviceCodeBody(await createDeviceCode(context.var.caller, context.req.param('id'))), 201),
)
