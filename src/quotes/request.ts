// The request for a quote (docs/domain/quotes.md#request).
import { z } from 'zod'
import { amountOf, idOf, labelOf, parseChanges, textOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { destination, remittanceInformation, source } from '#settlement/party-input.ts'
import { scaFactor } from './execute.ts'
import { LOCKED_SIDES } from './price.ts'
import { QUOTE_FIELDS, QUOTE_TEXTS } from './quote.ts'

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
  source: source.describe(QUOTE_TEXTS.source),
  destination: destination.describe(QUOTE_TEXTS.destination),
  lockedCurrencySide: labelOf(LOCKED_SIDES).describe(
    'Which amount is fixed: the amount sent including fees (`SENDING`), or the amount received (`RECEIVING`).',
  ),
  lockedCurrencyAmount: amountOf(1n, MAX_AMOUNT).describe(
    'The fixed amount, in the smallest unit of the currency of `lockedCurrencySide`.',
  ),
  lookupId: idOf('LookupRequest', 'Lookup').nullish().describe('`LookupRequest:<uuid>`. Required for a UMA address.'),
  immediatelyExecute: z
    .boolean({ error: 'must be true or false' })
    .nullish()
    .describe('Whether to execute the quote at once. Rejected for wallets, real-time funding and agents.'),
  description: textOf(1000).nullish().describe('Memo of the transaction.'),
  remittanceInformation: remittanceInformation.describe(
    'Text for the receiver, at most 80 characters. Stored for the payout, and not returned by any field.',
  ),
  purposeOfPayment: labelOf(PURPOSES_OF_PAYMENT)
    .nullish()
    .describe('Purpose of the payment. Stored for the payout, and not returned by any field.'),
  scaFactor,
  senderCustomerInfo: z
    .record(z.string(), z.string(), { error: 'must be a map of strings' })
    .nullish()
    .describe(
      'Facts about the sender that the receiver of a UMA payment asks for, for example `FULL_NAME`. They replace those of the customer.',
    ),
})
export type QuoteRequest = z.output<typeof quoteRequest>

/** Throws 400 `INVALID_INPUT` for a missing or malformed field, and for a field of the quote that is not in the request. */
export const parseQuoteRequest = (input: unknown): QuoteRequest => parseChanges(quoteRequest, input, QUOTE_FIELDS)
