import { type ApiPermission, type PlatformCaller, requirePermission } from './caller.ts'
import { ApiError } from './errors.ts'

/** Call this first in an operation of the sandbox. Throws 403 `FORBIDDEN` without the permission, and for a production platform. */
export const requireSandbox = (caller: PlatformCaller, permission: ApiPermission): void => {
  requirePermission(caller, permission)
  if (caller.environment === 'SANDBOX') return
  throw new ApiError('FORBIDDEN', 'This operation is available only in the sandbox', { reason: 'SANDBOX_ONLY' })
}
