// Reads the JSON body of a request: an object of limited size and depth. Permissions are checked first.
import type { Context } from 'hono'
import { MAX_ITEMS, parseBody, readText, refusedType } from '#core/body.ts'
import { type ApiPermission, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import type { RestVariables } from './router.ts'

type JsonObject = Readonly<Record<string, unknown>>

const MAX_DEPTH = 32

/** Like `readBody`, but throws 403 `FORBIDDEN` first if the caller lacks the permission. */
export const bodyOf = async (context: Context<RestVariables>, permission: ApiPermission): Promise<JsonObject> => {
  requirePermission(context.var.caller, permission)
  return readBody(context)
}

/** Like `bodyOf`, but an empty body counts as an empty object. */
export const optionalBodyOf = async (
  context: Context<RestVariables>,
  permission: ApiPermission,
): Promise<JsonObject> => {
  requirePermission(context.var.caller, permission)
  return readOptionalBody(context)
}

export const readOptionalBody = async (context: Context): Promise<JsonObject> => {
  const text = await textOf(context)
  if (text === '') return {}
  requireJsonType(context)
  return objectOf(text)
}

/**
 * Throws 415 `UNSUPPORTED_MEDIA_TYPE` for another content type, 400 `INVALID_REQUEST_FORMAT` if the body is missing or is not a JSON
 * object, 413 `PAYLOAD_TOO_LARGE` if it is too long, and 400 `INVALID_INPUT` if it is too deep or holds a number that JavaScript would
 * round. Checks no permission.
 */
export const readBody = async (context: Context): Promise<JsonObject> => {
  const text = await textOf(context)
  if (text === '') throw new ApiError('INVALID_REQUEST_FORMAT', 'The body is missing')
  requireJsonType(context)
  return objectOf(text)
}

const requireJsonType = (context: Context) => {
  const refusal = refusedType(context.req.header('content-type'))
  if (refusal) throw refusal
}

const objectOf = (text: string): JsonObject => {
  const body = parseBody(text, MAX_DEPTH, tooDeep)
  checkValue(body, [])
  return body
}

const tooDeep = () => new ApiError('INVALID_INPUT', `The body must be at most ${MAX_DEPTH} levels deep`)

/** Routes without credentials take no slot, so their body has not been read yet. */
const textOf = async (context: Context): Promise<string> => {
  const { body }: Partial<RestVariables['Variables']> = context.var
  return body ? body() : readText(context.req.raw)
}

/** Reuses one `path` array, because a copy per value would make the cost quadratic in the depth. */
const checkValue = (value: unknown, path: string[]) => {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    const field = path.join('.')
    throw invalidInput(field, `${field} must be within ±${Number.MAX_SAFE_INTEGER}`)
  }
  if (typeof value !== 'object' || value === null) return
  const members = Object.entries(value)
  if (members.length > MAX_ITEMS) {
    const field = path.join('.')
    throw invalidInput(field, `${field || 'The body'} must have at most ${MAX_ITEMS} values`)
  }
  for (const [name, member] of members) {
    path.push(name)
    checkValue(member, path)
    path.pop()
  }
}
