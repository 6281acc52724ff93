// Pending requests, which `Request:` ids name. The clock of the database decides when they expire.
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import { db } from '#database/db.ts'
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

/** Returns when it expires. An account has at most 20 pending requests: the oldest are deleted. Call it with the account locked. */
export const insertRequest = async (
  tx: Tx,
  { platformId }: Caller,
  { id, accountId, operation, target, fingerprint, content }: NewRequest,
): Promise<string> => {
  const sealed = Buffer.from(sealSecret(JSON.stringify(content), ownerOf(platformId, id)))
  const [row] = await tx.$queryRaw<{ expires_at: Date }[]>`
    insert into signed_requests (platform_id, id, account_id, operation, target, fingerprint, sealed, expires_at)
    values (${platformId}::uuid, ${id}::uuid, ${accountId}::uuid, ${operation}::signed_operation, ${target}, ${fingerprint}, ${sealed},
      now() + make_interval(secs => ${SIGNED_RETRY_SECONDS}))
    returning expires_at`
  await tx.$executeRaw`
    delete from signed_requests where platform_id = ${platformId}::uuid and id in (
      select id from signed_requests
      where platform_id = ${platformId}::uuid and account_id = ${accountId}::uuid and consumed_at is null and expires_at > now()
      order by created_at desc, id desc offset ${MAX_PENDING})`
  return (row?.expires_at ?? new Date()).toISOString()
}

export interface PendingRequest {
  readonly id: string
  readonly fingerprint: Buffer
  readonly content: unknown
}

interface Found {
  operation: string
  target: string
  fingerprint: Uint8Array
  sealed: Uint8Array | null
  expired: boolean
  consumed: boolean
}

/** 401 `INVALID_SIGNATURE` unless the request was issued for this operation and target, is unused, and has not expired. */
export const findRequest = async (
  { platformId }: Caller,
  requestId: string,
  operation: Operation,
  target: string,
): Promise<PendingRequest> => {
  const parsed = parseId(requestId)
  const id = parsed?.kind === 'Request' ? parsed.uuid : undefined
  const [found] =
    id === undefined
      ? []
      : await db.$queryRaw<Found[]>`
          select operation::text, target, fingerprint, sealed, expires_at <= now() as expired, consumed_at is not null as consumed
          from signed_requests where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  // Compared here, not in SQL: the target comes from the path and may hold characters that Postgres refuses.
  if (!found || id === undefined || found.operation !== operation || found.target !== target) {
    throw unusable('REQUEST_ID_UNKNOWN', 'The request id was not issued for this operation')
  }
  if (found.consumed || found.sealed === null) throw consumed()
  if (found.expired) throw expiredRequest()
  return {
    id,
    fingerprint: Buffer.from(found.fingerprint),
    content: JSON.parse(openSecret(found.sealed, ownerOf(platformId, id)).toString('utf8')),
  }
}

/** Marks the request as used and erases its content. Of concurrent calls, all but one get 401 `INVALID_SIGNATURE`. */
export const consumeRequest = async (tx: Tx, { platformId }: Caller, id: string): Promise<void> => {
  const consumedRows = await tx.$executeRaw`
    update signed_requests set consumed_at = now(), sealed = null
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and consumed_at is null and expires_at > now()`
  if (consumedRows !== 1) throw consumed()
}

export const expiredRequest = () => unusable('REQUEST_ID_EXPIRED', 'The request id has expired')

const consumed = () => unusable('REQUEST_ID_CONSUMED', 'The request id has already been used')

const unusable = (reason: string, message: string) => new ApiError('INVALID_SIGNATURE', message, { reason })

/** Authenticated with the ciphertext, so that it cannot be moved to another row. */
const ownerOf = (platformId: string, id: string) => `request ${platformId} ${id}`

/** Deletes requests and token uses that expired more than a day ago. */
export const forgetExpired = async (): Promise<void> => {
  await db.$executeRaw`delete from signed_requests where expires_at < now() - interval '1 day'`
  await db.$executeRaw`delete from oidc_token_uses where expires_at < now() - interval '1 day'`
}
