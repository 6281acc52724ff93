// The actions that wait for the platform's approval: of all its agents, of one agent, or of one customer.
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { parseId } from '#core/ids.ts'
import { datesInOrder, idOf, instant, parse } from '#core/input.ts'
import { identifier, join, query, type Sql, sql } from '#database/db.ts'
import { readPage, readPagesOf } from '#database/list.ts'
import { listKey, type Page, type Window } from '#database/page.ts'
import { type AgentAction, AgentActionRecord } from './action.ts'

export const ApprovalFilterInput = z
  .object({
    agentId: idOf('Agent').nullish(),
    customerId: idOf('Customer').nullish(),
    startDate: instant.nullish(),
    endDate: instant.nullish(),
  })
  .refine(...datesInOrder)
type ApprovalFilter = z.infer<typeof ApprovalFilterInput>

/** 400 `INVALID_INPUT` with the field under `path` when a condition is ill-formed, or the start lies after the end. */
export const parseApprovalFilter = (input: unknown, path: string): ApprovalFilter =>
  parse(ApprovalFilterInput, input ?? {}, path)

export const listApprovals = async (
  caller: Caller,
  filter: ApprovalFilter,
  window: Window,
): Promise<Page<AgentAction>> => {
  AgentActionRecord.requireView(caller)
  const list = listKey(caller, 'approvals', filter, window.sortOrder)
  return readPage(AgentActionRecord, list, window, [waiting(caller, filter)])
}

export const countApprovals = async (caller: Caller, filter: ApprovalFilter): Promise<number> => {
  AgentActionRecord.requireView(caller)
  const [row] = await query(sql`select count(*) from agent_actions t where ${waiting(caller, filter)}`)
  return Number(row?.[0])
}

type Parent = 'agent' | 'customer'

/** The page of each agent or customer, in their order; an error in the place of one to whose list the cursor does not belong. */
export const listApprovalsOf = async (
  caller: Caller,
  parent: Parent,
  parentIds: readonly string[],
  window: Window,
): Promise<(Page<AgentAction> | Error)[]> => {
  AgentActionRecord.requireView(caller)
  const listOf = (id: string) => listKey(caller, `approvals of ${parent} ${id}`, {}, window.sortOrder)
  return readPagesOf(AgentActionRecord, parentIds, listOf, window, [waitingOf(caller, parent)])
}

/** For each agent or customer, in their order. */
export const countApprovalsOf = async (
  caller: Caller,
  parent: Parent,
  parentIds: readonly string[],
): Promise<number[]> => {
  AgentActionRecord.requireView(caller)
  const rows = await query(sql`
    select parent.id, (select count(*) from agent_actions t where ${waitingOf(caller, parent)})
    from unnest(${parentIds}::uuid[]) as parent (id)`)
  const counts = new Map(rows.map(([id, count]) => [id, Number(count)]))
  return parentIds.map((id) => counts.get(id) ?? 0)
}

const waitingOf = (caller: Caller, parent: Parent): Sql =>
  sql`${waiting(caller, {})} and ${identifier(`t.${parent}_id`)} = parent.id`

const waiting = (caller: Caller, { agentId, customerId, startDate, endDate }: ApprovalFilter): Sql => {
  const conditions = [sql`${AgentActionRecord.visibleTo(caller)} and t.status = 'PENDING_APPROVAL'`]
  if (agentId) conditions.push(sql`t.agent_id = ${parseId(agentId)?.uuid}::uuid`)
  if (customerId) conditions.push(sql`t.customer_id = ${parseId(customerId)?.uuid}::uuid`)
  if (startDate) conditions.push(sql`t.created_at >= ${startDate}::timestamptz`)
  if (endDate) conditions.push(sql`t.created_at <= ${endDate}::timestamptz`)
  return join(conditions, ' and ')
}
