// Lists of agent actions: all of them, and those that wait for the platform.
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { anyOf, bothOf, idOf, inOrder, labelOf, rangeEnd, rangeStart } from '#core/input.ts'
import { type Sql, sql } from '#database/db.ts'
import { isOneOf, isWithin, recordList, when } from '#database/record-list.ts'
import {
  AGENT_ACTION_STATUSES,
  AGENT_ACTION_TYPES,
  type AgentAction,
  AgentActionRecord,
  agentActionsByIds,
} from './action.ts'

const ofActions = z.object({
  agentId: idOf('Agent').nullish(),
  customerId: idOf('Customer').nullish(),
  startDate: rangeStart.nullish(),
  endDate: rangeEnd.nullish(),
})

export const ActionFilterInput = ofActions
  .extend({
    status: labelOf(AGENT_ACTION_STATUSES).nullish(),
    statuses: anyOf(AGENT_ACTION_STATUSES),
    type: labelOf(AGENT_ACTION_TYPES).nullish(),
    types: anyOf(AGENT_ACTION_TYPES),
  })
  .refine(...inOrder('startDate', 'endDate'))

export const ApprovalFilterInput = ofActions.refine(...inOrder('startDate', 'endDate'))

const matches = ({ agentId, customerId, startDate, endDate }: z.infer<typeof ofActions>): Sql[] => [
  ...when(agentId, (id) => sql`t.agent_id = ${parseId(id)?.uuid}::uuid`),
  ...when(customerId, (id) => sql`t.customer_id = ${parseId(id)?.uuid}::uuid`),
  ...isWithin('created_at', startDate, endDate),
]

const parents = { Agent: 'agent_id', Customer: 'customer_id' } as const

export const actionList = recordList(AgentActionRecord, {
  name: 'actions',
  filter: ActionFilterInput,
  matches: (filter) => [
    ...matches(filter),
    ...isOneOf('status', 'agent_action_status', bothOf(filter.status, filter.statuses)),
    ...isOneOf('type', 'agent_action_type', bothOf(filter.type, filter.types)),
  ],
  parents,
})

/** Actions that the platform can still decide. */
export const approvalList = recordList(AgentActionRecord, {
  name: 'approvals',
  filter: ApprovalFilterInput,
  matches: (filter) => [sql`t.status = 'PENDING_APPROVAL' and t.approval_expires_at > now()`, ...matches(filter)],
  parents,
})

/** 404 unless the caller may see it: an agent sees its own. */
export const readAction = async (caller: Caller, id: string): Promise<AgentAction> => {
  AgentActionRecord.requireView(caller)
  const parsed = parseId(id)
  const [action] = parsed?.kind === 'AgentAction' ? await agentActionsByIds(caller, [parsed.uuid]) : []
  if (!action) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such action')
  return action
}
