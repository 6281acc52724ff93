// GraphQL calls of the dashboard in development. The browser has no credentials: this path adds those in DASHBOARD_CREDENTIALS.
//
// Anyone who can make a browser or a program on this machine send a request here acts as the platform, so the checks are strict:
// - The peer is this machine, and no proxy forwards the request for someone else.
// - `Host` is a name of this machine. With DNS rebinding, a page of evil.example whose name resolves to 127.0.0.1 is of the same origin
//   as the request, but its browser sends `Host: evil.example`.
// - `Origin` is the origin of this request. Browsers send it with every POST and pages cannot change it, so a page of another site, or of
//   another port of this machine, is refused. No cookie exists that such a request could abuse in another way.
// - The body is JSON, which is checked at admission: forms cannot send it without a preflight, and preflights are not answered here.
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import type { RequestHead } from '#http/request-head.ts'

const PATH = '/dashboard/graphql'

const authorization = config.dashboard.credentials
  ? `Basic ${Buffer.from(config.dashboard.credentials).toString('base64')}`
  : undefined

/** A call of the dashboard: with the `Authorization` to execute it with, or the reason to refuse it. Undefined for all other requests. */
export const dashboardCallAt = (
  path: string,
  head: RequestHead,
  peerAddress: string | null,
): { readonly authorization: string; readonly refusal?: ApiError } | undefined => {
  if (!authorization || path !== PATH) return undefined
  const reason = whyRefused(head, peerAddress)
  return reason === undefined
    ? { authorization }
    : {
        authorization: '',
        refusal: new ApiError('FORBIDDEN', 'Only the dashboard on this machine may call here', { reason }),
      }
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

const isLoopback = (address: string | null) => address !== null && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address)

const whyRefused = ({ method, header }: RequestHead, peerAddress: string | null): string | undefined => {
  if (!isLoopback(peerAddress)) return 'NOT_LOCAL'
  if (FORWARDED.some((name) => header(name))) return 'FORWARDED'
  const host = header('host') ?? ''
  if (!OWN_HOST.test(host)) return 'HOST_NOT_ALLOWED'
  if (method !== 'POST' || header('origin')?.toLowerCase() !== `http://${host.toLowerCase()}`)
    return 'ORIGIN_NOT_ALLOWED'
  // Absent in old browsers, whose `Origin` has been checked.
  return (header('sec-fetch-site') ?? 'same-origin') === 'same-origin' ? undefined : 'ORIGIN_NOT_ALLOWED'
}
