// Who may make payments.
import { type AgentPermission, type Caller, requireAgentPermission, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'

/** A platform with the permission TRANSACT; an agent that is not paused, with this permission of its policy. Else 403 `FORBIDDEN`. */
export const requirePayer = (caller: Caller, permission: AgentPermission): void => {
  if (caller.scheme === 'PLATFORM') requirePermission(caller, 'TRANSACT')
  else {
    if (caller.isPaused) throw new ApiError('FORBIDDEN', 'The agent is paused', { reason: 'AGENT_PAUSED' })
    requireAgentPermission(caller, permission)
  }
}
