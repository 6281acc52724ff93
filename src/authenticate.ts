// Authenticates the caller from the request headers, for both faces.
import { findAgentCaller } from '#agents/access/access-token.ts'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { knownCaller } from '#core/known-callers.ts'
import { findPlatformCaller } from '#platforms/api-token.ts'

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i
const BEARER = /^Bearer +([!-~]+)$/i

/** The caller, or null without credentials. Throws 401 `UNAUTHORIZED` for malformed or wrong credentials. */
export const authenticate = async (headers: Headers): Promise<Caller | null> => {
  const authorization = headers.get('authorization')
  if (authorization === null) return null
  return knownCaller(authorization, () => find(authorization))
}

const find = async (authorization: string): Promise<Caller> => {
  const token = BEARER.exec(authorization)?.[1]
  const caller = token === undefined ? await findByBasic(authorization) : await findAgentCaller(token)
  if (!caller) throw unauthorized('The API credentials are wrong')
  return caller
}

const findByBasic = (authorization: string) => {
  const [clientId, secret] = basicCredentials(authorization)
  return findPlatformCaller(clientId, secret)
}

const unauthorized = (message: string) => new ApiError('UNAUTHORIZED', message)

const basicCredentials = (authorization: string): [clientId: string, secret: string] => {
  const encoded = BASIC.exec(authorization)?.[1]
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  // Postgres text cannot contain NUL, so no client id does.
  if (colon < 1 || text.includes('\0'))
    throw unauthorized('The API credentials are neither HTTP Basic nor a bearer token')
  return [text.slice(0, colon), text.slice(colon + 1)]
}
