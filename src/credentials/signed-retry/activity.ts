// `payloadToSign`: compact JSON with its keys in order (docs/domain/credentials.md#activities). Opaque to clients; it binds what was submitted.
import { canonicalJson } from '#core/canonical-json.ts'

export interface Activity {
  readonly type: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The payload of an activity of a wallet, once the request that it is for has an id. */
export const payloadOf =
  (accountId: string, { type, parameters }: Activity) =>
  (requestId: string): string =>
    canonicalJson({ type, organizationId: accountId, parameters, requestId, timestampMs: String(Date.now()) })
