// The address that receives the platform's events (docs/domain/events.md#webhook-endpoint).
import { z } from 'zod'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { labelOf, parse, textOf } from '#core/input.ts'
import { nothing, query, sql } from '#database/db.ts'
import { listOf, nullable, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { inTransaction, lockText, type Tx } from '#database/unit-of-work.ts'
import { EVENT_TYPES } from '#events/event-types.ts'
import { numberEventsOf } from '#events/numbering.ts'
import { skipPending, skipSome } from './removal.ts'
import { openLanes } from './sending/lease.ts'
import { newKeys, newSecret } from './signing.ts'
import { problemOf } from './target.ts'

export const WEBHOOK_ENDPOINT_STATUSES = ['ENABLED', 'SUSPENDED', 'DISABLED'] as const
export const WEBHOOK_DISABLED_REASONS = ['GONE', 'FAILING'] as const

export const WebhookEndpointRecord = record(
  'webhook_endpoints',
  {
    id: nullable(text).describe('`WebhookEndpoint:<uuid>`, which is the same for every endpoint of the platform.'),
    url: nullable(text).describe('The address that receives events.'),
    types: nullable(listOf(EVENT_TYPES)).describe('The events that are sent. Null means all.'),
    status: oneOf(WEBHOOK_ENDPOINT_STATUSES).describe('Whether events are sent.'),
    disabledReason: nullable(oneOf(WEBHOOK_DISABLED_REASONS)).describe(
      'Why nothing is sent any more. Null unless the status is `DISABLED`. Setting the endpoint again enables it.',
    ),
    publicKey: text.describe(
      'The public key that verifies `s` of `X-Service-Signature`: ECDSA P-256 with SHA-256 over the raw body, as SPKI PEM.',
    ),
    nextPublicKey: nullable(text).describe('The next public key, which verifies `n`. Only while a rotation is open.'),
    nextKeyAt: nullable(time).describe('When the next key replaces the current one. Only while a rotation is open.'),
    failingSince: nullable(time).describe('Time of the first failure since the last success. Null after a success.'),
    createdAt: time.describe('When the platform first set an endpoint.'),
    updatedAt: time.describe('When the endpoint was last set, rotated, suspended or disabled.'),
  },
  'REFUSED',
)
type LastEndpoint = RecordOf<typeof WebhookEndpointRecord>
export type WebhookEndpoint = LastEndpoint & { readonly id: string; readonly url: string }
export type SigningKeys = Pick<WebhookEndpoint, 'publicKey' | 'nextPublicKey'>

export const ENDPOINT_TEXTS = {
  secret:
    'The secret of the Standard Webhooks headers, `whsec_` and base64. It is shown only now, and only if it is new.',
  url: 'The https:// URL that receives events, on port 443 or from 1024 up, reachable from the internet. The sandbox also accepts http://, on port 80 or from 1024 up. Null removes the endpoint and skips pending deliveries.',
  waiting: 'Number of pending deliveries.',
  count: 'Number of deliveries that are pending again.',
} as const

/** Needs the permission VIEW. Null if the platform has none. */
export const readEndpoint = async (caller: Caller): Promise<WebhookEndpoint | null> => {
  WebhookEndpointRecord.requireView(caller)
  return findEndpoint(caller)
}

/** Null if the platform has none. Needs no permission. */
export const findEndpoint = async (caller: Caller): Promise<WebhookEndpoint | null> =>
  (await findEndpointAndKeys(caller)).endpoint

const isSet = (last: LastEndpoint): last is WebhookEndpoint => last.url !== null

interface EndpointAndKeys {
  readonly endpoint: WebhookEndpoint | null
  /** They outlive the endpoint. Null if the platform has never had one. */
  readonly signingKeys: SigningKeys | null
}

/** Needs no permission. */
export const findEndpointAndKeys = async (caller: Caller): Promise<EndpointAndKeys> => {
  const [row] = await query(sql`
    select ${WebhookEndpointRecord.columns} from ${WebhookEndpointRecord.table} t where ${WebhookEndpointRecord.visibleTo(caller)}`)
  if (!row) return { endpoint: null, signingKeys: null }
  const last = WebhookEndpointRecord.read(row)
  return { endpoint: isSet(last) ? last : null, signingKeys: last }
}

export const endpointNotSet = () => new ApiError('WEBHOOK_ENDPOINT_NOT_SET', 'The platform has no webhook endpoint')

/** Locks the endpoint until `tx` ends. Throws 400 `WEBHOOK_ENDPOINT_NOT_SET`. */
export const lockEndpoint = async (tx: Tx, { platformId }: Pick<Caller, 'platformId'>): Promise<void> => {
  const [found] = await tx.$queryRaw<object[]>`
    select 1 as found from webhook_endpoints where platform_id = ${platformId}::uuid and url is not null for no key update`
  if (!found) throw endpointNotSet()
}

export const webhookEndpoint = z.object({
  url: textOf(2000).nullish().describe(`${ENDPOINT_TEXTS.url} If absent, an endpoint keeps its URL.`),
  types: z
    .array(labelOf(EVENT_TYPES))
    .min(1, 'must not be empty')
    .nullish()
    .describe('The events to send. Null means all. If absent, an endpoint keeps its types, and a new one gets all.'),
})

export interface SetEndpoint {
  /** Null after a removal. */
  readonly endpoint: WebhookEndpoint | null
  /** `whsec_…` if it is new. */
  readonly secret: string | null
}

/**
 * Needs the permission MANAGE. New events go to the endpoint, preceded by a TEST. The URL null removes the endpoint. Throws 400
 * `WEBHOOK_ENDPOINT_NOT_SET` without a URL if there is none to keep.
 */
export const setEndpoint = async (caller: PlatformCaller, input: unknown): Promise<SetEndpoint> => {
  requirePermission(caller, 'MANAGE')
  const { url, types } = parse(webhookEndpoint, input)
  await prepareEndpoint(caller, url, 'url')
  const secret = await inTransaction((tx) => replaceEndpoint(tx, caller, url, types))
  return { endpoint: await findEndpoint(caller), secret }
}

/** Call it before the transaction that sets an endpoint. Throws 400 `INVALID_INPUT` with the field. */
export const prepareEndpoint = async (
  caller: PlatformCaller,
  url: string | null | undefined,
  field: string,
): Promise<void> => {
  const problem = typeof url === 'string' ? problemOf(url, caller.environment) : undefined
  if (problem !== undefined) throw invalidInput(field, `${field} ${problem}`)
  // A new endpoint begins after all earlier events.
  await numberEventsOf(caller.platformId)
}

/** Ends a key rotation without the next key. */
export const FORGET_NEXT_KEY = sql`next_public_key = null, sealed_next_key = null, sealed_next_secret = null, next_key_at = null`

/**
 * Sets the URL and the types. Each stays as it is if it is undefined. An endpoint that was removed gets a new secret and keeps its key. One that
 * was disabled continues where it stopped. Returns the secret if it is new. Throws 503 `SERVICE_UNAVAILABLE` while deliveries of a removed one
 * are skipped.
 */
export const replaceEndpoint = async (
  tx: Tx,
  { platformId }: PlatformCaller,
  given: string | null | undefined,
  types?: readonly string[] | null,
): Promise<string | null> => {
  // Before the first endpoint there is no row to lock.
  await lockText(tx, `webhook endpoint of ${platformId}`)
  const [before] = await tx.$queryRaw<{ url: string | null }[]>`
    select url from webhook_endpoints where platform_id = ${platformId}::uuid for no key update`
  const url = given === undefined ? (before?.url ?? undefined) : given
  if (url === undefined) throw endpointNotSet()
  if (url === null) {
    await tx.$executeRaw`
      update webhook_endpoints set url = null, types = null, status = 'DISABLED', disabled_reason = null, failures = 0,
        failing_since = null, probe_at = null, updated_at = now(), ${FORGET_NEXT_KEY}
      where platform_id = ${platformId}::uuid and url is not null`
    await skipPending(tx, platformId)
    return null
  }
  if (before?.url === null && (await skipSome(tx, platformId))) {
    throw new ApiError('SERVICE_UNAVAILABLE', 'The removal of the previous endpoint has not finished yet. Try again.')
  }
  const isKept = types === undefined
  const chosen = types === undefined || types === null ? null : [...types]
  const keys = before ? null : newKeys(platformId)
  const renewed = before?.url === null ? newSecret(platformId) : null
  if (keys) {
    await tx.$executeRaw`
      insert into webhook_endpoints (platform_id, url, types, status, position, public_key, sealed_key, sealed_secret)
      select platform_id, ${url}, ${chosen}::event_type[], 'ENABLED', last_position, ${keys.publicKey}, ${keys.sealedKey}, ${keys.sealedSecret}
      from event_streams where platform_id = ${platformId}::uuid`
  } else {
    await tx.$executeRaw`
      update webhook_endpoints t set url = ${url}, types = case when ${isKept} then t.types else ${chosen}::event_type[] end,
        status = 'ENABLED', disabled_reason = null, failures = 0, failing_since = null, probe_at = null, updated_at = now(),
        ${renewed ? sql`sealed_secret = ${renewed.sealedSecret}, ${FORGET_NEXT_KEY},` : nothing}
        position = case when t.url is null then s.last_position else t.position end
      from event_streams s where t.platform_id = ${platformId}::uuid and s.platform_id = t.platform_id`
  }
  await openLanes(tx, platformId)
  await tx.$executeRaw`insert into events (platform_id, type, snapshot) values (${platformId}::uuid, 'TEST', '{}')`
  return (keys ?? renewed)?.secret ?? null
}
