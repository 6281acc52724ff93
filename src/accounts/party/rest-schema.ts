// `source` and `destination` of quotes and transactions.
import { z } from 'zod'
import { paymentRailSchema } from '#accounts/rest-schema.ts'
import { FUNDING_TEXTS, PARTY_TEXTS } from '#accounts/texts.ts'
import { idOf } from '#core/input.ts'
import { currencyCodeSchema, discriminator } from '#rest/schema.ts'

const sourceType = <const T extends string>(form: T) => discriminator(form).describe(PARTY_TEXTS.sourceType)
const destinationType = <const T extends string>(form: T) => discriminator(form).describe(PARTY_TEXTS.destinationType)
const account = idOf('InternalAccount', 'ExternalAccount').describe(PARTY_TEXTS.accountId)
const currency = currencyCodeSchema.optional().describe(PARTY_TEXTS.currency)
const umaAddress = z.string().describe(PARTY_TEXTS.umaAddress)

const onChainTransaction = z
  .object({
    transactionHash: z.string().describe(PARTY_TEXTS.transactionHash),
    network: z.string().describe(PARTY_TEXTS.network),
  })
  .meta({ id: 'OnChainTransaction', description: 'A transaction on a blockchain.' })
  .optional()
  .describe(PARTY_TEXTS.onChainTransaction)

const customerId = idOf('Customer').optional().describe(PARTY_TEXTS.ownerId)

export const sourceSchema = z
  .discriminatedUnion('sourceType', [
    z
      .object({ sourceType: sourceType('ACCOUNT'), accountId: account, customerId, currency, onChainTransaction })
      .meta({ id: 'AccountSource', description: 'An internal or external account.' }),
    z
      .object({ sourceType: sourceType('UMA_ADDRESS'), umaAddress, currency })
      .meta({ id: 'UmaAddressSource', description: 'A UMA address, for example $alice@example.com.' }),
    z
      .object({
        sourceType: sourceType('REALTIME_FUNDING'),
        currency: currencyCodeSchema.describe(PARTY_TEXTS.currency),
        customerId: customerId.describe(PARTY_TEXTS.payerId),
        accountHolderName: z.string().optional().describe(FUNDING_TEXTS.accountHolderName),
        accountIdentifier: z.string().optional().describe(FUNDING_TEXTS.accountIdentifier),
        bankName: z.string().optional().describe(FUNDING_TEXTS.bankName),
        bankIdentifier: z.string().optional().describe(FUNDING_TEXTS.bankIdentifier),
        paymentRail: paymentRailSchema.optional().describe(FUNDING_TEXTS.paymentRail),
        remittanceInformation: z.string().optional().describe(FUNDING_TEXTS.remittanceInformation),
        endToEndId: z.string().optional().describe(FUNDING_TEXTS.endToEndId),
        traceNumber: z.string().optional().describe(FUNDING_TEXTS.traceNumber),
        onChainTransaction,
      })
      .meta({
        id: 'RealtimeFundingSource',
        description: 'Money that is pushed to the service, with the facts that the bank reported.',
      }),
  ])
  .meta({ id: 'Source', description: 'Where the money comes from.' })

export const destinationSchema = z
  .discriminatedUnion('destinationType', [
    z
      .object({
        destinationType: destinationType('ACCOUNT'),
        accountId: account,
        currency,
        paymentRail: paymentRailSchema.optional().describe(PARTY_TEXTS.paymentRail),
        onChainTransaction,
      })
      .meta({ id: 'AccountDestination', description: 'An internal or external account.' }),
    z
      .object({ destinationType: destinationType('UMA_ADDRESS'), umaAddress, currency })
      .meta({ id: 'UmaAddressDestination', description: 'A UMA address, for example $alice@example.com.' }),
  ])
  .meta({ id: 'Destination', description: 'Where the money goes.' })
