// What a quote is asked for (domain reference 6, request).
import { z } from 'zod'
import { PAYMENT_RAILS } from '#accounts/payment-rail.ts'
import { amountOf, currencyCode, idOf, labelOf, parse, textOf } from '#core/input.ts'
import { LOCKED_SIDES, MAX_AMOUNT } from './price.ts'

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

export const paymentRail = labelOf(PAYMENT_RAILS).nullish().describe('One of the rails of an external account.')
export const remittanceInformation = textOf(80).nullish().describe('What the receiver reads.')

const customerId = idOf('Customer').nullish().describe('`Customer:<uuid>` of the payer.')

const source = z.discriminatedUnion(
  'sourceType',
  [
    z.object({
      sourceType: z.literal('ACCOUNT').describe('An account that is debited.'),
      accountId: idOf('InternalAccount', 'ExternalAccount').describe('`InternalAccount:<uuid>` that is debited.'),
      customerId,
    }),
    z.object({
      sourceType: z
        .literal('REALTIME_FUNDING')
        .describe('Money that is pushed to the service after the quote is made.'),
      currency: currencyCode,
      customerId,
      cryptoNetwork: labelOf(CRYPTO_NETWORKS)
        .nullish()
        .describe('Where a stablecoin is pushed to the service. Needed for a stablecoin.'),
    }),
  ],
  { error: 'must have the sourceType ACCOUNT or REALTIME_FUNDING' },
)

const destination = z.discriminatedUnion(
  'destinationType',
  [
    z.object({
      destinationType: z.literal('ACCOUNT').describe('An account that is paid.'),
      accountId: idOf('InternalAccount', 'ExternalAccount'),
      paymentRail,
    }),
    z.object({
      destinationType: z.literal('UMA_ADDRESS').describe('A UMA address that is paid.'),
      umaAddress: textOf(255).describe('For example `$alice@bank.example`.'),
      currency: currencyCode.nullish().describe('Code of the currency that arrives.'),
    }),
  ],
  { error: 'must have the destinationType ACCOUNT or UMA_ADDRESS' },
)

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
