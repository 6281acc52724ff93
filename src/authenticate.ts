// Who calls, from the headers of a request: once, and the same for both faces.
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { findPlatformCaller } from '#platforms/api-token.ts'

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i

/** Null without credentials; 401 `UNAUTHORIZED` when they are wrong, whatever is wrong with them. */
export const authenticate = async (headers: Headers): Promise<Caller | null> => {
  const authorization = headers.get('authorization')
  if (authorization === null) return null
  const [clientId, secret] = basicCredentials(authorization)
  const caller = await findPlatformCaller(clientId, secret)
  if (!caller) throw unauthorized('The API credentials are wrong')
  return caller
}

export const unauthorized = (message = 'API credentials are missing') => new ApiError('UNAUTHORIZED', message)

const basicCredentials = (authorization: string): [clientId: string, secret: string] => {
  const encoded = BASIC.exec(authorization)?.[1]
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  // Postgres cannot hold NUL, so no client id has one.
  if (colon < 1 || text.includes('\0')) throw unauthorized('The API credentials are not HTTP Basic')
  return [text.slice(0, colon), text.slice(colon + 1)]
}
