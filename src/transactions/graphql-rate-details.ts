import { optionalMoney } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { MoneyType } from '#graphql/money.ts'
import { RATE_DETAILS_TEXTS, type RateDetails } from './rate-details.ts'

interface RateDetailsOfPayment extends RateDetails {
  readonly sendingCurrency: string | null
  readonly receivingCurrency: string | null
}

const sending = (amount: number, { sendingCurrency }: RateDetailsOfPayment) =>
  optionalMoney(BigInt(amount), sendingCurrency)
const receiving = (amount: number, { receivingCurrency }: RateDetailsOfPayment) =>
  optionalMoney(BigInt(amount), receivingCurrency)

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
      resolve: (details) => receiving(details.counterpartyFixedFee, details),
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
      resolve: (details) => sending(details.serviceApiFixedFee, details),
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
      resolve: (details) => sending(details.serviceApiVariableFeeAmount, details),
    }),
  }),
})
