import { z } from 'zod'
import { currencyCodeSchema, pageSchema, timeSchema } from '#rest/schema.ts'
import { DISCOVERY_TEXTS } from './discoveries.ts'
import { EXCHANGE_RATE_TEXTS } from './exchange-rates.ts'
import { CORRIDOR_RAILS } from './rails.ts'
import { VASP_TEXTS } from './vasps.ts'
import { WITHDRAWAL_FEE_TEXTS } from './withdrawal-fee.ts'

const rate = EXCHANGE_RATE_TEXTS

export const exchangeRateSchema = z
  .object({
    sourceCurrency: currencyCodeSchema.describe(rate.sourceCurrency),
    destinationCurrency: currencyCodeSchema.describe(rate.destinationCurrency),
    destinationPaymentRail: z.enum(CORRIDOR_RAILS).describe(rate.destinationPaymentRail),
    sendingAmount: z.int().describe(rate.sendingAmount),
    minSendingAmount: z.int().describe(rate.minSendingAmount),
    maxSendingAmount: z.int().describe(rate.maxSendingAmount),
    receivingAmount: z.int().describe(rate.receivingAmount),
    exchangeRate: z.number().describe(rate.exchangeRate),
    fees: z
      .object({ fixed: z.int().describe(rate.fixed), total: z.int().describe(rate.total) })
      .meta({ id: 'ExchangeRateFees', description: rate.fees }),
    updatedAt: timeSchema(rate.updatedAt),
  })
  .meta({ id: 'ExchangeRate', description: 'Terms of one corridor on one rail.' })

export const exchangeRateListSchema = z
  .object({ data: z.array(exchangeRateSchema).describe('One row for each corridor and rail.') })
  .meta({ id: 'ExchangeRateList', description: 'A complete list, in the order of the currencies.' })

export const discoverySchema = z
  .object({
    bankName: z.string().describe(DISCOVERY_TEXTS.bankName),
    displayName: z.string().describe(DISCOVERY_TEXTS.displayName),
    country: z.string().describe(DISCOVERY_TEXTS.country),
    currency: z.string().describe(DISCOVERY_TEXTS.currency),
  })
  .meta({ id: 'Discovery', description: 'A bank at which accounts can be held.' })

export const discoveryListSchema = z
  .object({ data: z.array(discoverySchema).describe('The banks.') })
  .meta({ id: 'DiscoveryList', description: 'A complete list, by country and name.' })

export const vaspSchema = z
  .object({
    vaspName: z.string().describe(VASP_TEXTS.vaspName),
    url: z.string().optional().describe(VASP_TEXTS.url),
  })
  .meta({ id: 'Vasp', description: 'A virtual asset service provider (VASP).' })

export const vaspPageSchema = pageSchema('VaspPage', vaspSchema)

export const withdrawalFeeSchema = z
  .object({
    networkFee: z.int().describe(WITHDRAWAL_FEE_TEXTS.networkFee),
    networkFeeAsset: z.string().describe(WITHDRAWAL_FEE_TEXTS.networkFeeAsset),
    applicationFee: z.int().describe(WITHDRAWAL_FEE_TEXTS.applicationFee),
    totalFee: z.int().describe(WITHDRAWAL_FEE_TEXTS.totalFee),
    netAmount: z.int().describe(WITHDRAWAL_FEE_TEXTS.netAmount),
  })
  .meta({ id: 'WithdrawalFee', description: 'An estimate of the fees of a withdrawal.' })
