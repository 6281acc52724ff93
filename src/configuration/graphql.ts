// `platformConfig` and `updatePlatformConfig`: the configuration of the platform.
import '#webhooks/graphql.ts'
import {
  TOKENIZATION_TEXTS,
  type TokenizationSettings,
  tokenizationEmail,
  tokenizationSettings,
  tokenizationSms,
} from '#cards/tokenization.ts'
import { currencyOf } from '#core/currencies.ts'
import { publicId } from '#core/ids.ts'
import { money } from '#core/money.ts'
import { DEFAULT_SENDER_NAME, WALLET_TEXTS, walletSettings } from '#credentials/kinds/otp/settings.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { inputOf } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { CurrencyType, MoneyType } from '#graphql/money.ts'
import { addMutation, payloadOf } from '#graphql/mutation.ts'
import {
  type CounterpartyField,
  type PlatformCurrency,
  PlatformCurrencyRecord,
} from '#platforms/settings/currencies.ts'
import { counterpartyFieldsOf, customerFieldsOf } from '#platforms/settings/customer-fields.ts'
import { CUSTOMER_INFO_FIELDS } from '#platforms/settings/customer-info-fields.ts'
import { FEE_TEXTS, FEE_TYPES, feeConfig, fixedFee, type PlatformFee } from '#quotes/platform-fee.ts'
import { TransactionTypeEnum } from '#transactions/graphql-enums.ts'
import { ENDPOINT_TEXTS, WebhookEndpointRecord } from '#webhooks/endpoint.ts'
import { WebhookEndpointType } from '#webhooks/graphql.ts'
import {
  CONFIGURATION_TEXTS,
  type Configuration,
  changeConfiguration,
  configurationChanges,
  PlatformConfigRecord,
  type PlatformSettings,
  proxySubdomainOf,
  readConfiguration,
} from './configuration.ts'
import { CURRENCY_TEXTS, counterpartyField, supportedCurrency } from './supported-currencies.ts'

const { texts } = PlatformConfigRecord
const currencyTexts = PlatformCurrencyRecord.texts

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

const FeeTypeEnum = enumOf('FeeType', 'The payments that carry a fee of the platform.', FEE_TYPES, {
  CROSS_CURRENCY_TRANSACTION: 'Payments that convert one currency into another.',
})

const CounterpartyFieldType = builder.objectRef<CounterpartyField>('CounterpartyField').implement({
  description: 'A fact about the other party of a payment.',
  fields: (t) => ({
    name: t.expose('name', { type: CustomerInfoFieldEnum, nullable: false, description: CURRENCY_TEXTS.name }),
    mandatory: t.exposeBoolean('mandatory', { nullable: false, description: CURRENCY_TEXTS.mandatory }),
  }),
})

