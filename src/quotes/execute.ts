// Executes a quote, which moves the money (docs/domain/quotes.md#execution).
import { z } from 'zod'
import { lockAccounts } from '#accounts/lock.ts'
import type { Caller, PlatformCaller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { idOf, labelOf, parse } from '#core/input.ts'
import {
  isSignedBy,
  parseStamp,
  type Stamp,
  signatureMismatch,
  signerNotAllowed,
} from '#credentials/signed-retry/stamp.ts'
import { db } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { InternalAccount, Quote as QuoteRow } from '#generated/prisma/client.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { SCA_FACTORS } from '#sca/factors/factor.ts'
import { requirePayer } from '#settlement/payer.ts'
import { paymentOf } from '#settlement/payment-status.ts'
import { startQuote } from './authorization/sca.ts'
import { type Quote, QuoteRecord } from './quote.ts'

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
): Promise<Quote> => {
  requirePayer(caller, 'EXECUTE_QUOTES')
  const preferred = wishedFactor(input)
  const { quote, account } = await findExecutable(caller, input.id)
  await inTransaction(async (tx) => {
    await lockAccounts(tx, caller, [account.id])
    await requireStillPending(tx, caller, quote.id)
    await requireNotWaiting(tx, caller, quote.id)
    const stamp = stampFor(account, quote, signature)
    if (stamp) await requireSession(tx, caller, account.id, stamp)
    await startQuote(tx, caller, await paymentOf(tx, caller.platformId, quote.id), preferred)
    await record(tx, quote.id)
  })
  return selectWritten(caller, QuoteRecord, quote.id)
}

/** 400 `INVALID_INPUT` for an unknown factor. */
export const wishedFactor = (input: Execution) => parse(executionRequest.pick({ scaFactor: true }), input).scaFactor

/**
 * Throws 404 `QUOTE_NOT_FOUND`, also if another agent created the quote, and 400 `INVALID_INPUT` if the quote is funded in real time.
 */
export const findExecutable = async (
  caller: Caller,
  id: string,
): Promise<{ quote: QuoteRow; account: InternalAccount }> => {
  const parsed = parseId(id)
  const own = caller.scheme === 'AGENT' ? { agentId: caller.agentId } : {}
  const quote =
    parsed?.kind === 'Quote'
      ? await db.quote.findFirst({
          where: { platformId: caller.platformId, id: parsed.uuid, ...own },
          include: { sourceInternalAccount: true },
        })
      : null
  if (!quote) throw new ApiError('QUOTE_NOT_FOUND', 'There is no such quote')
  const { sourceInternalAccount: account, ...row } = quote
  if (!account) throw invalidInput('id', 'A quote that is funded in real time is not executed: push the money')
  return { quote: row, account }
}

/** Call it with the account locked. Locks the quote, so that only one of several executions continues. */
export const requireStillPending = async (tx: Tx, caller: Caller, id: string): Promise<void> => {
  if (await hasExpired(tx, caller, id)) {
    throw new ApiError('CONFLICT', 'The quote has expired', { reason: 'QUOTE_EXPIRED' })
  }
}

/** Locks the quote. 409 `CONFLICT` with the reason `QUOTE_ALREADY_EXECUTED` when it has been executed. */
export const hasExpired = async (tx: Tx, { platformId }: Pick<Caller, 'platformId'>, id: string): Promise<boolean> => {
  const [quote] = await tx.$queryRaw<{ status: string; is_late: boolean }[]>`
    select status::text, expires_at <= now() as is_late from quotes
    where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update`
  if (quote?.status === 'EXPIRED') return true
  if (quote?.status === 'PENDING') return quote.is_late
  throw new ApiError('CONFLICT', 'The quote has been executed', { reason: 'QUOTE_ALREADY_EXECUTED' })
}

/**
 * Call it with the quote locked. While an action of its agent waits for approval, only the approval may execute the quote. Written in
 * SQL, because Postgres does not use the index of waiting actions for Prisma's form of the status.
 */
export const requireNotWaiting = async (tx: Tx, { platformId }: Caller, id: string): Promise<void> => {
  const waiting = await tx.$queryRaw<object[]>`
    select from agent_actions
    where platform_id = ${platformId}::uuid and quote_id = ${id}::uuid and status = 'PENDING_APPROVAL'`
  if (waiting.length > 0)
    throw new ApiError('CONFLICT', 'The quote is under approval', { reason: 'QUOTE_UNDER_APPROVAL' })
}

/** Undefined if no stamp is needed. Throws 401 if the stamp is missing or wrong, or if the quote has no payload to sign. */
export const stampFor = ({ type }: InternalAccount, quote: QuoteRow, signature: string | null): Stamp | undefined => {
  if (type !== 'EMBEDDED_WALLET') return undefined
  if (signature === null) {
    throw new ApiError('WALLET_SIGNATURE_MISSING', 'A payment from a wallet needs the wallet signature')
  }
  const stamp = parseStamp(signature)
  const instructions = quote.paymentInstructions as { accountOrWalletInfo: { payloadToSign?: string } }[] | null
  const payload = instructions?.[0]?.accountOrWalletInfo.payloadToSign
  if (!payload || !isSignedBy(stamp, payload)) throw signatureMismatch()
  return stamp
}

export const requireSession = async (
  tx: Tx,
  { platformId }: Caller,
  accountId: string,
  stamp: Stamp,
): Promise<void> => {
  const key = Buffer.from(stamp.publicKey)
  const [session] = await tx.$queryRaw<unknown[]>`
    select 1 from active_sessions
    where platform_id = ${platformId}::uuid and account_id = ${accountId}::uuid and public_key = ${key} limit 1`
  if (!session) throw signerNotAllowed('an active session of the wallet')
}
