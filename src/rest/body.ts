// The JSON body of a request: an object, bounded in size and depth, read only for those who may call.
import type { Context } from 'hono'
import { MAX_ITEMS, parseBody, readText } from '#core/body.ts'
import { type ApiPermission, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import type { RestVariables } from './router.ts'

type JsonObject = Readonly<Record<string, unknown>>

const MAX_DEPTH = 32
const JSON_TYPE = /^application\/json *(; *charset="?utf-8"? *)?$/i

/** The body as `readBody`; 403 before anything is read. */
export const bodyOf = async (context: Context<RestVariables>, permission: ApiPermission): Promise<JsonObject> => {
  requirePermission(context.var.caller, permission)
  return readBody(context)
}

/** As `bodyOf`, where a call without a body is one with an empty object. */
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
 * 400 `INVALID_REQUEST_FORMAT` without a body and for one that is no JSON object, 415 `UNSUPPORTED_MEDIA_TYPE` for another type, 413 `PAYLOAD_TOO_LARGE` for one that is too
 * long, 400 `INVALID_INPUT` for one that is too deep, and for an integer that JSON would round. For callers of whom it is known that they may call.
 */
export const readBody = async (context: Context): Promise<JsonObject> => {
  const text = await textOf(context)
  if (text === '') throw new ApiError('INVALID_REQUEST_FORMAT', 'The body is missing')
  requireJsonType(context)
  return objectOf(text)
}

const requireJsonType = (context: Context) => {
  if (!JSON_TYPE.test(context.req.header('content-type') ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json')
  }
}

const objectOf = (text: string): JsonObject => {
  const body = parseBody(text)
  checkValue(body, [])
  return body
}

const textOf = (context: Context): Promise<string> => readText(context.req.raw.body)

/** One `path` serves the whole walk: a copy for every value would cost the length of its names each time. */
const checkValue = (value: unknown, path: string[]) => {
  if (path.length >= MAX_DEPTH) throw new ApiError('INVALID_INPUT', `The body must be at most ${MAX_DEPTH} levels deep`)
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    const field = path.join('.')
    throw invalidInput(field, `${field} must lie within ±${Number.MAX_SAFE_INTEGER}`)
  }
  if (typeof value !== 'object' || value === null) return
  const members = Object.entries(value)
  if (members.length > MAX_ITEMS) {
    const field = path.join('.')
    throw invalidInput(field, `${field || 'The body'} must hold at most ${MAX_ITEMS} values`)
  }
  for (const [name, member] of members) {
    path.push(name)
    checkValue(member, path)
    path.pop()
  }
}
