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

/** The backend of a platform, known by its API token. */
export interface PlatformCaller {
  readonly scheme: 'PLATFORM'
  readonly platformId: PlatformId
  /** Stored with the platform; nothing in a request decides it. */
  readonly environment: Environment
  readonly tokenId: string
  readonly permissions: readonly ApiPermission[]
}

/** Software that acts for one customer, known by its access token: as its policy was when the request came in. */
export interface AgentCaller {
  readonly scheme: 'AGENT'
  readonly platformId: PlatformId
  readonly environment: Environment
  readonly agentId: string
  readonly customerId: string
  readonly permissions: readonly AgentPermission[]
  /** Pause stops writes only. */
  readonly isPaused: boolean
}

/** Whoever calls the domain. */
export type Caller = PlatformCaller | AgentCaller

/**
 * The first line of a domain function: 403 `FORBIDDEN` unless the token has the permission. No permission implies another. An agent
 * has none of a token's, but that VIEW_TRANSACTIONS lets it view.
 */
export const requirePermission = (caller: Caller, permission: ApiPermission) => {
  if (caller.scheme === 'PLATFORM') {
    if (!caller.permissions.includes(permission)) {
      throw new ApiError('FORBIDDEN', `The API token lacks the permission ${permission}`)
    }
  } else if (permission === 'VIEW') requireAgentPermission(caller, 'VIEW_TRANSACTIONS')
  else requirePlatform(caller)
}

/** 403 `FORBIDDEN`. */
export const requireAgentPermission = (
  { permissions }: { readonly permissions: readonly AgentPermission[] },
  permission: AgentPermission,
) => {
  if (!permissions.includes(permission)) {
    throw new ApiError('FORBIDDEN', `The agent's policy lacks the permission ${permission}`)
  }
}

/** 403 `FORBIDDEN` to an agent: for what a face offers to both kinds of callers, and only a platform may do. */
export const requirePlatform = (caller: Caller): PlatformCaller => {
  if (caller.scheme === 'PLATFORM') return caller
  throw new ApiError(
    'FORBIDDEN',
    'Only the platform may do this, not an agent: agents act by agentTransferOut and the like',
  )
}

/** 403 `FORBIDDEN` to a platform: for what a face offers to both kinds of callers, and only an agent may do. */
export const requireAgent = (caller: Caller): AgentCaller => {
  if (caller.scheme === 'AGENT') return caller
  throw new ApiError('FORBIDDEN', 'Only an agent may do this')
}
