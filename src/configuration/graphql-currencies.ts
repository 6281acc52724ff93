// The supported currencies of a platform.
import { currencyOf } from '#core/codes/currencies.ts'
import { builder } from '#graphql/builder.ts'
import { inputOf } from '#graphql/input-of.ts'
import { CurrencyType, withCurrency } from '#graphql/money.ts'
import { type PlatformCurrency, PlatformCurrencyRecord } from '#platforms/settings/currencies.ts'
import { counterpartyFieldsOf, customerFieldsOf } from '#platforms/settings/customer-fields.ts'
import { CounterpartyFieldType, CustomerInfoFieldEnum } from '#platforms/settings/graphql.ts'
import { TransactionTypeEnum } from '#transactions/graphql-enums.ts'
import { CURRENCY_TEXTS, counterpartyField, supportedCurrency } from './supported-currencies.ts'

const { texts: currencyTexts } = PlatformCurrencyRecord

export const SupportedCurrencyType = builder.objectRef<PlatformCurrency>('SupportedCurrency').implement({
  description: 'A currency that the platform supports.',
  fields: (t) => ({
    currencyCode: t.exposeString('currency', { nullable: false, description: currencyTexts.currency }),
    currency: t.field({
      type: CurrencyType,
      nullable: false,
      description: 'The currency.',
      resolve: ({ currency }) => currencyOf(currency),
    }),
    minAmount: t.expose('minAmount', { type: 'Int64', nullable: false, description: currencyTexts.minAmount }),
    minAmountMoney: t.field({ nullable: false, ...withCurrency('minAmount', 'currency') }),
    maxAmount: t.expose('maxAmount', { type: 'Int64', nullable: false, description: currencyTexts.maxAmount }),
    maxAmountMoney: t.field({ nullable: false, ...withCurrency('maxAmount', 'currency') }),
    requiredCounterpartyFields: t.expose('requiredCounterpartyFields', {
      type: [CounterpartyFieldType],
      nullable: { list: false, items: false },
      description: currencyTexts.requiredCounterpartyFields,
    }),
    enabledTransactionTypes: t.expose('enabledTransactionTypes', {
      type: [TransactionTypeEnum],
      nullable: { list: false, items: false },
      description: currencyTexts.enabledTransactionTypes,
    }),
    providerRequiredCustomerFields: t.field({
      type: [CustomerInfoFieldEnum],
      nullable: { list: false, items: false },
      description: CURRENCY_TEXTS.providerRequiredCustomerFields,
      resolve: ({ currency }) => customerFieldsOf(currency),
    }),
    providerRequiredCounterpartyCustomerFields: t.field({
      type: [CustomerInfoFieldEnum],
      nullable: { list: false, items: false },
      description: CURRENCY_TEXTS.providerRequiredCounterpartyCustomerFields,
      resolve: ({ currency }) => counterpartyFieldsOf(currency),
    }),
  }),
})

inputOf('CounterpartyFieldInput', 'A piece of information about the counterparty of a payment.', counterpartyField)
inputOf('SupportedCurrencyInput', 'A currency that the platform supports.', supportedCurrency)
