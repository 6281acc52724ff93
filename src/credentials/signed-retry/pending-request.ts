// Pending requests, which `Request:` ids name. The clock of the database decides when they expire.
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { publicId, requireUuid } from '#core/ids.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import { isActive } from '#credentials/sessions/session.ts'
import { findWallet, IN_PATH } from '#credentials/wallet/wallet-account.ts'
import { db, type Sql, sql } from '#database/db.ts'
import { createGroups } from '#database/groups.ts'
import { time } from '#database/record.ts'
import { inRoundTrips, lookUpTogether, type Send, sendIn, sending } from '#database/round-trips.ts'
import { bytesOf, type Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { SignedOperation as Operation } from '#generated/prisma/client.ts'

export type { Operation }

export const SIGNED_RETRY_SECONDS = 5 * 60
const MAX_PENDING = 20

/** Who may sign: one key, or any active session, unless narrowed to one session or to the sessions of other credentials. */
export interface Signers {
  /** Compressed, as hex. */
  readonly publicKey?: string
  readonly sessionId?: string
  readonly exceptCredentialId?: string
}

/** Pending requests count towards the first account. */
export type AccountIds = readonly [string, ...string[]]

export interface SignedContent<D> {
  readonly payload: string
  readonly signers: Signers
  readonly accountIds: AccountIds
  readonly data: D
}

interface NewRequest {
  readonly id: string
  readonly accountId: string
  readonly operation: Operation
  readonly target: string
  readonly fingerprint: Buffer
  readonly content: unknown
}

/**
 * Stores the request together with those of the platform that wait for the same commit, unless its wallet is locked. Returns when it expires.
 * Throws what `findWallet` throws if the account is not a wallet.
 */
export const storeRequest = async (caller: Caller, request: NewRequest): Promise<string> => {
  const { platformId } = caller
  const expiresAt = await storeTogether(platformId, { platformId, request })
  return expiresAt ?? (await inRoundTrips(({ commitWith }) => insertAlone(commitWith, caller, request)))
}

/** Locks the wallet and stores the request. Returns and throws what `storeRequest` does. */
export const insertRequest = (tx: Tx, caller: Caller, request: NewRequest): Promise<string> =>
  insertAlone(sending(tx), caller, request)

const insertAlone = async (send: Send, caller: Caller, request: NewRequest): Promise<string> => {
  const [[inserted]] = await send(...insertingRequests(caller.platformId, [request]))
  if (inserted?.[1]) return time.decode(inserted[1])
  await findWallet(caller, publicId('InternalAccount', request.accountId), IN_PATH)
  throw new Error('The request was not stored')
}

/** Does not wait for a locked wallet, so that it holds up no other. Its requests are not stored: they have no expiry. */
const storeTogether = createGroups<{ readonly platformId: string; readonly request: NewRequest }, string | undefined>(
  async (group) => {
    const [first] = group
    if (!first) return []
    const requests = group.map(({ request }) => request)
    const [rows] = await inRoundTrips(({ commitWith }) =>
      commitWith(...insertingRequests(first.platformId, requests, sql`skip locked`)),
    )
    const expiries = new Map(rows.map(([id, expiresAt]) => [id, time.decode(expiresAt ?? '')]))
    return requests.map(({ id }) => expiries.get(id))
  },
)

/**
 * Returns the id and the expiry of each stored request, without those for accounts that are not wallets. A wallet has at most 20 pending
 * requests: the oldest are deleted, by a statement of its own that sees all requests of the locked wallets.
 */
const insertingRequests = (
  platformId: string,
  requests: readonly NewRequest[],
  ifLocked: Sql = sql``,
): readonly [Sql, Sql] => {
  const accountIds = requests.map(({ accountId }) => accountId)
  const sealed = requests.map(({ id, content }) =>
    Buffer.from(sealSecret(JSON.stringify(content), ownerOf(platformId, id))),
  )
  return [
    sql`
      with wallet as (
        select id from internal_accounts
        where platform_id = ${platformId}::uuid and id = any(${accountIds}::uuid[]) and type = 'EMBEDDED_WALLET' for no key update ${ifLocked}
      ), stored as (
        insert into signed_requests (platform_id, id, account_id, operation, target, fingerprint, sealed, expires_at)
        select ${platformId}::uuid, new.id, wallet.id, new.operation, new.target, new.fingerprint, new.sealed,
          now() + make_interval(secs => ${SIGNED_RETRY_SECONDS})
        from wallet join unnest(${requests.map(({ id }) => id)}::uuid[], ${accountIds}::uuid[],
          ${requests.map(({ operation }) => operation)}::signed_operation[], ${requests.map(({ target }) => target)}::text[],
          ${requests.map(({ fingerprint }) => fingerprint)}::bytea[], ${sealed}::bytea[])
          as new (id, account_id, operation, target, fingerprint, sealed) on new.account_id = wallet.id
        returning id, expires_at
      ) select id, expires_at from stored`,
    // A selected value is unknown to the planner, so it plans the statement once per connection.
    sql`
      delete from signed_requests where platform_id = ${platformId}::uuid and id = any(array(
        select pending.id from unnest((select ${accountIds}::uuid[])) as wallet (id) cross join lateral (
          select id from signed_requests
          where platform_id = ${platformId}::uuid and account_id = wallet.id and consumed_at is null and expires_at > now()
          order by created_at desc, id desc offset ${MAX_PENDING}) as pending))`,
  ]
}

export interface PendingRequest {
  readonly id: string
  readonly fingerprint: Buffer
  readonly content: unknown
}

/** 401 `INVALID_SIGNATURE` unless the request was issued for this operation and target, is unused, and has not expired. */
export const findRequest = async (
  caller: Caller,
  requestId: string,
  operation: Operation,
  target: string,
): Promise<PendingRequest> => {
  const id = uuidOfRequest(requestId)
  const [[row]] = await lookUpTogether(selectingRequest(caller, id))
  return readRequest(caller, id, row, operation, target)
}

/** Throws what `findRequest` throws for an unknown request. */
export const uuidOfRequest = (requestId: string): string => requireUuid('Request', requestId, notIssued)

const COLUMNS = sql`
  request.operation, request.target, request.fingerprint, request.sealed, request.expires_at <= clock_timestamp(), request.consumed_at is not null`

const selectingRequest = ({ platformId }: Caller, id: string): Sql => sql`
  select ${COLUMNS} from signed_requests request where request.platform_id = ${platformId}::uuid and request.id = ${id}::uuid`

/**
 * The request, and the active sessions of its account with this key: a row for each, or one without a session. Pass the first row to
 * `readRequest`, and all to `sessionsIn`.
 */
export const selectingRequestAndSessions = ({ platformId }: Caller, id: string, publicKey: Uint8Array): Sql => sql`
  select ${COLUMNS}, session.id, session.auth_method_id from signed_requests request
  left join wallet_sessions session on session.platform_id = request.platform_id and session.account_id = request.account_id
    and session.public_key = ${Buffer.from(publicKey)} and ${isActive('session')}
  where request.platform_id = ${platformId}::uuid and request.id = ${id}::uuid`

export const sessionsIn = (rows: readonly Row[]): Row[] =>
  rows.flatMap(([, , , , , , id = null, credentialId = null]) => (id === null ? [] : [[id, credentialId]]))

/** The account that the request counts towards, for other statements. */
export const accountOfRequest = ({ platformId }: Caller, id: string): Sql => sql`
  select account_id from signed_requests where platform_id = ${platformId}::uuid and id = ${id}::uuid`

/** Throws what `findRequest` throws. */
export const readRequest = (
  { platformId }: Caller,
  id: string,
  row: Row | undefined,
  operation: Operation,
  target: string,
): PendingRequest => {
  const [ofOperation, ofTarget, fingerprint, sealed, isExpired, isConsumed] = row ?? []
  // Compared here, not in SQL: the target comes from the path and may hold characters that Postgres refuses.
  if (!fingerprint || ofOperation !== operation || ofTarget !== target) throw notIssued()
  if (isConsumed === 't' || !sealed) throw consumed()
  if (isExpired === 't') throw expiredRequest()
  return {
    id,
    fingerprint: bytesOf(fingerprint),
    content: JSON.parse(openSecret(bytesOf(sealed), ownerOf(platformId, id)).toString('utf8')),
  }
}

/** Marks the request as used and erases its content. If calls are concurrent, all but one get 401 `INVALID_SIGNATURE`. */
export const consumeRequest = async (tx: Tx, caller: Caller, id: string): Promise<void> => {
  const [rows] = await sendIn(tx, consumingRequest(caller, id))
  if (rows.length !== 1) throw consumed()
}

/**
 * The statement of `consumeRequest`. A request is sealed until it is used. With `consumed_at is null`, Postgres might read all pending requests
 * of the platform instead of the one with this key.
 */
export const consumingRequest = ({ platformId }: Caller, id: string): Sql => sql`
  update signed_requests set consumed_at = now(), sealed = null
  where platform_id = ${platformId}::uuid and id = ${id}::uuid and sealed is not null and expires_at > now()
  returning 1`

const notIssued = () => unusable('REQUEST_ID_UNKNOWN', 'The request id was not issued for this operation')

export const expiredRequest = () => unusable('REQUEST_ID_EXPIRED', 'The request id has expired')

const consumed = () => unusable('REQUEST_ID_CONSUMED', 'The request id has already been used')

const unusable = (reason: string, message: string) => new ApiError('INVALID_SIGNATURE', message, { reason })

/** Authenticated with the ciphertext, so that it cannot be moved to another row. */
const ownerOf = (platformId: string, id: string) => `request ${platformId} ${id}`

/** Deletes requests that expired more than a day ago. */
export const forgetExpired = async (): Promise<void> => {
  await db.$executeRaw`delete from signed_requests where expires_at < now() - interval '1 day'`
}
