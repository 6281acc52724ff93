// Pages of other origins: those that the configuration lists, and no others.
import { config } from '#core/config.ts'

type Header = (name: string) => string | null | undefined

/** What a listed page may read. Credentials of the browser are none of them: a page sends its own `Authorization`. */
export const corsHeaders = (header: Header): Record<string, string> => {
  const origin = header('origin') ?? ''
  if (config.corsOrigins.length === 0) return {}
  return config.corsOrigins.includes(origin)
    ? { vary: 'origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
    : { vary: 'origin' }
}

/** What such a page may send, asked before it does. Nothing when this is no such question. */
export const preflightHeaders = (method: string, header: Header): Record<string, string> | undefined => {
  const isPreflight = method === 'OPTIONS' && header('access-control-request-method')
  if (!isPreflight || !config.corsOrigins.includes(header('origin') ?? '')) return undefined
  return {
    ...corsHeaders(header),
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, idempotency-key, request-id, service-wallet-signature, traceparent, tracestate',
    'access-control-max-age': '600',
  }
}

const EXPOSED = 'x-request-id, retry-after, allow'
