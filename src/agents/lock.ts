import type { Policy } from '#agents/policy/policy.ts'
import { type AgentPermission, type Caller, requireAgentPermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Agent as Row } from '#generated/prisma/client.ts'
import type { AccountRule } from './agent.ts'

/** The row as Prisma reads it, with typed lists. It is a `Policy`, and `usageOf` accepts it. */
type AgentRow = Omit<Row, keyof Policy> & Policy

/** `lockedAt` is the database's clock, which determines the day and month of the usage. */
export type LockedAgent = AgentRow & { readonly lockedAt: Date }

/** Locks the agent until the end of the transaction. Throws 404 if it is unknown or deleted. `id` is `Agent:<uuid>`. */
export const lockAgent = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  id: string,
): Promise<LockedAgent> => {
  const uuid = requireUuid('Agent', id, unknownAgent)
  const [locked] = await tx.$queryRaw<{ at: Date }[]>`
    select clock_timestamp() as at from agents
    where platform_id = ${platformId}::uuid and id = ${uuid}::uuid and deleted_at is null for no key update`
  if (!locked) throw unknownAgent()
  const row = await tx.agent.findUniqueOrThrow({ where: { platformId_id: { platformId, id: uuid } } })
  return { ...withLists(row), lockedAt: locked.at }
}

/** Throws 403 `FORBIDDEN` if the agent is paused or lacks the permission (steps 2 and 3 of docs/domain/agents.md#evaluation-order). */
export const requireActing = (agent: LockedAgent, permission: AgentPermission) => {
  if (agent.isPaused) throw new ApiError('FORBIDDEN', 'The agent is paused', { reason: 'AGENT_PAUSED' })
  requireAgentPermission(agent, permission)
}

export const withLists = (row: Row): AgentRow => ({
  ...row,
  allowedAccountIds: row.allowedAccountIds as readonly string[] | null,
  accountRules: row.accountRules as unknown as readonly AccountRule[],
})

export const unknownAgent = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such agent')
