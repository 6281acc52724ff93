// The request for a quote (docs/domain/quotes.md#request).
import { z } from 'zod'
import { amountOf, idOf, labelOf, parse, textOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { destination, remittanceInformation, source } from '#settlement/party-input.ts'
import { LOCKED_SIDES } from './price.ts'

export const PURPOSES_OF_PAYMENT = [
  'GIFT',
  'SELF',
  'GOODS_OR_SERVICES',
  'EDUCATION',
  'HEALTH_OR_MEDICAL',
  'REAL_ESTATE_PURCHASE',
  'TAX_PAYMENT',
  'LOAN_PAYMENT',
  'UTILITY_BILL',
  'DONATION',
  'TRAVEL',
  'FAMILY_SUPPORT',
  'SALARY_PAYMENT',
  'OTHER',
] as const

export const quoteRequest = z.object({
  source: source.describe('Where the money comes from.'),
  destination: destination.describe('Where it goes.'),
  lockedCurrencySide: labelOf(LOCKED_SIDES).describe(
    'Which amount is fixed: `SENDING` is what is sent, fees included, `RECEIVING` what arrives.',
  ),
  lockedCurrencyAmount: amountOf(1n, MAX_AMOUNT).describe('The fixed amount, in the smallest unit of its side.'),
  lookupId: idOf('LookupRequest').nullish().describe('`LookupRequest:<uuid>`. Needed for a UMA address.'),
  immediatelyExecute: z
    .boolean({ error: 'must be true or false' })
    .nullish()
    .describe('Whether it is executed at once. Not for wallets, real-time funding and agents.'),
  description: textOf(1000).nullish().describe('Memo of the transaction.'),
  remittanceInformation,
  purposeOfPayment: labelOf(PURPOSES_OF_PAYMENT).nullish().describe('What the payment is for.'),
  senderCustomerInfo: z
    .record(z.string(), z.string(), { error: 'must be a map of strings' })
    .nullish()
    .describe('Facts about the sender, for example `FULL_NAME`. Not used yet.'),
})
export type QuoteRequest = z.output<typeof quoteRequest>

/** 400 `INVALID_INPUT` for a field that is missing or ill-formed. */
export const parseQuoteRequest = (input: unknown): QuoteRequest => parse(quoteRequest, input)
