// Lists of agents that are not deleted. Platforms see all of theirs, and an agent sees only itself.
import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { creationAndChangeRanges, inOrder } from '#core/time-filters.ts'
import { sql } from '#database/db.ts'
import { isWithin, recordList, refersTo, when } from '#database/record-list.ts'
import { AgentRecord } from './agent.ts'

const flag = z.boolean({ error: 'must be true or false' })

export const AgentFilterInput = z
  .object({
    customerId: idOf('Customer').nullish().describe('Agents of this customer.'),
    isPaused: flag.nullish().describe('Agents that are paused, or those that are not.'),
    isConnected: flag.nullish().describe('Agents that are connected, or those that are not.'),
    ...creationAndChangeRanges,
  })
  .refine(...inOrder('createdAfter', 'createdBefore'))
  .refine(...inOrder('updatedAfter', 'updatedBefore'))

/** The conditions that REST offers. */
export const AGENT_PARAMETERS = [
  'customerId',
  'isPaused',
  'isConnected',
  'createdAfter',
  'createdBefore',
  'updatedAfter',
  'updatedBefore',
] as const

export const agentList = recordList(AgentRecord, {
  name: 'agents',
  filter: AgentFilterInput,
  matches: (filter) => [
    sql`t.deleted_at is null`,
    ...refersTo('customer_id', filter.customerId),
    ...when(filter.isPaused, (isPaused) => sql`t.is_paused = ${isPaused}`),
    ...when(filter.isConnected, (isConnected) => sql`t.is_connected = ${isConnected}`),
    ...isWithin('created_at', filter.createdAfter, filter.createdBefore),
    ...isWithin('updated_at', filter.updatedAfter, filter.updatedBefore),
  ],
  parents: { Customer: 'customer_id' },
})
