// `payloadToSign`: compact JSON with sorted keys that contains what was submitted (docs/domain/credentials.md#activities). Clients do not
// parse it.
import { canonicalJson } from '#core/json/canonical-json.ts'

export interface Activity {
  readonly type: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The payload is made once the pending request has an id. */
export const activityPayload =
  (accountId: string, { type, parameters }: Activity) =>
  (requestId: string): string =>
    canonicalJson({ type, organizationId: accountId, parameters, requestId, timestampMs: String(Date.now()) })
