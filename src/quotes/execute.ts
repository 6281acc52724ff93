// Executes a quote, which moves the money (docs/domain/quotes.md#execution).
import { z } from 'zod'
import type { InternalAccount } from '#accounts/internal-account.ts'
import { lockingAccounts } from '#accounts/lock.ts'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import { idOf, labelOf, parse } from '#core/input.ts'
import { isSignedBy, parseStamp, signatureMismatch, signerNotAllowed } from '#credentials/signed-retry/stamp.ts'
import { type Sql, sql } from '#database/db.ts'
import { inRoundTrips, lookUpTogether, type Send, sendIn, sending } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { SCA_FACTORS } from '#sca/factors/factor.ts'
import { type Payment, readPayment, selectingPayment } from '#settlement/payment-status.ts'
import { type PartiesNow, readPartiesNow, selectingPartiesNow } from '#settlement/ready.ts'
import { startingPayment } from '#settlement/start.ts'
import { mayNeedSca, startQuote } from './authorization/sca.ts'
import { type Quote, QuoteRecord, unknownQuote } from './quote.ts'

export const scaFactor = labelOf(SCA_FACTORS)
  .nullish()
  .describe('The factor of the SCA challenge, if one is needed and the customer has the factor.')

export const executionRequest = z.object({ id: idOf('Quote').describe(QuoteRecord.texts.id), scaFactor })
export type Execution = z.input<typeof executionRequest>

/**
 * Needs the permission TRANSACT, and for a wallet the stamp of one of its active sessions over the quote's `payloadToSign`. Throws 409
 * `CONFLICT` if the quote has expired, was executed, or waits for approval. Throws 400 `INVALID_AMOUNT` if the balance is too low. The
 * quote then stays `PENDING`. If the customer must authorize the payment, the quote becomes `PENDING_AUTHORIZATION`.
 */
export const executeQuote = async (
  caller: PlatformCaller,
  input: Execution,
  signature: string | null,
  record: RecordResult,
): Promise<string> => {
  requirePermission(caller, 'TRANSACT')
  const preferred = preferredFactor(input)
  const { quote, account } = await findExecutable(caller, input.id)
  const lock = async (send: Send) => {
    const ready = await lockExecutable(send, caller, quote)
    await requireStamp(send, caller, account, quote, signature)
    return ready
  }
  const isStarted = await inRoundTrips(async ({ send, commitWith }) => {
    const { payment, parties } = await lock(send)
    if (mayNeedSca(parties)) return false
    const last = await startingPayment(send, caller, payment, parties)
    await record.within(send, quote.id)
    await commitWith(...last)
    return true
  })
  if (isStarted) return quote.id
  await inTransaction(async (tx) => {
    const { payment, parties } = await lock(sending(tx))
    await startQuote(tx, caller, payment, preferred, parties)
    await record(tx, quote.id)
  })
  return quote.id
}

/** 400 `INVALID_INPUT` for an unknown factor. */
export const preferredFactor = (input: Execution) => parse(executionRequest.pick({ scaFactor: true }), input).scaFactor

/** The account that pays. */
interface Source {
  readonly id: string
  readonly type: InternalAccount['type']
}

/**
 * Throws 404 `QUOTE_NOT_FOUND`, also if another agent created the quote, and 400 `INVALID_INPUT` if the quote is funded in real time.
 */
export const findExecutable = async (caller: Caller, id: string): Promise<{ quote: Quote; account: Source }> => {
  const uuid = requireUuid('Quote', id, unknownQuote)
  const [[row]] = await lookUpTogether(sql`
    select ${QuoteRecord.columns}, account.type from quotes t
    left join internal_accounts account on account.platform_id = t.platform_id and account.id = t.source_internal_account_id
    where ${QuoteRecord.visibleTo(caller)} and t.id = ${uuid}::uuid`)
  if (!row) throw unknownQuote()
  const quote = QuoteRecord.read(row)
  const accountId = quote.sourceInternalAccountId
  if (accountId === null) {
    throw invalidInput('id', 'A quote that is funded in real time cannot be executed. Push the money instead.')
  }
  return { quote, account: { id: accountId, type: row.at(-1) as Source['type'] } }
}

/**
 * Locks the account and then the quote, so that only one of several executions continues. 409 `CONFLICT` if the quote has expired or was
 * executed, or while an action of its agent waits: only the approval may execute it then.
 */
export const lockExecutable = async (
  send: Send,
  { platformId }: Caller,
  quote: Quote,
): Promise<{ payment: Payment; parties: PartiesNow }> => {
  const { id, sourceInternalAccountId } = quote
  const [, locked, waiting, [payment], parties] = await send(
    lockingAccounts(platformId, [sourceInternalAccountId ?? '']),
    lockingQuote(platformId, id),
    sql`
      select 1 from agent_actions
      where platform_id = ${platformId}::uuid and quote_id = ${id}::uuid and status = 'PENDING_APPROVAL'`,
    selectingPayment(platformId, id),
    selectingPartiesNow(platformId, quote),
  )
  if (isLate(locked)) throw new ApiError('CONFLICT', 'The quote has expired', { reason: 'QUOTE_EXPIRED' })
  if (waiting.length > 0) {
    throw new ApiError('CONFLICT', 'The quote is under approval', { reason: 'QUOTE_UNDER_APPROVAL' })
  }
  if (!payment) throw new Error(`The quote ${id} has no payment`)
  return { payment: readPayment(payment), parties: readPartiesNow(parties) }
}

/** Locks the quote, and returns whether it has expired. 409 `CONFLICT`, reason `QUOTE_ALREADY_EXECUTED`, when it has been executed. */
export const lockQuoteAndCheckExpiry = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  id: string,
): Promise<boolean> => {
  const [locked] = await sendIn(tx, lockingQuote(platformId, id))
  return isLate(locked)
}

/** The quote may expire during the wait for the locks, so the time is read after it. */
const lockingQuote = (platformId: string, id: string): Sql => sql`
  with locked as materialized (
    select status, expires_at from quotes where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update)
  select status, expires_at <= clock_timestamp() from locked`

const isLate = ([quote]: readonly Row[]): boolean => {
  const [status, isPast] = quote ?? []
  if (status === 'EXPIRED') return true
  if (status === 'PENDING') return isPast === 't'
  throw new ApiError('CONFLICT', 'The quote has been executed', { reason: 'QUOTE_ALREADY_EXECUTED' })
}

/**
 * Whether the payment needs a stamp, which is one of an active session of the wallet. Throws 401 if the stamp is missing or wrong, or if
 * the quote has no payload to sign.
 */
export const requireStamp = async (
  send: Send,
  { platformId }: Caller,
  { id, type }: Source,
  quote: Quote,
  signature: string | null,
): Promise<boolean> => {
  if (type !== 'EMBEDDED_WALLET') return false
  if (signature === null) {
    throw new ApiError('WALLET_SIGNATURE_MISSING', 'A payment from a wallet needs the wallet signature')
  }
  const stamp = parseStamp(signature)
  const info = quote.paymentInstructions?.[0]?.accountOrWalletInfo as { payloadToSign?: string } | undefined
  const payload = info?.payloadToSign
  if (!payload || !isSignedBy(stamp, payload)) throw signatureMismatch()
  const key = Buffer.from(stamp.publicKey)
  const [[session]] = await send(sql`
    select 1 from active_sessions
    where platform_id = ${platformId}::uuid and account_id = ${id}::uuid and public_key = ${key} limit 1`)
  if (!session) throw signerNotAllowed('an active session of the wallet')
  return true
}
