import { optionalMoney } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { MoneyType } from '#graphql/money.ts'
import type { RateDetails } from './rate-details.ts'

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
      description: 'From mSATs to the receiving currency, as returned by the counterparty. Greater than 0.',
    }),
    counterpartyFixedFee: t.expose('counterpartyFixedFee', {
      type: 'Int64',
      nullable: false,
      description:
        'Smallest unit of the receiving currency. Its sending-currency equivalent moves with the FX rate, so a later quote for the same transfer can show a different total fee.',
    }),
    counterpartyFixedFeeMoney: t.field({
      type: MoneyType,
      description: '`counterpartyFixedFee` with its currency.',
      resolve: (details) => receiving(details.counterpartyFixedFee, details),
    }),
    serviceApiMultiplier: t.exposeFloat('serviceApiMultiplier', {
      nullable: false,
      description: 'From the sending currency to mSATs, including variable fees. Greater than 0.',
    }),
    serviceApiFixedFee: t.expose('serviceApiFixedFee', {
      type: 'Int64',
      nullable: false,
      description: 'Smallest unit of the sending currency.',
    }),
    serviceApiFixedFeeMoney: t.field({
      type: MoneyType,
      description: '`serviceApiFixedFee` with its currency.',
      resolve: (details) => sending(details.serviceApiFixedFee, details),
    }),
    serviceApiVariableFeeRate: t.exposeFloat('serviceApiVariableFeeRate', {
      nullable: false,
      description: 'Share of the sending amount: 0.003 is 0.3 %.',
    }),
    serviceApiVariableFeeAmount: t.expose('serviceApiVariableFeeAmount', {
      type: 'Int64',
      nullable: false,
      description: 'Sending amount times the variable fee rate, in the smallest unit of the sending currency.',
    }),
    serviceApiVariableFeeMoney: t.field({
      type: MoneyType,
      description: '`serviceApiVariableFeeAmount` with its currency.',
      resolve: (details) => sending(details.serviceApiVariableFeeAmount, details),
    }),
  }),
})
