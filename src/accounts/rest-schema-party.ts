// `source` and `destination` of quotes and transactions.
import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { currencyCodeSchema, discriminator } from '#rest/schema.ts'
import { paymentRailSchema } from './rest-schema.ts'

const account = idOf('InternalAccount', 'ExternalAccount')
const currency = currencyCodeSchema.optional()
const umaAddress = z.string().describe('For example `$alice@bank.example`.')

const onChainTransaction = z
  .object({
    transactionHash: z.string().describe('As the network writes it.'),
    network: z.string().describe('For example BITCOIN, ETHEREUM or SOLANA.'),
  })
  .meta({ id: 'OnChainTransaction', description: 'The transfer on a blockchain.' })
  .optional()

const customerId = idOf('Customer').optional().describe('`Customer:<uuid>` of the owner.')

export const sourceSchema = z
  .discriminatedUnion('sourceType', [
    z
      .object({ sourceType: discriminator('ACCOUNT'), accountId: account, customerId, currency, onChainTransaction })
      .meta({ id: 'AccountSource', description: 'An account, held here or outside.' }),
    z
      .object({ sourceType: discriminator('UMA_ADDRESS'), umaAddress, currency })
      .meta({ id: 'UmaAddressSource', description: 'A UMA address, for example $alice@example.com.' }),
    z
      .object({
        sourceType: discriminator('REALTIME_FUNDING'),
        currency,
        customerId: customerId.describe('`Customer:<uuid>` of the payer.'),
        accountHolderName: z.string().optional().describe('Holder of the account that paid.'),
        accountIdentifier: z.string().optional().describe('The account that sent, masked.'),
        bankName: z.string().optional().describe('Name of the sender’s bank.'),
        bankIdentifier: z.string().optional().describe('Routing number or BIC of the sender’s bank.'),
        paymentRail: paymentRailSchema.optional(),
        remittanceInformation: z.string().optional().describe('Text that the sender gave.'),
        endToEndId: z.string().optional().describe('End-to-end id of the rail.'),
        traceNumber: z.string().optional().describe('Trace number of the rail.'),
        onChainTransaction,
      })
      .meta({
        id: 'RealtimeFundingSource',
        description: 'Money that is pushed to us, with what the bank tells of it.',
      }),
  ])
  .meta({ id: 'Source', description: 'Where money comes from.' })

export const destinationSchema = z
  .discriminatedUnion('destinationType', [
    z
      .object({
        destinationType: discriminator('ACCOUNT'),
        accountId: account,
        currency,
        paymentRail: paymentRailSchema.optional(),
        onChainTransaction,
      })
      .meta({ id: 'AccountDestination', description: 'An account, held here or outside.' }),
    z
      .object({ destinationType: discriminator('UMA_ADDRESS'), umaAddress, currency })
      .meta({ id: 'UmaAddressDestination', description: 'A UMA address, for example $alice@example.com.' }),
  ])
  .meta({ id: 'Destination', description: 'Where money goes to.' })
