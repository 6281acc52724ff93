import { ApiError } from './errors.ts'
import type { PlatformId } from './ids.ts'

export const API_PERMISSIONS = ['VIEW', 'TRANSACT', 'MANAGE'] as const
export type ApiPermission = (typeof API_PERMISSIONS)[number]

export const AGENT_PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
] as const
export type AgentPermission = (typeof AGENT_PERMISSIONS)[number]

export const ENVIRONMENTS = ['PRODUCTION', 'SANDBOX'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

/** A platform's backend, authenticated by an API token. */
export interface PlatformCaller {
  readonly scheme: 'PLATFORM'
  readonly platformId: PlatformId
  /** Stored with the platform. A request cannot choose it. */
  readonly environment: Environment
  readonly tokenId: string
  readonly permissions: readonly ApiPermission[]
}

/** Software that acts for one customer, authenticated by an access token. Its policy is read when the request arrives. */
export interface AgentCaller {
  readonly scheme: 'AGENT'
  readonly platformId: PlatformId
  readonly environment: Environment
  readonly agentId: string
  readonly customerId: string
  readonly permissions: readonly AgentPermission[]
  /** A paused agent can still read. */
  readonly isPaused: boolean
}

export type Caller = PlatformCaller | AgentCaller

/** The id of the API token or the agent. */
export const callerId = (caller: Caller): string => (caller.scheme === 'PLATFORM' ? caller.tokenId : caller.agentId)

/**
 * Call this first in a domain function. Throws 403 `FORBIDDEN` if the token lacks the permission; no permission implies another.
 * For agents, VIEW_TRANSACTIONS counts as VIEW, and every other permission is refused.
 */
export const requirePermission = (caller: Caller, permission: ApiPermission) => {
  if (caller.scheme === 'PLATFORM') {
    if (!caller.permissions.includes(permission)) {
      throw new ApiError('FORBIDDEN', `The API token lacks the permission ${permission}`)
    }
  } else if (permission === 'VIEW') requireAgentPermission(caller, 'VIEW_TRANSACTIONS')
  else requirePlatform(caller)
}

/** Like `requirePermission`, for operations that any one of several permissions allows. */
export const requireAnyPermission = (caller: PlatformCaller, allowed: readonly ApiPermission[]) => {
  if (!allowed.some((permission) => caller.permissions.includes(permission))) {
    throw new ApiError('FORBIDDEN', `The API token lacks the permission ${allowed.join(' or ')}`)
  }
}

/** Throws 403 `FORBIDDEN` if the agent's policy lacks the permission. */
export const requireAgentPermission = (
  { permissions }: { readonly permissions: readonly AgentPermission[] },
  permission: AgentPermission,
) => {
  if (!permissions.includes(permission)) {
    throw new ApiError('FORBIDDEN', `The agent's policy lacks the permission ${permission}`)
  }
}

/** Throws 403 `FORBIDDEN` if the caller is an agent. For operations that both kinds of callers can reach. */
export const requirePlatform = (caller: Caller): PlatformCaller => {
  if (caller.scheme === 'PLATFORM') return caller
  throw new ApiError(
    'FORBIDDEN',
    'Only the platform may do this. Agents use operations of their own, such as agentTransferOut.',
  )
}

/** Throws 403 `FORBIDDEN` if the caller is a platform. For operations that both kinds of callers can reach. */
export const requireAgent = (caller: Caller): AgentCaller => {
  if (caller.scheme === 'AGENT') return caller
  throw new ApiError('FORBIDDEN', 'Only an agent may do this')
}
