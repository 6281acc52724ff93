// `/agents`: what platforms do with their agents.

import { createDeviceCode, findDeviceCode } from '#agents/access/device-code.ts'
import { countApprovals, listApprovals, parseApprovalFilter } from '#agents/actions/approvals.ts'
import { actionsBody } from '#agents/actions/rest-actions.ts'
import { ApiError } from '#core/errors.ts'
import { bodyOf } from '#rest/body.ts'
import { pageBody, queryOf, WINDOW_PARAMETERS, windowOfQuery } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import { countAgents, listAgents, parseAgentFilter } from './list.ts'
import { createAgent, deleteAgent, readAgent, updateAgent, updateAgentPolicy } from './management.ts'
import { agentBody, deviceCodeBody } from './rest-body.ts'

export const agentRoutes = router()

agentRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  const { agent, deviceCode } = await createAgent(context.var.caller, input)
  return context.json({ agent: agentBody(agent), deviceCode: deviceCodeBody(deviceCode) }, 201)
})

const AGENT_PARAMETERS = [
  'customerId',
  'isPaused',
  'isConnected',
  'createdAfter',
  'createdBefore',
  'updatedAfter',
  'updatedBefore',
  ...WINDOW_PARAMETERS,
]

agentRoutes.get('/', async (context) => {
  const { caller } = context.var
  const query = queryOf(context.req.url, AGENT_PARAMETERS)
  const { customerId, createdAfter, createdBefore, updatedAfter, updatedBefore } = query
  const [isPaused, isConnected] = [flagOf(query['isPaused']), flagOf(query['isConnected'])]
  const times = { createdAfter, createdBefore, updatedAfter, updatedBefore }
  const filter = parseAgentFilter({ customerId, isPaused, isConnected, ...times }, '')
  const [page, totalCount] = await Promise.all([
    listAgents(caller, filter, windowOfQuery(query)),
    countAgents(caller, filter),
  ])
  return context.json(pageBody(page, totalCount, agentBody))
})

/** Other texts are left to be refused. */
const flagOf = (text: string | undefined) => (text === 'true' ? true : text === 'false' ? false : text)

const APPROVAL_PARAMETERS = ['agentId', 'customerId', 'startDate', 'endDate', ...WINDOW_PARAMETERS]

agentRoutes.get('/approvals', async (context) => {
  const { caller } = context.var
  const query = queryOf(context.req.url, APPROVAL_PARAMETERS)
  const { agentId, customerId, startDate, endDate } = query
  const filter = parseApprovalFilter({ agentId, customerId, startDate, endDate }, '')
  const [page, totalCount] = await Promise.all([
    listApprovals(caller, filter, windowOfQuery(query)),
    countApprovals(caller, filter),
  ])
  return context.json(await actionsBody(caller, page, totalCount))
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