const SupportedCurrencyType = builder.objectRef<PlatformCurrency>('SupportedCurrency').implement({
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

const EmbeddedWalletConfigType = builder.objectRef<PlatformSettings>('EmbeddedWalletConfig').implement({
  description: CONFIGURATION_TEXTS.embeddedWalletConfig,
  fields: (t) => ({
    appName: t.exposeString('appName', { description: WALLET_TEXTS.appName }),
    otpLength: t.exposeInt('otpLength', { nullable: false, description: WALLET_TEXTS.otpLength }),
    alphanumeric: t.exposeBoolean('otpAlphanumeric', { nullable: false, description: WALLET_TEXTS.alphanumeric }),
    expirationSeconds: t.exposeInt('otpExpirationSeconds', {
      nullable: false,
      description: WALLET_TEXTS.expirationSeconds,
    }),
    sendFromEmailAddress: t.exposeString('sendFromEmailAddress', { description: WALLET_TEXTS.sendFromEmailAddress }),
    sendFromEmailSenderName: t.string({
      nullable: false,
      description: WALLET_TEXTS.sendFromEmailSenderName,
      resolve: ({ sendFromEmailSenderName }) => sendFromEmailSenderName ?? DEFAULT_SENDER_NAME,
    }),
    replyToEmailAddress: t.exposeString('replyToEmailAddress', { description: WALLET_TEXTS.replyToEmailAddress }),
    logoUrl: t.exposeString('logoUrl', { description: WALLET_TEXTS.logoUrl }),
  }),
})

const TokenizationEmailType = builder
  .objectRef<NonNullable<TokenizationSettings['email']>>('CardTokenizationEmail')
  .implement({
    description: TOKENIZATION_TEXTS.email,
    fields: (t) => ({
      fromAddress: t.exposeString('fromAddress', { description: TOKENIZATION_TEXTS.fromAddress }),
      fromName: t.exposeString('fromName', { description: TOKENIZATION_TEXTS.fromName }),
      replyToAddress: t.exposeString('replyToAddress', { description: TOKENIZATION_TEXTS.replyToAddress }),
      subject: t.exposeString('subject', { description: TOKENIZATION_TEXTS.subject }),
      bodyText: t.exposeString('bodyText', { description: TOKENIZATION_TEXTS.bodyText }),
    }),
  })

const TokenizationSmsType = builder
  .objectRef<NonNullable<TokenizationSettings['sms']>>('CardTokenizationSms')
  .implement({
    description: TOKENIZATION_TEXTS.sms,
    fields: (t) => ({
      templateSid: t.exposeString('templateSid', { description: TOKENIZATION_TEXTS.templateSid }),
      bodyText: t.exposeString('bodyText', { description: TOKENIZATION_TEXTS.smsBodyText }),
    }),
  })

const TokenizationConfigType = builder.objectRef<TokenizationSettings>('CardTokenization2faConfig').implement({
  description: CONFIGURATION_TEXTS.cardTokenization2faConfig,
  fields: (t) => ({
    displayName: t.exposeString('displayName', { description: TOKENIZATION_TEXTS.displayName }),
    logoUrl: t.exposeString('logoUrl', { description: TOKENIZATION_TEXTS.logoUrl }),
    email: t.expose('email', { type: TokenizationEmailType, description: TOKENIZATION_TEXTS.email }),
    sms: t.expose('sms', { type: TokenizationSmsType, description: TOKENIZATION_TEXTS.sms }),
  }),
})

const FeeConfigType = builder.objectRef<PlatformFee>('FeeConfig').implement({
  description: "A fee of the platform's own.",
  fields: (t) => ({
    feeType: t.expose('feeType', { type: FeeTypeEnum, nullable: false, description: FEE_TEXTS.feeType }),
    sourceCurrency: t.exposeString('sourceCurrency', { nullable: false, description: FEE_TEXTS.sourceCurrency }),
    variableFeeBps: t.exposeInt('variableFeeBps', { nullable: false, description: FEE_TEXTS.variableFeeBps }),
    fixedFee: t.field({
      type: MoneyType,
      nullable: false,
      description: FEE_TEXTS.fixedFee,
      resolve: (fee) => money(fee.fixedFee, fee.sourceCurrency),
    }),
  }),
})

const PlatformConfigType = builder.objectRef<Configuration>('PlatformConfig').implement({
  description: 'The configuration of the platform.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: texts.id,
      resolve: ({ platform }) => publicId('PlatformConfig', platform.id),
    }),
    umaDomain: t.string({ description: texts.umaDomain, resolve: ({ platform }) => platform.umaDomain }),
    proxyUmaSubdomain: t.string({
      nullable: false,
      description: CONFIGURATION_TEXTS.proxyUmaSubdomain,
      resolve: ({ platform }) => proxySubdomainOf(platform),
    }),
    webhookEndpoint: t.expose('endpoint', {
      type: WebhookEndpointType,
      description: WebhookEndpointRecord.texts.url,
    }),
    supportedCurrencies: t.expose('currencies', {
      type: [SupportedCurrencyType],
      nullable: { list: false, items: false },
      description: CONFIGURATION_TEXTS.supportedCurrencies,
    }),
    isRegulatedFinancialInstitution: t.boolean({
      nullable: false,
      description: texts.isRegulatedFinancialInstitution,
      resolve: ({ platform }) => platform.isRegulatedFinancialInstitution,
    }),
    embeddedWalletConfig: t.field({
      type: EmbeddedWalletConfigType,
      nullable: false,
      description: CONFIGURATION_TEXTS.embeddedWalletConfig,
      resolve: ({ platform }) => platform,
    }),
    cardTokenization2faConfig: t.field({
      type: TokenizationConfigType,
      nullable: false,
      description: CONFIGURATION_TEXTS.cardTokenization2faConfig,
      resolve: ({ platform }) => platform.cardTokenization,
    }),
    feeConfigs: t.expose('fees', {
      type: [FeeConfigType],
      nullable: { list: false, items: false },
      description: CONFIGURATION_TEXTS.feeConfigs,
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: texts.createdAt,
      resolve: ({ platform }) => platform.createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: texts.updatedAt,
      resolve: ({ platform }) => platform.updatedAt,
    }),
  }),
})

