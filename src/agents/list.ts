// Pages of agents: of a platform all that are not deleted, of an agent itself.
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { parseId } from '#core/ids.ts'
import { idOf, instant, parse } from '#core/input.ts'
import { join, query, type Sql, sql } from '#database/db.ts'
import { readPage } from '#database/list.ts'
import { listKey, type Page, type Window } from '#database/page.ts'
import { type Agent, AgentRecord } from './agent.ts'

const flag = z.boolean({ error: 'must be true or false' })

export const AgentFilterInput = z
  .object({
    customerId: idOf('Customer').nullish(),
    isPaused: flag.nullish(),
    isConnected: flag.nullish(),
    createdAfter: instant.nullish(),
    createdBefore: instant.nullish(),
    updatedAfter: instant.nullish(),
    updatedBefore: instant.nullish(),
  })
  .refine(({ createdAfter: from, createdBefore: to }) => !from || !to || from <= to, {
    path: ['createdAfter'],
    error: 'must not lie after createdBefore',
  })
  .refine(({ updatedAfter: from, updatedBefore: to }) => !from || !to || from <= to, {
    path: ['updatedAfter'],
    error: 'must not lie after updatedBefore',
  })
type AgentFilter = z.infer<typeof AgentFilterInput>

/** 400 `INVALID_INPUT` with the field under `path` when a condition is ill-formed. */
export const parseAgentFilter = (input: unknown, path: string): AgentFilter =>
  parse(AgentFilterInput, input ?? {}, path)

export const listAgents = async (caller: Caller, filter: AgentFilter, window: Window): Promise<Page<Agent>> => {
  AgentRecord.requireView(caller)
  const list = listKey(caller, 'agents', filter, window.sortOrder)
  return readPage(AgentRecord, list, window, [matches(caller, filter)])
}

export const countAgents = async (caller: Caller, filter: AgentFilter): Promise<number> => {
  AgentRecord.requireView(caller)
  const [row] = await query(sql`select count(*) from agents t where ${matches(caller, filter)}`)
  return Number(row?.[0])
}

const matches = (caller: Caller, filter: AgentFilter): Sql => {
  const conditions = [sql`${AgentRecord.visibleTo(caller)} and t.deleted_at is null`]
  const add = <T>(value: T | null | undefined, condition: (value: T) => Sql) => {
    if (value !== null && value !== undefined) conditions.push(condition(value))
  }
  add(filter.customerId, (id) => sql`t.customer_id = ${parseId(id)?.uuid}::uuid`)
  add(filter.isPaused, (isPaused) => sql`t.is_paused = ${isPaused}`)
  add(filter.isConnected, (isConnected) => sql`t.is_connected = ${isConnected}`)
  add(filter.createdAfter, (at) => sql`t.created_at >= ${at}::timestamptz`)
  add(filter.createdBefore, (at) => sql`t.created_at <= ${at}::timestamptz`)
  add(filter.updatedAfter, (at) => sql`t.updated_at >= ${at}::timestamptz`)
  add(filter.updatedBefore, (at) => sql`t.updated_at <= ${at}::timestamptz`)
  return join(conditions, ' and ')
}
