// What a quote is asked for (domain reference 6, request).
import { z } from 'zod'
import { PAYMENT_RAILS } from '#accounts/payment-rail.ts'
import { amountOf, idOf, labelOf, parse, textOf } from '#core/input.ts'
import { LOCKED_SIDES, MAX_AMOUNT } from '#quotes/price.ts'

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

export const CRYPTO_NETWORKS = ['SOLANA', 'TRON', 'POLYGON', 'BASE', 'ETHEREUM'] as const

const currency = textOf(16)
const customerId = idOf('Customer').nullish()

const source = z.discriminatedUnion(
  'sourceType',
  [
    z.object({
      sourceType: z.literal('ACCOUNT'),
      accountId: idOf('InternalAccount', 'ExternalAccount'),
      customerId,
    }),
    z.object({
      sourceType: z.literal('REALTIME_FUNDING'),
      currency,
      customerId,
      cryptoNetwork: labelOf(CRYPTO_NETWORKS).nullish(),
    }),
  ],
  { error: 'must have the sourceType ACCOUNT or REALTIME_FUNDING' },
)

const destination = z.discriminatedUnion(
  'destinationType',
  [
    z.object({
      destinationType: z.literal('ACCOUNT'),
      accountId: idOf('InternalAccount', 'ExternalAccount'),
      paymentRail: labelOf(PAYMENT_RAILS).nullish(),
    }),
    z.object({ destinationType: z.literal('UMA_ADDRESS'), umaAddress: textOf(255), currency: currency.nullish() }),
  ],
  { error: 'must have the destinationType ACCOUNT or UMA_ADDRESS' },
)

export const quoteRequest = z.object({
  source,
  destination,
  lockedCurrencySide: labelOf(LOCKED_SIDES),
  lockedCurrencyAmount: amountOf(1n, MAX_AMOUNT),
  lookupId: idOf('LookupRequest').nullish(),
  immediatelyExecute: z.boolean({ error: 'must be true or false' }).nullish(),
  description: textOf(1000).nullish(),
  remittanceInformation: textOf(80).nullish(),
  purposeOfPayment: labelOf(PURPOSES_OF_PAYMENT).nullish(),
  senderCustomerInfo: z.record(z.string(), z.string(), { error: 'must be a map of strings' }).nullish(),
})
export type QuoteRequest = z.output<typeof quoteRequest>

/** 400 `INVALID_INPUT` for a field that is missing or ill-formed. */
export const parseQuoteRequest = (input: unknown): QuoteRequest => parse(quoteRequest, input)
