// The parties of a payment as callers name them.
import { z } from 'zod'
import { CRYPTO_NETWORKS } from '#accounts/funding/networks.ts'
import { PAYMENT_RAILS } from '#accounts/payment-rail.ts'
import { currencyCode, idOf, labelOf, textOf } from '#core/input.ts'

export const paymentRail = labelOf(PAYMENT_RAILS).nullish().describe('One of the rails of an external account.')
export const remittanceInformation = textOf(80).nullish()

const customerId = idOf('Customer').nullish().describe('`Customer:<uuid>` of the payer.')

export const source = z.discriminatedUnion('sourceType', [
  z.object({
    sourceType: z.literal('ACCOUNT').describe('An account that is debited.'),
    accountId: idOf('InternalAccount', 'ExternalAccount').describe('`InternalAccount:<uuid>` that is debited.'),
    customerId,
  }),
  z.object({
    sourceType: z.literal('REALTIME_FUNDING').describe('Money that is pushed to the service after the quote is made.'),
    currency: currencyCode,
    customerId,
    cryptoNetwork: labelOf(CRYPTO_NETWORKS)
      .nullish()
      .describe(
        'The network over which a stablecoin or BTC is pushed. Required for a stablecoin. The default for BTC is LIGHTNING.',
      ),
  }),
])

export const destination = z.discriminatedUnion('destinationType', [
  z.object({
    destinationType: z.literal('ACCOUNT').describe('An account that receives the payment.'),
    accountId: idOf('InternalAccount', 'ExternalAccount'),
    paymentRail,
  }),
  z.object({
    destinationType: z.literal('UMA_ADDRESS').describe('A UMA address that receives the payment.'),
    umaAddress: textOf(255).describe('For example `$alice@bank.example`.'),
    currency: currencyCode.nullish().describe('Code of the currency that is received.'),
  }),
])

/** Who pays, and who is paid. */
export interface PartiesInput {
  readonly source: z.output<typeof source>
  readonly destination: z.output<typeof destination>
  readonly lookupId?: string | null | undefined
}
