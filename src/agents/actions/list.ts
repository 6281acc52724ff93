// All that an agent did or wants to do.
import { z } from 'zod'
import type { AgentCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { labelOf, parse } from '#core/input.ts'
import { nothing, query, type Sql, sql } from '#database/db.ts'
import { readPage } from '#database/list.ts'
import { listKey, type Page, type Window } from '#database/page.ts'
import { AGENT_ACTION_STATUSES, type AgentAction, AgentActionRecord, agentActionsByIds } from './action.ts'

export const ActionFilterInput = z.object({ status: labelOf(AGENT_ACTION_STATUSES).nullish() })
type ActionFilter = z.infer<typeof ActionFilterInput>

export const parseActionFilter = (input: unknown): ActionFilter => parse(ActionFilterInput, input)

export const listOwnActions = async (
  caller: AgentCaller,
  filter: ActionFilter,
  window: Window,
): Promise<Page<AgentAction>> => {
  const list = listKey(caller, 'actions', filter, window.sortOrder)
  return readPage(AgentActionRecord, list, window, [matches(caller, filter)])
}

export const countOwnActions = async (caller: AgentCaller, filter: ActionFilter): Promise<number> => {
  const [row] = await query(sql`select count(*) from agent_actions t where ${matches(caller, filter)}`)
  return Number(row?.[0])
}

/** 404 unless it is the agent's own. */
export const readOwnAction = async (caller: AgentCaller, id: string): Promise<AgentAction> => {
  const parsed = parseId(id)
  const [action] = parsed?.kind === 'AgentAction' ? await agentActionsByIds(caller, [parsed.uuid]) : []
  if (!action) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such action')
  return action
}

const matches = (caller: AgentCaller, { status }: ActionFilter): Sql =>
  sql`${AgentActionRecord.visibleTo(caller)} ${status ? sql`and t.status = ${status}::agent_action_status` : nothing}`
