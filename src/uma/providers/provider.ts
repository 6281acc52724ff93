// The UMA providers that a platform deals with. The operator adds them (docs/domain/uma.md#providers).
import { z } from 'zod'
import { countryCode } from '#core/codes/countries.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import { textOf } from '#core/input.ts'
import { db, sql } from '#database/db.ts'
import { flag, listOf, nullable, type RecordOf, record, text, time } from '#database/record.ts'
import { recordList, when } from '#database/record-list.ts'
import type { UmaProvider as Row } from '#generated/prisma/client.ts'

const codes = listOf<string>([])

export const UmaProviderRecord = record(
  'uma_providers',
  {
    id: text.describe('`UmaProvider:<uuid>`.'),
    domain: text.describe('Domain of its UMA addresses, for example `bank.example`.'),
    name: text.describe('Name of the institution.'),
    supportedRegions: codes.describe('Countries where it has customers, as ISO 3166-1 alpha-2.'),
    supportedCurrencies: codes.describe('Codes of the currencies that its customers receive.'),
    logoUrl: nullable(text).describe('Address of its logo.'),
    lei: nullable(text).describe('Legal Entity Identifier (ISO 17442).'),
    isAllowed: flag.describe(
      'Whether the platform accepts payments from and to the provider. Payments with other providers are refused.',
    ),
    createdAt: time.describe('When the operator added the provider.'),
  },
  'REFUSED',
)
export type UmaProvider = RecordOf<typeof UmaProviderRecord>

export const UmaProviderFilterInput = z.object({
  countryCode: countryCode.nullish().describe('Only with customers in this country, as ISO 3166-1 alpha-2.'),
  currencyCode: textOf(16).nullish().describe('Only with customers who receive this currency.'),
  hasBlockedProviders: z
    .boolean({ error: 'must be true or false' })
    .nullish()
    .describe('Whether to include providers that the platform does not deal with. Default: true.'),
})

/** The conditions that REST offers. */
export const UMA_PROVIDER_PARAMETERS = ['countryCode', 'currencyCode', 'hasBlockedProviders'] as const

export const umaProviderList = recordList(UmaProviderRecord, {
  name: 'umaProviders',
  filter: UmaProviderFilterInput,
  matches: ({ countryCode, currencyCode, hasBlockedProviders }) => [
    ...when(countryCode, (code) => sql`${code} = any(t.supported_regions)`),
    ...when(currencyCode, (code) => sql`${code} = any(t.supported_currencies)`),
    ...(hasBlockedProviders === false ? [sql`t.is_allowed`] : []),
  ],
})

/** 403 `COUNTERPARTY_NOT_ALLOWED` unless the platform deals with the domain. */
export const allowedProvider = async (platformId: PlatformId, domain: string): Promise<Row> => {
  const provider = await db.umaProvider.findUnique({ where: { platformId_domain: { platformId, domain } } })
  if (!provider?.isAllowed) {
    throw new ApiError('COUNTERPARTY_NOT_ALLOWED', 'The platform does not allow payments with this UMA provider')
  }
  return provider
}

export interface ProviderTerms {
  readonly domain: string
  readonly name: string
  readonly rootFingerprint: string
  readonly baseUrl?: string | null
  readonly isAllowed?: boolean
  /** In satoshis. */
  readonly creditLimit?: bigint
  readonly supportedRegions?: string[]
  readonly supportedCurrencies?: string[]
  readonly logoUrl?: string | null
  readonly lei?: string | null
}

/** Adds a provider, or changes its given settings. Returns its id. */
export const putProvider = async (platformId: string, { domain, ...terms }: ProviderTerms): Promise<string> => {
  const { id } = await db.umaProvider.upsert({
    where: { platformId_domain: { platformId, domain } },
    create: { platformId, id: newUuid(), domain, ...terms },
    update: terms,
  })
  return id
}
