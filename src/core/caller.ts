import { ApiError } from './errors.ts'
import type { PlatformId } from './ids.ts'

export const API_PERMISSIONS = ['VIEW', 'TRANSACT', 'MANAGE'] as const
export type ApiPermission = (typeof API_PERMISSIONS)[number]

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

/** Whoever calls the domain. */
export type Caller = PlatformCaller

/** The first line of a domain function: 403 `FORBIDDEN` unless the token has the permission. No permission implies another. */
export const requirePermission = (caller: Caller, permission: ApiPermission) => {
  if (!caller.permissions.includes(permission)) {
    throw new ApiError('FORBIDDEN', `The API token lacks the permission ${permission}`)
  }
}
