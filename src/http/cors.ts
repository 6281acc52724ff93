// CORS. Pages may call from the origins in CORS_ORIGINS; all other origins are refused.
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import { logRefusedPage } from '#core/log.ts'
import { hasReplicas } from '#database/replicas/reading.ts'
import type { Face } from './error-answer.ts'
import { POSITION_HEADER } from './position.ts'
import type { RequestHead } from './request-head.ts'

const EXPOSED = `x-request-id, retry-after, allow${hasReplicas ? `, ${POSITION_HEADER}` : ''}`

/** Response headers for listed origins. Browser credentials are not allowed: pages send `Authorization` themselves. */
export const corsHeaders = ({ header }: RequestHead): Record<string, string> => {
  const origin = header('origin') ?? ''
  if (config.corsOrigins.length === 0) return {}
  return isListed(origin)
    ? { vary: 'origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
    : { vary: 'origin' }
}

const isListed = (origin: string) => config.corsOrigins.includes(origin)

const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]+$/

/** Response headers for a preflight from a listed origin, which may send any header; undefined for all other requests. */
export const preflightHeaders = (head: RequestHead): Record<string, string> | undefined => {
  const { header } = head
  if (!isPreflight(head) || !isListed(header('origin') ?? '')) return undefined
  const wanted = header('access-control-request-headers') ?? ''
  return {
    ...corsHeaders(head),
    vary: 'origin, access-control-request-headers',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    ...(HEADER_NAMES.test(wanted) && { 'access-control-allow-headers': wanted }),
    'access-control-max-age': '600',
  }
}

const isPreflight = ({ method, header }: RequestHead) =>
  method === 'OPTIONS' && Boolean(header('access-control-request-method'))

/** What a UMA institution publishes, without credentials. */
const PUBLISHED = /^\/\.well-known\//

/** Browsers attach cached Basic credentials to requests from any page, so only our own and the listed origins may call. */
export const crossSite = (face: Face, head: RequestHead) => {
  if (face === 'docs' || PUBLISHED.test(head.target)) return undefined
  const { header } = head
  const origin = header('origin') ?? null
  const isForeign =
    origin === null ? header('sec-fetch-site') === 'cross-site' : !isListed(origin) && !isOwn(origin, head)
  if (!isForeign) return undefined
  logRefusedPage()
  return { error: new ApiError('FORBIDDEN', WHY, { reason: 'ORIGIN_NOT_ALLOWED' }) }
}

const WHY =
  'Pages of this origin may not call the gateway. Its operator can allow an origin with the setting CORS_ORIGINS, for example CORS_ORIGINS=https://app.example'

/** If an untrusted proxy terminates TLS, only the browser knows whether the schemes match, so `same-origin` counts. */
const isOwn = (origin: string, { header, scheme }: RequestHead) => {
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  const own = new URL(`${scheme}://${header('host') ?? 'none'}`)
  if (header('sec-fetch-site') === 'same-origin') return host === own.host
  return protocol === own.protocol && host === own.host
}
