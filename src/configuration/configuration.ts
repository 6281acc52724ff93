// The configuration of a platform. Each part belongs to a slice, which defines, checks and writes it; this folder puts
// the parts together (docs/domain/platform.md#configuration).
import { z } from 'zod'
import {
  checkTokenization,
  type TokenizationSettings,
  tokenizationSettings,
  writeTokenization,
} from '#cards/tokenization.ts'
import { type Caller, ENVIRONMENTS, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { parseChanges, textOf } from '#core/input.ts'
import {
  checkWalletSettings,
  WALLET_TEXTS,
  walletSettings,
  writeWalletSettings,
} from '#credentials/kinds/otp/settings.ts'
import { PASSKEY_TEXTS, passkeySettings, writePasskeySettings } from '#credentials/kinds/passkey/settings.ts'
import { lookUp, sql } from '#database/db.ts'
import { flag, integer, json, listOf, nullable, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { findCurrencies, type PlatformCurrency } from '#platforms/settings/currencies.ts'
import { checkFees, feeConfig, findFees, type PlatformFee, writeFees } from '#quotes/platform-fee.ts'
import {
  findEndpointAndKeys,
  prepareEndpoint,
  replaceEndpoint,
  type SigningKeys,
  type WebhookEndpoint,
} from '#webhooks/endpoint.ts'
import {
  checkCurrencies,
  fixedCurrencyFields,
  MAX_CURRENCIES,
  supportedCurrency,
  writeCurrencies,
} from './supported-currencies.ts'

const UMA_DOMAIN = 'The domain of the UMA addresses of the platform, for example `pay.example.com`.'

export const PlatformConfigRecord = record(
  'platform_configs',
  {
    id: text.describe(
      "`PlatformConfig:<uuid>`, which the platform's own transactions and accounts carry in place of a customer's id.",
    ),
    name: text.describe('Name of the platform.'),
    environment: oneOf(ENVIRONMENTS).describe('Environment of the platform.'),
    umaDomain: nullable(text).describe(UMA_DOMAIN),
    isRegulatedFinancialInstitution: flag.describe(
      'Whether the platform is a regulated financial institution. The operator of the service decides.',
    ),
    appName: nullable(text).describe(WALLET_TEXTS.appName),
    otpLength: integer.describe(WALLET_TEXTS.otpLength),
    otpAlphanumeric: flag.describe(WALLET_TEXTS.alphanumeric),
    otpExpirationSeconds: integer.describe(WALLET_TEXTS.expirationSeconds),
    sendFromEmailAddress: nullable(text).describe(WALLET_TEXTS.sendFromEmailAddress),
    sendFromEmailSenderName: nullable(text).describe(WALLET_TEXTS.sendFromEmailSenderName),
    replyToEmailAddress: nullable(text).describe(WALLET_TEXTS.replyToEmailAddress),
    logoUrl: nullable(text).describe(WALLET_TEXTS.logoUrl),
    passkeyOrigins: listOf<string>([]).describe(PASSKEY_TEXTS.origins),
    passkeyRequireUserVerification: flag.describe(PASSKEY_TEXTS.requireUserVerification),
    cardTokenization: json<TokenizationSettings>(),
    createdAt: time.describe('When the platform was created.'),
    updatedAt: time.describe('When the platform was last changed.'),
  },
  'REFUSED',
)
export type PlatformSettings = RecordOf<typeof PlatformConfigRecord>

/** Fields that are not columns of the platform. */
export const CONFIGURATION_TEXTS = {
  proxyUmaSubdomain: 'The subdomain of the service that answers UMA requests for `umaDomain`. The service assigns it.',
  supportedCurrencies:
    'The currencies of payments, accounts and customers. An empty list means every currency, in any amount.',
  embeddedWalletConfig: 'One-time codes, and the messages that carry them.',
  passkeyConfig: 'Where passkeys may be used. REST omits it until it is set.',
  cardTokenization2faConfig: "Messages with the codes that add a card to a phone's wallet.",
  feeConfigs: "The platform's own fees, which the payer pays.",
} as const

export interface Configuration {
  readonly platform: PlatformSettings
  readonly endpoint: WebhookEndpoint | null
  /** Null until the first endpoint is set. */
  readonly signingKeys: SigningKeys | null
  readonly currencies: readonly PlatformCurrency[]
  readonly fees: readonly PlatformFee[]
}

/** A DNS label that no other platform has. */
export const proxySubdomainOf = ({ id }: Pick<PlatformSettings, 'id'>): string => id.replaceAll('-', '')

/** Needs the permission VIEW. */
export const readConfiguration = async (caller: Caller): Promise<Configuration> => {
  PlatformConfigRecord.requireView(caller)
  return findConfiguration(caller)
}

const findConfiguration = async (caller: Caller): Promise<Configuration> => {
  const [[row], webhooks, currencies, fees] = await Promise.all([
    lookUp(sql`
      select ${PlatformConfigRecord.columns} from ${PlatformConfigRecord.table} t where t.id = ${caller.platformId}::uuid`),
    findEndpointAndKeys(caller),
    findCurrencies(caller),
    findFees(caller),
  ])
  if (!row) throw new Error('The platform of the caller is gone')
  return { platform: PlatformConfigRecord.read(row), ...webhooks, currencies, fees }
}

/** The hyphen is escaped for the flag v, which the attribute `pattern` of HTML forms uses. */
const LABEL = String.raw`[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?`
const DOMAIN = new RegExp(String.raw`^${LABEL}(?:\.${LABEL})+$`)

export const configurationChanges = z.object({
  umaDomain: textOf(253)
    .regex(DOMAIN, 'must be a domain in lower case, for example pay.example.com')
    .nullable()
    .optional()
    .describe(`${UMA_DOMAIN} Null removes it.`),
  webhookEndpoint: textOf(2000)
    .nullable()
    .optional()
    .describe(
      'The https:// URL that receives events, on port 443 or from 1024 up, reachable from the internet. The sandbox also accepts http://, on port 80 or from 1024 up. Setting it sends the event `TEST`, unless the chosen types leave it out. Null removes it.',
    ),
  supportedCurrencies: z
    .array(supportedCurrency, { error: 'must be a list' })
    .max(MAX_CURRENCIES, `must have at most ${MAX_CURRENCIES} items`)
    .optional()
    .describe(`${CONFIGURATION_TEXTS.supportedCurrencies} The list replaces the previous one.`),
  embeddedWalletConfig: walletSettings
    .optional()
    .describe(`${CONFIGURATION_TEXTS.embeddedWalletConfig} Omitted fields are kept, and null restores the default.`),
  passkeyConfig: passkeySettings.optional().describe(`${CONFIGURATION_TEXTS.passkeyConfig} Omitted fields are kept.`),
  cardTokenization2faConfig: tokenizationSettings
    .optional()
    .describe(`${CONFIGURATION_TEXTS.cardTokenization2faConfig} Omitted fields are kept, and null clears a field.`),
  feeConfigs: z
    .array(feeConfig, { error: 'must be a list' })
    .max(MAX_CURRENCIES, `must have at most ${MAX_CURRENCIES} items`)
    .optional()
    .describe(
      `${CONFIGURATION_TEXTS.feeConfigs} Each replaces the fee of its currency, and 0 in both parts turns it off. Fees of other currencies are kept.`,
    ),
})

const FIXED_FIELDS = [
  'id',
  'proxyUmaSubdomain',
  'webhookSigningPublicKey',
  'webhookNextSigningPublicKey',
  'webhookSecret',
  'isRegulatedFinancialInstitution',
  'createdAt',
  'updatedAt',
]

/**
 * Omitted fields are kept. Needs the permission MANAGE. Returns the secret of a new endpoint once. Everything is checked before anything
 * changes, in one transaction.
 */
export const changeConfiguration = async (
  caller: PlatformCaller,
  input: unknown,
): Promise<Configuration & { readonly webhookSecret: string | null }> => {
  requirePermission(caller, 'MANAGE')
  const { platformId: id, environment } = caller
  const changes = parseChanges(configurationChanges, input, [...FIXED_FIELDS, ...fixedCurrencyFields(input)])
  const { umaDomain, webhookEndpoint, supportedCurrencies, feeConfigs } = changes
  const { embeddedWalletConfig: wallet, passkeyConfig: passkeys, cardTokenization2faConfig: tokenization } = changes
  if (supportedCurrencies) checkCurrencies(supportedCurrencies)
  if (wallet) checkWalletSettings(environment, wallet, 'embeddedWalletConfig')
  if (tokenization) checkTokenization(environment, tokenization, 'cardTokenization2faConfig')
  if (feeConfigs) checkFees(feeConfigs)
  if (webhookEndpoint !== undefined) await prepareEndpoint(caller, webhookEndpoint, 'webhookEndpoint')
  const isChange = Object.values(changes).some((change) => change !== undefined)
  const webhookSecret = await inTransaction(async (tx) => {
    if (!isChange) return null
    // Concurrent changes take turns, so that none is lost.
    await tx.$executeRaw`update platforms set updated_at = now() where id = ${id}::uuid`
    if (umaDomain !== undefined) await tx.platform.update({ where: { id }, data: { umaDomain }, select: { id: true } })
    if (supportedCurrencies) await writeCurrencies(tx, id, supportedCurrencies)
    if (wallet) await writeWalletSettings(tx, id, wallet)
    if (passkeys) await writePasskeySettings(tx, id, passkeys)
    if (tokenization) await writeTokenization(tx, id, tokenization)
    if (feeConfigs) await writeFees(tx, id, feeConfigs)
    return webhookEndpoint === undefined ? null : replaceEndpoint(tx, caller, webhookEndpoint)
  })
  return { ...(await findConfiguration(caller)), webhookSecret }
}
