// The signed retry: one gate for every operation that a session must sign (docs/domain/credentials.md#signed-retry-gate).
import { lockingAccounts } from '#accounts/lock.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, publicId } from '#core/ids.ts'
import type { CredentialType } from '#credentials/credential.ts'
import { type Sql, sql } from '#database/db.ts'
import { inRoundTrips, sendIn } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { fingerprintOf } from './fingerprint.ts'
import {
  type AccountIds,
  consumingRequest,
  expiryOf,
  findRequest,
  insertingRequest,
  insertRequest,
  type Operation,
  requireConsumed,
  type SignedContent,
  type Signers,
} from './pending-request.ts'
import { isSignedBy, parseStamp, type Stamp, signatureMismatch, signerNotAllowed } from './stamp.ts'

/** The headers `Request-Id` and `Service-Wallet-Signature`; null when absent or empty. */
export interface RetryProof {
  readonly requestId: string | null
  readonly signature: string | null
}

export const RETRY_TEXTS = {
  challenge:
    'The operation needs a signature and has not been carried out yet. If it verifies a one-time code, the code is used up.',
  type: 'Type of the credential that the operation concerns. Not set when it concerns none, as in wallet export and privacy.',
  payloadToSign: 'Opaque text to sign byte for byte. Do not parse, re-serialize or trim it.',
  requestId: '`Request:<uuid>`. Send it with the signed retry. It is valid for one success.',
  expiresAt: 'When the challenge expires: five minutes after it was issued.',
}

/** The operation must be repeated with a stamp over `payloadToSign`, before `expiresAt`. */
export interface SignedRetryChallenge {
  readonly type: CredentialType | null
  readonly payloadToSign: string
  readonly requestId: string
  readonly expiresAt: string
}

export type Outcome<T> = { readonly challenge: SignedRetryChallenge } | { readonly done: T }

/** What the first call determines and the second call needs. */
export interface Prepared<D> {
  /** The wallets concerned. They are locked before any change. Their sessions may sign, within the limits of `signers`. */
  readonly accountIds: AccountIds
  readonly signers: Signers
  readonly type: CredentialType | null
  readonly payload: (requestId: string) => string | Promise<string>
  /** Stored encrypted until the second call. */
  readonly data: D
  /** Runs in the transaction that stores the request. */
  readonly alongside?: (tx: Tx) => Promise<void>
}

/** The operation needs another signature: the call has made its change, and returns the next challenge for the same input. */
export class NextLeg<D> {
  readonly prepared: Prepared<D>

  constructor(prepared: Prepared<D>) {
    this.prepared = prepared
  }
}

interface SignedOperation<D, T> {
  readonly operation: Operation
  /** The id in the path, as the client wrote it. Empty when the path has none. */
  readonly target: string
  /** Both calls must send the same. */
  readonly input: unknown
  /** The first call: every check. It changes nothing but what `alongside` uses up. Returns `done` when no signature is needed. */
  readonly prepare: () => Promise<Prepared<D> | { readonly done: T }>
  /** The second call, with the wallets locked: repeats the checks that depend on state, then makes the change. */
  readonly perform: (tx: Tx, data: D, accountIds: AccountIds) => Promise<T | NextLeg<D>>
}

