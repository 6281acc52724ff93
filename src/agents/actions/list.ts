// Lists of agent actions: all actions, and those that wait for the platform's approval.
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { anyOf, bothOf, idOf, labelOf } from '#core/input.ts'
import { creationRange, inOrder } from '#core/time-filters.ts'
import { type Sql, sql } from '#database/db.ts'
import { findById } from '#database/record.ts'
import { isOneOf, isWithin, recordList, refersTo } from '#database/record-list.ts'
import { AGENT_ACTION_STATUSES, AGENT_ACTION_TYPES, type AgentAction, AgentActionRecord } from './action.ts'

const approvalFilter = z.object({
  agentId: idOf('Agent').nullish().describe('Actions of this agent.'),
  customerId: idOf('Customer').nullish().describe('Actions for this customer.'),
  ...creationRange,
})

const EMPTY_LIST = 'An empty list means no filter.'

/** The filters that GraphQL publishes. */
export const actionFilter = approvalFilter.extend({
  statuses: anyOf(AGENT_ACTION_STATUSES).describe(`Actions with any of these statuses. ${EMPTY_LIST}`),
  types: anyOf(AGENT_ACTION_TYPES).describe(`Actions of any of these types. ${EMPTY_LIST}`),
})

export const ActionFilterInput = actionFilter
  .extend({
    status: labelOf(AGENT_ACTION_STATUSES).nullish().describe('Actions with this status.'),
    type: labelOf(AGENT_ACTION_TYPES).nullish().describe('Actions of this type.'),
  })
  .refine(...inOrder('startDate', 'endDate'))

export const ApprovalFilterInput = approvalFilter.refine(...inOrder('startDate', 'endDate'))

/** The conditions that REST offers. */
export const APPROVAL_PARAMETERS = ['agentId', 'customerId', 'startDate', 'endDate'] as const
export const ACTION_PARAMETERS = ['customerId', 'status', 'statuses', 'type', 'types', 'startDate', 'endDate'] as const
/** Those that may be given several times. */
export const REPEATABLE_ACTION_PARAMETERS = ['statuses', 'types'] as const

const matches = ({ agentId, customerId, startDate, endDate }: z.infer<typeof approvalFilter>): Sql[] => [
  ...refersTo('agent_id', agentId),
  ...refersTo('customer_id', customerId),
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

/** Throws 404 if the action is unknown, or belongs to another agent than the calling one. */
export const readAction = (caller: Caller, id: string): Promise<AgentAction> =>
  findById(
    caller,
    AgentActionRecord,
    'AgentAction',
    id,
    () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such action'),
  )