/** A row for each of its parts. */
const ROWS_OF_CONFIGURATION = 4

builder.queryField('platformConfig', (t) =>
  t.field({
    type: PlatformConfigType,
    description: 'The configuration of the platform.',
    extensions: costing({ rows: ROWS_OF_CONFIGURATION }),
    resolve: (_root, _args, { caller }) => readConfiguration(caller),
  }),
)

inputOf('CounterpartyFieldInput', 'A fact about the other party of a payment.', counterpartyField)
inputOf('SupportedCurrencyInput', 'A currency that the platform supports.', supportedCurrency)
inputOf('EmbeddedWalletConfigInput', CONFIGURATION_TEXTS.embeddedWalletConfig, walletSettings)
inputOf('CardTokenizationEmailInput', TOKENIZATION_TEXTS.email, tokenizationEmail)
inputOf('CardTokenizationSmsInput', TOKENIZATION_TEXTS.sms, tokenizationSms)
inputOf(
  'CardTokenization2faConfigInput',
  CONFIGURATION_TEXTS.cardTokenization2faConfig,
  tokenizationSettings,
)
inputOf('FeeCurrencyInput', 'A currency. Its code is enough.', fixedFee.shape.currency)
inputOf('FixedFeeInput', 'The fixed part of a fee.', fixedFee)
inputOf('FeeConfigInput', "A fee of the platform's own.", feeConfig)

interface Changed {
  readonly platformConfig: Configuration
  readonly webhookSecret: string | null
}

const UpdatePlatformConfigSuccess = builder.objectRef<Changed>('UpdatePlatformConfigSuccess').implement({
  description: 'The configuration is changed.',
  fields: (t) => ({
    platformConfig: t.expose('platformConfig', {
      type: PlatformConfigType,
      nullable: false,
      description: 'The configuration after the change.',
    }),
    webhookSecret: t.exposeString('webhookSecret', { description: ENDPOINT_TEXTS.secret }),
  }),
})

addMutation('updatePlatformConfig', {
  description:
    'Changes the configuration. Omitted fields are kept. Errors: `INVALID_INPUT`, `INVALID_CURRENCY`; `NOT_IMPLEMENTED` for a fee in another currency than USD. REST: `PATCH /config`.',
  input: inputOf('UpdatePlatformConfigInput', 'Input of `updatePlatformConfig`.', configurationChanges),
  check: configurationChanges,
  payload: payloadOf(
    'UpdatePlatformConfigPayload',
    'Result of `updatePlatformConfig`.',
    [UpdatePlatformConfigSuccess],
    [400, 403],
  ),
  resolve: async (input, { caller }) => {
    const { webhookSecret, ...platformConfig } = await changeConfiguration(caller, input)
    return { __typename: 'UpdatePlatformConfigSuccess', platformConfig, webhookSecret }
  },
})