/** A call without a proof returns a challenge; a call with one performs the operation. A refused retry leaves the request usable. */
export const signedRetry = async <D, T>(
  caller: PlatformCaller,
  { requestId, signature }: RetryProof,
  { operation, target, input, prepare, perform }: SignedOperation<D, T>,
): Promise<Outcome<T>> => {
  const fingerprint = fingerprintOf(input)

  // R1
  if (requestId === null && signature === null) {
    const prepared = await prepare()
    if ('done' in prepared) return prepared
    return { challenge: await issue(caller, operation, target, fingerprint, prepared) }
  }
  // R2, R3
  if (signature === null) {
    throw new ApiError('WALLET_SIGNATURE_MISSING', 'The signed retry needs the wallet signature beside the request id')
  }
  if (requestId === null) {
    throw new ApiError('REQUEST_ID_MISSING', 'The signed retry needs the request id beside the wallet signature')
  }
  // R4
  const stamp = parseStamp(signature)
  // R5
  const request = await findRequest(caller, requestId, operation, target)
  // R6
  if (!request.fingerprint.equals(fingerprint)) {
    throw new ApiError('WALLET_SIGNATURE_BODY_MISMATCH', 'The input differs from that of the first call')
  }
  // R7, the part that needs no database
  const { payload, signers, accountIds, data } = request.content as SignedContent<D>
  if (!isSignedBy(stamp, payload)) throw signatureMismatch()

  return inTransaction(async (tx) => {
    const [, consumed, sessions] = await sendIn(
      tx,
      lockingAccounts(caller.platformId, accountIds),
      consumingRequest(caller, request.id),
      selectingSessions(caller, accountIds, signers, stamp),
    )
    // R5 for the losers of a race, R9 for the winner. A failure below rolls this back.
    requireConsumed(consumed)
    if (!maySign(signers, stamp, sessions)) throw signerNotAllowed(signerOf(signers))
    const done = await perform(tx, data, accountIds)
    if (!(done instanceof NextLeg)) return { done }
    const next = await challengeOf(operation, target, fingerprint, done.prepared)
    return { challenge: { ...next.challenge, expiresAt: await insertRequest(tx, caller, next.request) } }
  })
}

const signerOf = ({ publicKey, sessionId, exceptCredentialId }: Signers): string => {
  if (publicKey !== undefined) return 'the key inside the encrypted bundle'
  if (sessionId !== undefined) return 'this session'
  return `an active session of ${exceptCredentialId === undefined ? 'the wallet' : 'another credential of the wallet'}`
}

const issue = async <D>(
  caller: PlatformCaller,
  operation: Operation,
  target: string,
  fingerprint: Buffer,
  prepared: Prepared<D>,
): Promise<SignedRetryChallenge> => {
  const { challenge, request } = await challengeOf(operation, target, fingerprint, prepared)
  const { alongside, accountIds } = prepared
  const locking = lockingAccounts(caller.platformId, accountIds.slice(0, 1))
  if (alongside === undefined) {
    return inRoundTrips(async ({ commitWith }) => {
      const [, inserted] = await commitWith(locking, ...insertingRequest(caller, request))
      return { ...challenge, expiresAt: expiryOf(inserted) }
    })
  }
  return inTransaction(async (tx) => {
    await sendIn(tx, locking)
    await alongside(tx)
    return { ...challenge, expiresAt: await insertRequest(tx, caller, request) }
  })
}

/** The challenge without its expiry, and the request that is stored for it. */
const challengeOf = async <D>(
  operation: Operation,
  target: string,
  fingerprint: Buffer,
  { accountIds, signers, type, data, payload }: Prepared<D>,
) => {
  const id = newUuid()
  const requestId = publicId('Request', id)
  const payloadToSign = await payload(requestId)
  const content: SignedContent<D> = { payload: payloadToSign, signers, accountIds, data }
  return {
    challenge: { type, payloadToSign, requestId },
    request: { id, accountId: accountIds[0], operation, target, fingerprint, content },
  }
}

/** The active sessions of the wallets with the key of the stamp, within the limits of the signers. */
const selectingSessions = (
  { platformId }: PlatformCaller,
  accountIds: readonly string[],
  { sessionId, exceptCredentialId }: Signers,
  stamp: Stamp,
): Sql => sql`
  select 1 from active_sessions
  where platform_id = ${platformId}::uuid and account_id = any(${accountIds}::uuid[]) and public_key = ${Buffer.from(stamp.publicKey)}
    and (${sessionId ?? null}::uuid is null or id = ${sessionId ?? null}::uuid)
    and (${exceptCredentialId ?? null}::uuid is null or auth_method_id <> ${exceptCredentialId ?? null}::uuid)
  limit 1`

/** R7: the key is the one that the operation names, or belongs to an active session of the wallets. */
const maySign = ({ publicKey }: Signers, stamp: Stamp, sessions: readonly Row[]): boolean =>
  publicKey === undefined ? sessions.length > 0 : Buffer.from(stamp.publicKey).toString('hex') === publicKey
