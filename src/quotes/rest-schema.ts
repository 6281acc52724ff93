import { z } from 'zod'
import { paymentRailSchema } from '#accounts/rest-schema.ts'
import { idOf } from '#core/input.ts'

const account = idOf('InternalAccount', 'ExternalAccount')
const currency = z.string().optional().describe('Code of the currency.')

const onChainTransaction = z
  .object({ transactionHash: z.string(), network: z.string().describe('For example BITCOIN, ETHEREUM or SOLANA.') })
  .meta({ id: 'OnChainTransaction', description: 'The transfer on a blockchain.' })
  .optional()

const customerId = idOf('Customer').optional()

export const sourceSchema = z
  .discriminatedUnion('sourceType', [
    z
      .object({ sourceType: z.literal('ACCOUNT'), accountId: account, customerId, currency, onChainTransaction })
      .meta({ id: 'AccountSource', description: 'An account, held here or outside.' }),
    z
      .object({ sourceType: z.literal('UMA_ADDRESS'), umaAddress: z.string(), currency })
      .meta({ id: 'UmaAddressSource', description: 'A UMA address, for example $alice@example.com.' }),
    z
      .object({
        sourceType: z.literal('REALTIME_FUNDING'),
        currency,
        customerId,
        accountHolderName: z.string().optional(),
        accountIdentifier: z.string().optional().describe('The account that sent, masked.'),
        bankName: z.string().optional(),
        bankIdentifier: z.string().optional(),
        paymentRail: paymentRailSchema.optional(),
        remittanceInformation: z.string().optional(),
        endToEndId: z.string().optional(),
        traceNumber: z.string().optional(),
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
        destinationType: z.literal('ACCOUNT'),
        accountId: account,
        currency,
        paymentRail: paymentRailSchema.optional(),
        onChainTransaction,
      })
      .meta({ id: 'AccountDestination', description: 'An account, held here or outside.' }),
    z
      .object({ destinationType: z.literal('UMA_ADDRESS'), umaAddress: z.string(), currency })
      .meta({ id: 'UmaAddressDestination', description: 'A UMA address, for example $alice@example.com.' }),
  ])
  .meta({ id: 'Destination', description: 'Where money goes to.' })

export const rateDetailsSchema = z
  .object({
    counterpartyMultiplier: z.number().gt(0).describe('From mSATs to the receiving currency.'),
    counterpartyFixedFee: z.int().min(0).describe('In the smallest unit of the receiving currency.'),
    serviceApiMultiplier: z.number().gt(0).describe('From the sending currency to mSATs, with variable fees.'),
    serviceApiFixedFee: z.int().min(0).describe('In the smallest unit of the sending currency.'),
    serviceApiVariableFeeRate: z.number().min(0).describe('A fraction: 0.003 is 0.3 %.'),
    serviceApiVariableFeeAmount: z.number().min(0).describe('In the smallest unit of the sending currency.'),
  })
  .meta({ id: 'OutgoingRateDetails', description: 'How the amount of a UMA payment was computed.' })

export const counterpartySchema = z
  .record(z.string(), z.string())
  .meta({ id: 'CounterpartyInformation', description: 'Facts about the other side, for example FULL_NAME.' })

/** Sending per receiving, in whole units. */
export const exchangeRateSchema = z
  .number()
  .gt(0)
  .describe('Sending currency per receiving currency, in whole units, of the amount net of fees.')
