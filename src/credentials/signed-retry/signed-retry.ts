// The signed retry: one gate for every operation that a session must sign (docs/domain/credentials.md#signed-retry-gate).
import { lockingAccounts } from '#accounts/lock.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, publicId } from '#core/ids.ts'
import type { CredentialType } from '#credentials/credential.ts'
import { type Sql, sql } from '#database/db.ts'
import { inRoundTrips, type Send, sending } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { fingerprintOf } from './fingerprint.ts'
import {
  type AccountIds,
  accountOfRequest,
  consumeRequest,
  consumingRequest,
  insertRequest,
  type Operation,
  readRequest,
  type SignedContent,
  type Signers,
  selectingRequestAndSessions,
  sessionsIn,
  storeRequest,
  uuidOfRequest,
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
  requestId: '`Request:<uuid>`. Send it with the signed retry. It can be used for one successful call.',
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
  /** Runs when that transaction has failed. */
  readonly ifNotStored?: () => Promise<void>
}

/** The operation needs another signature. The call has made its change, and returns the next challenge for the same input. */
export class NextLeg<D> {
  readonly prepared: Prepared<D>

  constructor(prepared: Prepared<D>) {
    this.prepared = prepared
  }
}

/** The last statements of an operation. They are committed with the use of the request. */
export interface Change<T> {
  readonly statements: readonly Sql[]
  /** What the operation returns, given the rows of each statement. */
  readonly done: (rows: readonly (readonly Row[])[]) => T
}

interface SignedCall<D, T> {
  readonly operation: Operation
  /** The id in the path, as the client wrote it. Empty when the path has none. */
  readonly target: string
  /** Both calls must send the same input. */
  readonly input: unknown
  /** Set if null clears a field. Otherwise null counts as absent. */
  readonly keepsNull?: boolean
  /**
   * The first call: every check, except that the first account is a wallet, which is checked when the request is stored. It changes nothing but
   * what `alongside` uses up. Returns `done` when no signature is needed.
   */
  readonly prepare: () => Promise<Prepared<D> | { readonly done: T }>
}

/** The second call, with the wallets locked: repeats the checks that depend on state, then returns the change. */
interface Changing<D, T> {
  readonly change: (send: Send, data: D, accountIds: AccountIds) => Promise<Change<T>>
}

/** The second call as a Prisma transaction, which takes more round trips: also makes the change. */
interface Performing<D, T> {
  readonly perform: (tx: Tx, data: D, accountIds: AccountIds) => Promise<T | NextLeg<D>>
}

type SignedOperation<D, T> = SignedCall<D, T> & (Changing<D, T> | Performing<D, T>)

/** A call without a proof returns a challenge; a call with one performs the operation. A refused retry leaves the request usable. */
export const signedRetry = async <D, T>(
  caller: PlatformCaller,
  { requestId, signature }: RetryProof,
  signed: SignedOperation<D, T>,
): Promise<Outcome<T>> => {
  const call = { ...signed, fingerprint: fingerprintOf(signed.input, signed.keepsNull) }

  // R1
  if (requestId === null && signature === null) {
    const prepared = await signed.prepare()
    if ('done' in prepared) return prepared
    return { challenge: await issue(caller, call, prepared) }
  }
  // R2, R3
  if (signature === null) {
    throw new ApiError(
      'WALLET_SIGNATURE_MISSING',
      'The signed retry needs the wallet signature together with the request id',
    )
  }
  if (requestId === null) {
    throw new ApiError('REQUEST_ID_MISSING', 'The signed retry needs the request id together with the wallet signature')
  }
  // R4
  const stamp = parseStamp(signature)
  const id = uuidOfRequest(requestId)

  // A failure below rolls everything back.
  if ('change' in signed) {
    return inRoundTrips(async ({ send, commitWith }) => {
      const { data, accountIds } = await admit<D>(send, caller, call, id, stamp)
      const { statements, done } = await signed.change(send, data, accountIds)
      const [, ...rows] = await commitWith(consumingRequest(caller, id), ...statements)
      return { done: done(rows) }
    })
  }
  return inTransaction(async (tx) => {
    const { data, accountIds } = await admit<D>(sending(tx), caller, call, id, stamp)
    await consumeRequest(tx, caller, id)
    const done = await signed.perform(tx, data, accountIds)
    if (!(done instanceof NextLeg)) return { done }
    const next = await challengeOf(call, done.prepared)
    return { challenge: { ...next.challenge, expiresAt: await insertRequest(tx, caller, next.request) } }
  })
}

