// The permission to make payments.
import { type AgentPermission, type Caller, requireAgentPermission, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'

/** 403 `FORBIDDEN` unless the platform has the permission TRANSACT, or the agent has this permission of its policy and is not paused. */
export const requirePayer = (caller: Caller, permission: AgentPermission): void => {
  if (caller.scheme === 'PLATFORM') requirePermission(caller, 'TRANSACT')
  else {
    if (caller.isPaused) throw new ApiError('FORBIDDEN', 'The agent is paused', { reason: 'AGENT_PAUSED' })
    requireAgentPermission(caller, permission)
  }
}
