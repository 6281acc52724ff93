import { z } from 'zod'
import { TOKENIZATION_TEXTS } from '#cards/tokenization.ts'
import { idOf } from '#core/input.ts'
import { WALLET_TEXTS } from '#credentials/kinds/otp/settings.ts'
import { PASSKEY_TEXTS } from '#credentials/kinds/passkey/settings.ts'
import { PlatformCurrencyRecord } from '#platforms/settings/currencies.ts'
import { CUSTOMER_INFO_FIELDS } from '#platforms/settings/customer-info-fields.ts'
import { counterpartyFieldSchema } from '#platforms/settings/rest-schema.ts'
import { FEE_TEXTS, FEE_TYPES } from '#quotes/platform-fee.ts'
import { currencyAmountSchema, timeSchema } from '#rest/schema.ts'
import { TRANSACTION_TYPES } from '#transactions/transaction.ts'
import { ENDPOINT_TEXTS, WebhookEndpointRecord } from '#webhooks/endpoint.ts'
import { CONFIGURATION_TEXTS, PlatformConfigRecord } from './configuration.ts'
import { CURRENCY_TEXTS } from './supported-currencies.ts'

const { texts } = PlatformConfigRecord
const currencyTexts = PlatformCurrencyRecord.texts
const infoField = z.enum(CUSTOMER_INFO_FIELDS)
const smallestUnits = z.int().min(0)

const supportedCurrencySchema = z
  .object({
    currencyCode: z.string().describe(currencyTexts.currency),
    minAmount: smallestUnits.describe(currencyTexts.minAmount),
    maxAmount: smallestUnits.describe(currencyTexts.maxAmount),
    requiredCounterpartyFields: z.array(counterpartyFieldSchema).describe(currencyTexts.requiredCounterpartyFields),
    enabledTransactionTypes: z.array(z.enum(TRANSACTION_TYPES)).describe(currencyTexts.enabledTransactionTypes),
    providerRequiredCustomerFields: z.array(infoField).describe(CURRENCY_TEXTS.providerRequiredCustomerFields),
    providerRequiredCounterpartyCustomerFields: z
      .array(infoField)
      .describe(CURRENCY_TEXTS.providerRequiredCounterpartyCustomerFields),
  })
  .meta({ id: 'SupportedCurrency', description: 'A currency that the platform supports.' })

const embeddedWalletSchema = z
  .object({
    appName: z.string().optional().describe(WALLET_TEXTS.appName),
    otpLength: z.int().describe(WALLET_TEXTS.otpLength),
    alphanumeric: z.boolean().describe(WALLET_TEXTS.alphanumeric),
    expirationSeconds: z.int().describe(WALLET_TEXTS.expirationSeconds),
    sendFromEmailAddress: z.string().optional().describe(WALLET_TEXTS.sendFromEmailAddress),
    sendFromEmailSenderName: z.string().describe(WALLET_TEXTS.sendFromEmailSenderName),
    replyToEmailAddress: z.string().optional().describe(WALLET_TEXTS.replyToEmailAddress),
    logoUrl: z.string().optional().describe(WALLET_TEXTS.logoUrl),
  })
  .meta({ id: 'EmbeddedWalletConfig', description: CONFIGURATION_TEXTS.embeddedWalletConfig })

const passkeySchema = z
  .object({
    origins: z.array(z.string()).describe(PASSKEY_TEXTS.origins),
    requireUserVerification: z.boolean().describe(PASSKEY_TEXTS.requireUserVerification),
  })
  .meta({ id: 'PasskeyConfig', description: CONFIGURATION_TEXTS.passkeyConfig })

const tokenizationSchema = z
  .object({
    displayName: z.string().optional().describe(TOKENIZATION_TEXTS.displayName),
    logoUrl: z.string().optional().describe(TOKENIZATION_TEXTS.logoUrl),
    email: z
      .object({
        fromAddress: z.string().optional().describe(TOKENIZATION_TEXTS.fromAddress),
        fromName: z.string().optional().describe(TOKENIZATION_TEXTS.fromName),
        replyToAddress: z.string().optional().describe(TOKENIZATION_TEXTS.replyToAddress),
        subject: z.string().optional().describe(TOKENIZATION_TEXTS.subject),
        bodyText: z.string().optional().describe(TOKENIZATION_TEXTS.bodyText),
      })
      .meta({ id: 'CardTokenizationEmail', description: TOKENIZATION_TEXTS.email })
      .optional(),
    sms: z
      .object({
        templateSid: z.string().optional().describe(TOKENIZATION_TEXTS.templateSid),
        bodyText: z.string().optional().describe(TOKENIZATION_TEXTS.smsBodyText),
      })
      .meta({ id: 'CardTokenizationSms', description: TOKENIZATION_TEXTS.sms })
      .optional(),
  })
  .meta({ id: 'CardTokenization2faConfig', description: CONFIGURATION_TEXTS.cardTokenization2faConfig })

const feeConfigSchema = z
  .object({
    feeType: z.enum(FEE_TYPES).describe(FEE_TEXTS.feeType),
    sourceCurrency: z.string().describe(FEE_TEXTS.sourceCurrency),
    variableFeeBps: z.int().describe(FEE_TEXTS.variableFeeBps),
    fixedFee: currencyAmountSchema.describe(FEE_TEXTS.fixedFee),
  })
  .meta({ id: 'FeeConfig', description: 'A fee that the platform charges.' })

export const configurationSchema = z
  .object({
    id: idOf('PlatformConfig').describe(texts.id),
    umaDomain: z.string().optional().describe(texts.umaDomain),
    proxyUmaSubdomain: z.string().describe(CONFIGURATION_TEXTS.proxyUmaSubdomain),
    webhookEndpoint: z.string().optional().describe(WebhookEndpointRecord.texts.url),
    webhookSigningPublicKey: z.string().optional().describe(WebhookEndpointRecord.texts.publicKey),
    webhookNextSigningPublicKey: z.string().optional().describe(WebhookEndpointRecord.texts.nextPublicKey),
    supportedCurrencies: z.array(supportedCurrencySchema).describe(CONFIGURATION_TEXTS.supportedCurrencies),
    isRegulatedFinancialInstitution: z.boolean().describe(texts.isRegulatedFinancialInstitution),
    embeddedWalletConfig: embeddedWalletSchema,
    passkeyConfig: passkeySchema.optional(),
    cardTokenization2faConfig: tokenizationSchema,
    feeConfigs: z.array(feeConfigSchema).describe(CONFIGURATION_TEXTS.feeConfigs),
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'PlatformConfig', description: 'The configuration of the platform.' })

export const changedConfigurationSchema = configurationSchema
  .extend({ webhookSecret: z.string().optional().describe(ENDPOINT_TEXTS.secret) })
  .meta({ id: 'ChangedPlatformConfig', description: 'The configuration of the platform after the change.' })