interface Call {
  readonly operation: Operation
  readonly target: string
  readonly fingerprint: Buffer
}

/** Locks the wallets, so that what is checked here stays true until the commit. The loser of a race fails at R5. */
const admit = async <D>(
  send: Send,
  caller: PlatformCaller,
  { operation, target, fingerprint }: Call,
  id: string,
  stamp: Stamp,
): Promise<SignedContent<D>> => {
  const { platformId } = caller
  const [, found] = await send(
    lockingAccounts(platformId, accountOfRequest(caller, id)),
    selectingRequestAndSessions(caller, id, stamp.publicKey),
  )
  // R5
  const request = readRequest(caller, id, found[0], operation, target)
  // R6
  if (!request.fingerprint.equals(fingerprint)) throw inputMismatch()
  // R7
  const content = request.content as SignedContent<D>
  const { payload, signers, accountIds } = content
  if (!isSignedBy(stamp, payload)) throw signatureMismatch()
  if (accountIds.length === 1) {
    requireSigner(signers, stamp, sessionsIn(found))
  } else {
    const [, ofAll] = await send(lockingAccounts(platformId, accountIds), selectingSessions(caller, accountIds, stamp))
    requireSigner(signers, stamp, ofAll)
  }
  return content
}

export const inputMismatch = () =>
  new ApiError('WALLET_SIGNATURE_BODY_MISMATCH', 'The input differs from that of the first call')

/** The active sessions of these wallets with the key of the stamp. */
const selectingSessions = ({ platformId }: PlatformCaller, accountIds: AccountIds, stamp: Stamp): Sql => sql`
  select id, auth_method_id from active_sessions
  where platform_id = ${platformId}::uuid and account_id = any(${accountIds}::uuid[]) and public_key = ${Buffer.from(stamp.publicKey)}`

/** The key is the one that the operation names, or belongs to a session that may sign. */
const requireSigner = (signers: Signers, stamp: Stamp, sessions: readonly Row[]): void => {
  const { publicKey, sessionId, exceptCredentialId } = signers
  const maySign =
    publicKey === undefined
      ? sessions.some(
          ([id, credentialId]) => (sessionId === undefined || id === sessionId) && credentialId !== exceptCredentialId,
        )
      : Buffer.from(stamp.publicKey).toString('hex') === publicKey
  if (!maySign) throw signerNotAllowed(signerOf(signers))
}

const signerOf = ({ publicKey, sessionId, exceptCredentialId }: Signers): string => {
  if (publicKey !== undefined) return 'the key inside the encrypted bundle'
  if (sessionId !== undefined) return 'this session'
  return `an active session of ${exceptCredentialId === undefined ? 'the wallet' : 'another credential of the wallet'}`
}

const issue = async <D>(caller: PlatformCaller, call: Call, prepared: Prepared<D>): Promise<SignedRetryChallenge> => {
  const { challenge, request } = await challengeOf(call, prepared)
  const { alongside, ifNotStored } = prepared
  if (alongside === undefined) {
    return { ...challenge, expiresAt: await storeRequest(caller, request) }
  }
  try {
    return await inTransaction(async (tx) => {
      const expiresAt = await insertRequest(tx, caller, request)
      await alongside(tx)
      return { ...challenge, expiresAt }
    })
  } catch (error) {
    await ifNotStored?.()
    throw error
  }
}

/** The challenge without its expiry, and the request that is stored for it. */
const challengeOf = async <D>(
  { operation, target, fingerprint }: Call,
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
