// Pushes the money that a quote waits for, as if its payer had followed the payment instructions.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { PaymentInstructions } from '#accounts/account-info.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { partsOfId } from '#core/ids.ts'
import { amountOf, currencyCode, idOf, parse } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { requireSandbox } from '#core/only-sandbox.ts'
import { selectWritten } from '#database/record.ts'
import { quoteForFunding } from '#quotes/funding.ts'
import { receiveFunding } from '#settlement/arrivals/funding.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { payerOfSandbox } from './payer.ts'

export const sandboxPush = z.object({
  quoteId: idOf('Quote').describe('The quote, which is funded in real time.'),
  currencyCode: currencyCode.describe('The sending currency of the quote.'),
  currencyAmount: amountOf(1n, MAX_AMOUNT)
    .nullish()
    .describe(
      'The amount pushed, in the smallest unit of the currency. Defaults to the amount that the quote waits for.',
    ),
})

/**
 * The right amount starts the payment. Another amount makes it FAILED with `FUNDING_AMOUNT_MISMATCH`, and after the quote has expired every amount is
 * too late: the money is returned. Needs the permission TRANSACT. Throws 403 `FORBIDDEN` in production, 404 `QUOTE_NOT_FOUND`, 400
 * `INVALID_CURRENCY`, and 400 `INVALID_INPUT` with the reason `NOT_FUNDED_IN_REAL_TIME` or `FUNDING_NOT_EXPECTED` for a
 * quote that is not waiting for money.
 */
export const sendFunds = async (caller: PlatformCaller, input: unknown): Promise<Transaction> => {
  requireSandbox(caller, 'TRANSACT')
  const { quoteId, currencyCode: code, currencyAmount } = parse(sandboxPush, input)
  const { quote, payment } = await quoteForFunding(caller, partsOfId(quoteId).uuid)
  if (quote.sourceType !== 'REALTIME_FUNDING') throw refused('It is not funded in real time', 'NOT_FUNDED_IN_REAL_TIME')
  if (quote.sendingCurrency !== code) {
    throw new ApiError('INVALID_CURRENCY', `The quote is funded in ${quote.sendingCurrency}`, { field: 'currencyCode' })
  }
  const hash = createHash('sha256').update(quote.id).digest('hex')
  const instructions = quote.paymentInstructions as readonly PaymentInstructions[] | null
  const source = payerOfSandbox({
    currency: code,
    hash,
    reference: payment.reconciliationReference ?? undefined,
    accountType: instructions?.[0]?.accountOrWalletInfo.accountType,
  })
  const outcome = await receiveFunding(caller, payment, {
    amount: currencyAmount ?? quote.totalSendingAmount,
    ...source,
  })
  if (outcome === 'UNEXPECTED') throw refused('It is not waiting for money', 'FUNDING_NOT_EXPECTED')
  return selectWritten(caller, TransactionRecord, payment.id)
}

const refused = (message: string, reason: string) =>
  new ApiError('INVALID_INPUT', `The quote cannot be funded: ${message.toLowerCase()}`, { field: 'quoteId', reason })
