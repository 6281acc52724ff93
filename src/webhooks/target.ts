// Restricts webhooks to public addresses, so that no endpoint reaches our own network.
import type { Environment } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { isPublicHost } from '#http/outgoing/public-address.ts'

/** Whether the endpoint may have a private address: with `WEBHOOK_ALLOW_PRIVATE`, and never for a production platform. */
export const mayBePrivate = (environment: Environment): boolean =>
  config.webhookAllowPrivate && environment === 'SANDBOX'

const usualPort = (protocol: string) => (protocol === 'https:' ? 443 : 80)

/**
 * The problem with the address of an endpoint, as the end of a sentence, or undefined. Names are resolved when a request is sent.
 * The URL parser has turned every spelling of an IPv4 address, such as `0x7f.1`, into its plain form.
 */
export const problemOf = (text: string, environment: Environment): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSandbox = environment === 'SANDBOX'
  if (!url || !(url.protocol === 'https:' || (isSandbox && url.protocol === 'http:')))
    return isSandbox ? 'must be an https:// or http:// address' : 'must be an https:// address'
  if (url.username || url.password) return 'must not contain credentials'
  if (url.hash) return 'must not contain a fragment'
  const port = url.port === '' ? usualPort(url.protocol) : Number(url.port)
  if (port < 1024 && port !== usualPort(url.protocol))
    return `must have the port ${usualPort(url.protocol)}, or one from 1024 up`
  if (mayBePrivate(environment)) return undefined
  return isPublicHost(url) ? undefined : 'must be reachable from the internet'
}
