// The supported currencies of a platform.
import { currencyOf } from '#core/codes/currencies.ts'
import { money } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { inputOf } from '#graphql/input-of.ts'
import { CurrencyType, MoneyType } from '#graphql/money.ts'
import {
  type CounterpartyField,
  type PlatformCurrency,
  PlatformCurrencyRecord,
} from '#platforms/settings/currencies.ts'
import { counterpartyFieldsOf, customerFieldsOf } from '#platforms/settings/customer-fields.ts'
import { CUSTOMER_INFO_FIELDS } from '#platforms/settings/customer-info-fields.ts'
import { TransactionTypeEnum } from '#transactions/graphql-enums.ts'
import { CURRENCY_TEXTS, counterpartyField, supportedCurrency } from './supported-currencies.ts'

const { texts: currencyTexts } = PlatformCurrencyRecord

const CustomerInfoFieldEnum = enumOf(
  'CustomerInfoFieldName',
  'A fact about a person or a business, as `counterpartyInformation` names it.',
  CUSTOMER_INFO_FIELDS,
  {
    FULL_NAME: 'Full name.',
    BIRTH_DATE: 'Date of birth.',
    NATIONALITY: 'Nationality.',
    PHONE_NUMBER: 'Phone number.',
    EMAIL: 'Email address.',
    POSTAL_ADDRESS: 'Postal address.',
    TAX_ID: 'Tax number.',
    REGISTRATION_NUMBER: 'Registration number of a business.',
    USER_TYPE: 'Person or business.',
    COUNTRY_OF_RESIDENCE: 'Country of residence.',
    ACCOUNT_IDENTIFIER: 'Identifier of the account.',
    FI_LEGAL_ENTITY_NAME: 'Legal name of the financial institution.',
    FI_ADDRESS: 'Address of the financial institution.',
    PURPOSE_OF_PAYMENT: 'Purpose of the payment.',
    ULTIMATE_INSTITUTION_COUNTRY: 'Country of the institution that holds the account.',
    IDENTIFIER: 'UMA address or other identifier.',
    BUSINESS_TYPE: 'Type of business.',
    COMPANY_LEGAL_NAME: 'Legal name of the company.',
    ID_TYPE: 'Type of the identity document.',
    ID_NUMBER: 'Number of the identity document.',
  },
)

const CounterpartyFieldType = builder.objectRef<CounterpartyField>('CounterpartyField').implement({
  description: 'A fact about the other party of a payment.',
  fields: (t) => ({
    name: t.expose('name', { type: CustomerInfoFieldEnum, nullable: false, description: CURRENCY_TEXTS.name }),
    mandatory: t.exposeBoolean('mandatory', { nullable: false, description: CURRENCY_TEXTS.mandatory }),
  }),
})

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
    minAmountMoney: t.field({
      type: MoneyType,
      nullable: false,
      description: '`minAmount` with its currency.',
      resolve: ({ minAmount, currency }) => money(minAmount, currency),
    }),
    maxAmount: t.expose('maxAmount', { type: 'Int64', nullable: false, description: currencyTexts.maxAmount }),
    maxAmountMoney: t.field({
      type: MoneyType,
      nullable: false,
      description: '`maxAmount` with its currency.',
      resolve: ({ maxAmount, currency }) => money(maxAmount, currency),
    }),
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

inputOf('CounterpartyFieldInput', 'A fact about the other party of a payment.', counterpartyField)
inputOf('SupportedCurrencyInput', 'A currency that the platform supports.', supportedCurrency)
