// `/exchange-rates`, `/discoveries`, `/vasps` and `/crypto/estimate-withdrawal-fee`.
import { invalidInput } from '#core/errors.ts'
import { bodyOf } from '#rest/body.ts'
import { sendPage } from '#rest/page.ts'
import { queryOf, valuesOf, windowOfQuery } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { type Discovery, listDiscoveries } from './discoveries.ts'
import { type ExchangeRate, listExchangeRates } from './exchange-rates.ts'
import type { discoverySchema, exchangeRateSchema, vaspSchema, withdrawalFeeSchema } from './rest-schema.ts'
import { listVasps, type Vasp } from './vasps.ts'
import { estimateWithdrawalFee } from './withdrawal-fee.ts'

export const exchangeRateRoutes = router()

const RATE_PARAMETERS = ['sourceCurrency', 'destinationCurrency', 'sendingAmount']

exchangeRateRoutes.get('/', async (context) => {
  const { sourceCurrency, destinationCurrency, sendingAmount } = valuesOf(context.req.url, RATE_PARAMETERS, [
    'destinationCurrency',
  ])
  const rates = await listExchangeRates(context.var.caller, {
    sourceCurrency: sourceCurrency?.[0],
    destinationCurrency,
    sendingAmount: sendingAmount && integerOf('sendingAmount', sendingAmount[0] ?? ''),
  })
  return context.json({ data: rates.map(exchangeRateBody) })
})

const integerOf = (field: string, text: string): number => {
  if (!/^\d{1,16}$/.test(text)) throw invalidInput(field, `${field} must be an integer`)
  return Number(text)
}

const exchangeRateBody = (rate: ExchangeRate): BodyOf<typeof exchangeRateSchema> => ({
  ...rate,
  sendingAmount: Number(rate.sendingAmount),
  minSendingAmount: Number(rate.minSendingAmount),
  maxSendingAmount: Number(rate.maxSendingAmount),
  receivingAmount: Number(rate.receivingAmount),
  fees: { fixed: Number(rate.fees.fixed), total: Number(rate.fees.total) },
})

export const discoveryRoutes = router()

discoveryRoutes.get('/', (context) => {
  const found = listDiscoveries(context.var.caller, queryOf(context.req.url, ['country', 'currency']))
  return context.json({ data: found.map(discoveryBody) })
})

const discoveryBody = ({ bankName, displayName, country, currency }: Discovery): BodyOf<typeof discoverySchema> => ({
  bankName,
  displayName,
  country,
  currency,
})

export const vaspRoutes = router()

vaspRoutes.get('/', (context) => {
  const found = listVasps(
    context.var.caller,
    windowOfQuery({ ...queryOf(context.req.url, ['limit', 'cursor']), sortOrder: 'asc' }),
  )
  return sendPage(context, found, found.page.items.map(vaspBody))
})

const vaspBody = ({ vaspName, url }: Vasp): BodyOf<typeof vaspSchema> => ({ vaspName, ...(url && { url }) })

export const cryptoRoutes = router()

cryptoRoutes.post('/estimate-withdrawal-fee', async (context) => {
  const input = await bodyOf(context, 'VIEW')
  const { networkFeeAsset, ...amounts } = await estimateWithdrawalFee(context.var.caller, input)
  const body: BodyOf<typeof withdrawalFeeSchema> = {
    networkFee: Number(amounts.networkFee),
    networkFeeAsset,
    applicationFee: Number(amounts.applicationFee),
    totalFee: Number(amounts.totalFee),
    netAmount: Number(amounts.netAmount),
  }
  return context.json(body)
})
