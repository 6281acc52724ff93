// Requests to the gateway of a UMA provider. They obey the rules for outgoing requests: public addresses only, https, no redirects, and
// limits of time and size.
import type { Environment } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { call, type Reply } from '#http/outgoing/call.ts'
import { isPublicHost } from '#http/outgoing/public-address.ts'

/** Time limit for a POST to a provider, such as a payment request. Shorter than the deadline of the client request that waits for it. */
const WITHIN_MS = 8_000
/** Time limit for a GET, such as a look-up or the fetching of keys. */
const SOON_MS = 4_000

export interface Peer {
  readonly domain: string
  readonly baseUrl: string | null
}

/** The response, whatever its status. Null without an answer, and for one that is a redirect, too long or too late. */
export interface Answered {
  readonly status: number
  readonly text: string
}

const mayBePrivate = (environment: Environment) => config.umaAllowPrivate && environment === 'SANDBOX'

/** The address of the provider, or undefined if it may not be called. */
const baseOf = ({ domain, baseUrl }: Peer, environment: Environment): URL | undefined => {
  const text = baseUrl ?? `https://${domain}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password) return undefined
  if (mayBePrivate(environment)) return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
  if (url.protocol !== 'https:') return undefined
  return isPublicHost(url) ? url : undefined
}

/** `path` begins with `/`, and may have a query. With a body it is a POST. The provider is named in the header `host`. */
export const callProvider = async (
  peer: Peer,
  environment: Environment,
  path: string,
  body?: string,
): Promise<Answered | null> => {
  const base = baseOf(peer, environment)
  if (!base) return null
  const reply = await call({
    // Not resolved against the base: a path that begins with `//` would name another host.
    url: `${base.origin}${path}`,
    mayBePrivate: mayBePrivate(environment),
    headers: { host: peer.domain, 'user-agent': 'Paygraph-UMA/1', accept: 'application/json' },
    ...(body !== undefined && { body: Buffer.from(body) }),
    withinMs: body === undefined ? SOON_MS : WITHIN_MS,
  })
  return answered(reply)
}

const answered = ({ status, body, failure }: Reply): Answered | null =>
  status === null || (failure !== null && failure !== 'STATUS') ? null : { status, text: body }
