// `/config`: the configuration of the platform.
import { currencyOf } from '#core/codes/currencies.ts'
import { publicId } from '#core/ids.ts'
import { DEFAULT_SENDER_NAME } from '#credentials/kinds/otp/settings.ts'
import { counterpartyFieldsOf, customerFieldsOf } from '#platforms/settings/customer-fields.ts'
import { bodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import {
  type Configuration,
  changeConfiguration,
  type PlatformSettings,
  proxySubdomainOf,
  readConfiguration,
} from './configuration.ts'
import type { changedConfigurationSchema, configurationSchema } from './rest-schema.ts'

export const configurationRoutes = router()

configurationRoutes.get('/', async (context) =>
  context.json(configurationBody(await readConfiguration(context.var.caller))),
)

configurationRoutes.patch('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  const { webhookSecret, ...changed } = await changeConfiguration(context.var.caller, input)
  return context.json({
    ...configurationBody(changed),
    webhookSecret: webhookSecret ?? undefined,
  } satisfies BodyOf<typeof changedConfigurationSchema>)
})

const configurationBody = ({
  platform,
  endpoint,
  signingKeys,
  currencies,
  fees,
}: Configuration): BodyOf<typeof configurationSchema> => ({
  id: publicId('PlatformConfig', platform.id),
  umaDomain: platform.umaDomain ?? undefined,
  proxyUmaSubdomain: proxySubdomainOf(platform),
  webhookEndpoint: endpoint?.url,
  webhookSigningPublicKey: signingKeys?.publicKey,
  webhookNextSigningPublicKey: signingKeys?.nextPublicKey ?? undefined,
  supportedCurrencies: currencies.map((supported) => ({
    currencyCode: supported.currency,
    minAmount: Number(supported.minAmount),
    maxAmount: Number(supported.maxAmount),
    requiredCounterpartyFields: supported.requiredCounterpartyFields,
    enabledTransactionTypes: supported.enabledTransactionTypes,
    providerRequiredCustomerFields: customerFieldsOf(supported.currency),
    providerRequiredCounterpartyCustomerFields: counterpartyFieldsOf(supported.currency),
  })),
  isRegulatedFinancialInstitution: platform.isRegulatedFinancialInstitution,
  embeddedWalletConfig: {
    appName: platform.appName ?? undefined,
    otpLength: platform.otpLength,
    alphanumeric: platform.otpAlphanumeric,
    expirationSeconds: platform.otpExpirationSeconds,
    sendFromEmailAddress: platform.sendFromEmailAddress ?? undefined,
    sendFromEmailSenderName: platform.sendFromEmailSenderName ?? DEFAULT_SENDER_NAME,
    replyToEmailAddress: platform.replyToEmailAddress ?? undefined,
    logoUrl: platform.logoUrl ?? undefined,
  },
  passkeyConfig: passkeyBody(platform),
  cardTokenization2faConfig: platform.cardTokenization,
  feeConfigs: fees.map(({ fixedFee, ...fee }) => ({
    ...fee,
    fixedFee: { amount: Number(fixedFee), currency: currencyOf(fee.sourceCurrency) },
  })),
  createdAt: platform.createdAt,
  updatedAt: platform.updatedAt,
})

/** Absent while a platform has its initial settings, because the fields that the specification lists for /config include none for passkeys. */
const passkeyBody = ({
  passkeyOrigins: origins,
  passkeyRequireUserVerification: requireUserVerification,
}: PlatformSettings) =>
  origins.length === 0 && requireUserVerification ? undefined : { origins, requireUserVerification }
