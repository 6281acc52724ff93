// A platform's settings for one-time codes, cards and fees.
import {
  TOKENIZATION_TEXTS,
  type TokenizationSettings,
  tokenizationEmail,
  tokenizationSettings,
  tokenizationSms,
} from '#cards/tokenization.ts'
import { money } from '#core/money.ts'
import { DEFAULT_SENDER_NAME, WALLET_TEXTS, walletSettings } from '#credentials/kinds/otp/settings.ts'
import { PASSKEY_TEXTS, passkeySettings } from '#credentials/kinds/passkey/settings.ts'
import { builder } from '#graphql/builder.ts'
import { from } from '#graphql/compiled/field.ts'
import { enumOf } from '#graphql/enums.ts'
import { inputOf } from '#graphql/input-of.ts'
import { MoneyType } from '#graphql/money.ts'
import { FEE_TEXTS, FEE_TYPES, feeConfig, fixedFee, type PlatformFee } from '#quotes/platform-fee.ts'
import { CONFIGURATION_TEXTS, type PlatformSettings } from './configuration.ts'

export const EmbeddedWalletConfigType = builder.objectRef<PlatformSettings>('EmbeddedWalletConfig').implement({
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
      ...from<PlatformSettings>()(
        ['sendFromEmailSenderName'],
        ({ sendFromEmailSenderName }) => sendFromEmailSenderName ?? DEFAULT_SENDER_NAME,
      ),
    }),
    replyToEmailAddress: t.exposeString('replyToEmailAddress', { description: WALLET_TEXTS.replyToEmailAddress }),
    logoUrl: t.exposeString('logoUrl', { description: WALLET_TEXTS.logoUrl }),
  }),
})

export const PasskeyConfigType = builder.objectRef<PlatformSettings>('PasskeyConfig').implement({
  description: CONFIGURATION_TEXTS.passkeyConfig,
  fields: (t) => ({
    origins: t.exposeStringList('passkeyOrigins', { nullable: false, description: PASSKEY_TEXTS.origins }),
    requireUserVerification: t.exposeBoolean('passkeyRequireUserVerification', {
      nullable: false,
      description: PASSKEY_TEXTS.requireUserVerification,
    }),
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

export const TokenizationConfigType = builder.objectRef<TokenizationSettings>('CardTokenization2faConfig').implement({
  description: CONFIGURATION_TEXTS.cardTokenization2faConfig,
  fields: (t) => ({
    displayName: t.exposeString('displayName', { description: TOKENIZATION_TEXTS.displayName }),
    logoUrl: t.exposeString('logoUrl', { description: TOKENIZATION_TEXTS.logoUrl }),
    email: t.expose('email', { type: TokenizationEmailType, description: TOKENIZATION_TEXTS.email }),
    sms: t.expose('sms', { type: TokenizationSmsType, description: TOKENIZATION_TEXTS.sms }),
  }),
})

const FeeTypeEnum = enumOf('FeeType', 'The payments that carry a fee of the platform.', FEE_TYPES, {
  CROSS_CURRENCY_TRANSACTION: 'Payments that convert one currency into another.',
})

export const FeeConfigType = builder.objectRef<PlatformFee>('FeeConfig').implement({
  description: 'A fee that the platform charges.',
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

inputOf('EmbeddedWalletConfigInput', CONFIGURATION_TEXTS.embeddedWalletConfig, walletSettings)
inputOf('PasskeyConfigInput', CONFIGURATION_TEXTS.passkeyConfig, passkeySettings)
inputOf('CardTokenizationEmailInput', TOKENIZATION_TEXTS.email, tokenizationEmail)
inputOf('CardTokenizationSmsInput', TOKENIZATION_TEXTS.sms, tokenizationSms)
inputOf('CardTokenization2faConfigInput', CONFIGURATION_TEXTS.cardTokenization2faConfig, tokenizationSettings)
inputOf('FeeCurrencyInput', 'A currency. Its code is enough.', fixedFee.shape.currency)
inputOf('FixedFeeInput', 'The fixed part of a fee.', fixedFee)
inputOf('FeeConfigInput', 'A fee that the platform charges.', feeConfig)
