// Banks at which accounts can be held, for forms (docs/domain/corridors.md#discoveries).
import { z } from 'zod'
import type { PaymentRail } from '#accounts/payment-rail.ts'
import { type Bank, banksOf } from '#accounts/types/bank-directory.ts'
import { ACCOUNT_TYPE_RULES, ADDABLE_TYPES } from '#accounts/types/table.ts'
import { type Caller, requirePermission, requirePlatform } from '#core/caller.ts'
import { countryCode } from '#core/codes/countries.ts'
import { currencyCode, parse } from '#core/input.ts'
import { requireKnownCurrency } from '#platforms/settings/currencies.ts'

export const discoveryQuery = z.object({
  country: countryCode.nullish().describe('Banks of this country, ISO 3166-1 alpha-2.'),
  currency: currencyCode.nullish().describe('Banks with accounts in this currency, by its code.'),
})

export interface Discovery extends Bank {
  /** The rails that reach accounts at the bank. */
  readonly paymentRails: readonly PaymentRail[]
}

export const DISCOVERY_TEXTS = {
  bankName: 'The value of `bankName` in `accountInfo`.',
  displayName: 'Name to show.',
  country: 'Country of the bank, ISO 3166-1 alpha-2.',
  currency: 'Currency of its accounts.',
  paymentRails: 'The rails that reach accounts at the bank.',
} as const

/** The rails of the account types of this country and currency that are held at a bank with a name. */
const railsAt = ({ country, currency }: Bank): readonly PaymentRail[] => [
  ...new Set(
    ADDABLE_TYPES.map((type) => ACCOUNT_TYPE_RULES[type])
      .filter((rule) => rule.currencies.includes(currency) && rule.countries.includes(country) && rule.fields.bankName)
      .flatMap(({ rails }) => rails),
  ),
]

/** Needs the permission VIEW. Throws 400 `INVALID_INPUT` for an unknown country, and 400 `INVALID_CURRENCY` for an unknown currency. */
export const listDiscoveries = (caller: Caller, input: unknown): Discovery[] => {
  requirePlatform(caller)
  requirePermission(caller, 'VIEW')
  const { country, currency } = parse(discoveryQuery, input)
  if (currency) requireKnownCurrency(currency, 'currency')
  return banksOf(currency, country).map((bank) => ({ ...bank, paymentRails: railsAt(bank) }))
}

/** The length of the list for arguments that are not yet validated. */
export const countDiscoveries = ({ country, currency }: Readonly<Record<string, unknown>>): number =>
  banksOf(currency as string | undefined, country as string | undefined).length
