// Agents that are not deleted: of a platform all, of an agent itself.
import { z } from 'zod'
import { parseId } from '#core/ids.ts'
import { idOf, inOrder, rangeEnd, rangeStart } from '#core/input.ts'
import { sql } from '#database/db.ts'
import { isWithin, recordList, when } from '#database/record-list.ts'
import { AgentRecord } from './agent.ts'

const flag = z.boolean({ error: 'must be true or false' })

export const AgentFilterInput = z
  .object({
    customerId: idOf('Customer').nullish(),
    isPaused: flag.nullish(),
    isConnected: flag.nullish(),
    createdAfter: rangeStart.nullish(),
    createdBefore: rangeEnd.nullish(),
    updatedAfter: rangeStart.nullish(),
    updatedBefore: rangeEnd.nullish(),
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
