// Lists of agents that are not deleted. Platforms see all of theirs, and an agent sees only itself.
import { z } from 'zod'
import { parseId } from '#core/ids.ts'
import { idOf, inOrder, rangeEnd, rangeStart } from '#core/input.ts'
import { CHANGED_FROM, CHANGED_UNTIL, CREATED_FROM, CREATED_UNTIL } from '#core/time-filters.ts'
import { sql } from '#database/db.ts'
import { isWithin, recordList, when } from '#database/record-list.ts'
import { AgentRecord } from './agent.ts'

const flag = z.boolean({ error: 'must be true or false' })

/** The filters of both faces, with their descriptions. */
export const AGENT_FILTERS = {
  customerId: 'Agents of this customer.',
  isPaused: 'Agents that are paused, or those that are not.',
  isConnected: 'Agents that are connected, or those that are not.',
  createdAfter: CREATED_FROM,
  createdBefore: CREATED_UNTIL,
  updatedAfter: CHANGED_FROM,
  updatedBefore: CHANGED_UNTIL,
} as const

export const AgentFilterInput = z
  .object({
    customerId: idOf('Customer').nullish().describe(AGENT_FILTERS.customerId),
    isPaused: flag.nullish().describe(AGENT_FILTERS.isPaused),
    isConnected: flag.nullish().describe(AGENT_FILTERS.isConnected),
    createdAfter: rangeStart.nullish().describe(AGENT_FILTERS.createdAfter),
    createdBefore: rangeEnd.nullish().describe(AGENT_FILTERS.createdBefore),
    updatedAfter: rangeStart.nullish().describe(AGENT_FILTERS.updatedAfter),
    updatedBefore: rangeEnd.nullish().describe(AGENT_FILTERS.updatedBefore),
  })
  .refine(...inOrder('createdAfter', 'createdBefore'))
  .refine(...inOrder('updatedAfter', 'updatedBefore'))

export const agentList = recordList(AgentRecord, {
  name: 'agents',
  filter: AgentFilterInput,
  matches: (filter) => [
    sql`t.deleted_at is null`,
    ...when(filter.customerId, (id) => sql`t.customer_id = ${parseId(id)?.uuid}::uuid`),
    ...when(filter.isPaused, (isPaused) => sql`t.is_paused = ${isPaused}`),
    ...when(filter.isConnected, (isConnected) => sql`t.is_connected = ${isConnected}`),
    ...isWithin('created_at', filter.createdAfter, filter.createdBefore),
    ...isWithin('updated_at', filter.updatedAfter, filter.updatedBefore),
  ],
  parents: { Customer: 'customer_id' },
})
