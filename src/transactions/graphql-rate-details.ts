import { optionalMoney } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { MoneyType } from '#graphql/money.ts'
import { RATE_DETAILS_TEXTS, type RateDetails } from './rate-details.ts'

interface RateDetailsOfPayment extends RateDetails {
  readonly sendingCurrency: string | null
  readonly receivingCurrency: string | null
}

const moneyIn = (currency: string | null, amount: number) => optionalMoney(BigInt(amount), currency)

export const RateDetailsType = builder.objectRef<RateDetailsOfPayment>('OutgoingRateDetails').implement({
  description: 'How an outgoing amount was computed.',
  fields: (t) => ({
    counterpartyMultiplier: t.exposeFloat('counterpartyMultiplier', {
      nullable: false,
      description: RATE_DETAILS_TEXTS.counterpartyMultiplier,
    }),
    counterpartyFixedFee: t.expose('counterpartyFixedFee', {
      type: 'Int64',
      nullable: false,
      description: RATE_DETAILS_TEXTS.counterpartyFixedFee,
    }),
    counterpartyFixedFeeMoney: t.field({
      type: MoneyType,
      description: '`counterpartyFixedFee` with its currency.',
      resolve: (details) => moneyIn(details.receivingCurrency, details.counterpartyFixedFee),
    }),
    serviceApiMultiplier: t.exposeFloat('serviceApiMultiplier', {
      nullable: false,
      description: RATE_DETAILS_TEXTS.serviceApiMultiplier,
    }),
    serviceApiFixedFee: t.expose('serviceApiFixedFee', {
      type: 'Int64',
      nullable: false,
      description: RATE_DETAILS_TEXTS.serviceApiFixedFee,
    }),
    serviceApiFixedFeeMoney: t.field({
      type: MoneyType,
      description: '`serviceApiFixedFee` with its currency.',
      resolve: (details) => moneyIn(details.sendingCurrency, details.serviceApiFixedFee),
    }),
    serviceApiVariableFeeRate: t.exposeFloat('serviceApiVariableFeeRate', {
      nullable: false,
      description: RATE_DETAILS_TEXTS.serviceApiVariableFeeRate,
    }),
    serviceApiVariableFeeAmount: t.expose('serviceApiVariableFeeAmount', {
      type: 'Int64',
      nullable: false,
      description: RATE_DETAILS_TEXTS.serviceApiVariableFeeAmount,
    }),
    serviceApiVariableFeeMoney: t.field({
      type: MoneyType,
      description: '`serviceApiVariableFeeAmount` with its currency.',
      resolve: (details) => moneyIn(details.sendingCurrency, details.serviceApiVariableFeeAmount),
    }),
  }),
})
