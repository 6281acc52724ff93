// The platform's part of the configuration: its supported currencies (docs/domain/platform.md#supported-currencies).
import { z } from 'zod'
import { invalidInput } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { amountOf, currencyCode, labelOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { FIELD_TEXTS, PlatformCurrencyRecord, requireKnownCurrency } from '#platforms/settings/currencies.ts'
import { CUSTOMER_INFO_FIELDS } from '#platforms/settings/customer-info-fields.ts'
import { TRANSACTION_TYPES } from '#transactions/transaction.ts'

const { texts } = PlatformCurrencyRecord

export const CURRENCY_TEXTS = {
  providerRequiredCustomerFields: 'Facts that the provider requires about a customer who uses the currency.',
  providerRequiredCounterpartyCustomerFields:
    'Facts that the provider requires about the other party of a payment in the currency.',
} as const

export const counterpartyField = z.object(
  {
    name: labelOf(CUSTOMER_INFO_FIELDS).describe(FIELD_TEXTS.name),
    mandatory: z.boolean({ error: 'must be true or false' }).describe(FIELD_TEXTS.mandatory),
  },
  { error: 'must be an object' },
)

export const supportedCurrency = z.object(
  {
    currencyCode: currencyCode.describe(texts.currency),
    minAmount: amountOf(0n, MAX_AMOUNT).describe(texts.minAmount),
    maxAmount: amountOf(0n, MAX_AMOUNT).describe(texts.maxAmount),
    requiredCounterpartyFields: z
      .array(counterpartyField, { error: 'must be a list' })
      .max(CUSTOMER_INFO_FIELDS.length, `must have at most ${CUSTOMER_INFO_FIELDS.length} items`)
      .describe(texts.requiredCounterpartyFields),
    enabledTransactionTypes: z
      .array(labelOf(TRANSACTION_TYPES), { error: 'must be a list' })
      .max(TRANSACTION_TYPES.length, `must have at most ${TRANSACTION_TYPES.length} items`)
      .describe(texts.enabledTransactionTypes),
  },
  { error: 'must be an object' },
)
type SupportedCurrency = z.output<typeof supportedCurrency>

export const MAX_CURRENCIES = 100

/** The paths of the fields of currencies in `input` that only the service writes. */
export const fixedCurrencyFields = (input: unknown): string[] => {
  const currencies = (input as { readonly supportedCurrencies?: unknown } | null | undefined)?.supportedCurrencies
  if (!Array.isArray(currencies)) return []
  return currencies
    .slice(0, MAX_CURRENCIES)
    .flatMap((_, index) => Object.keys(CURRENCY_TEXTS).map((field) => `supportedCurrencies.${index}.${field}`))
}

/** Throws 400 `INVALID_CURRENCY` for an unknown currency, and 400 `INVALID_INPUT` for an empty range or a repetition. */
export const checkCurrencies = (currencies: readonly SupportedCurrency[]): void => {
  for (const [
    index,
    { currencyCode: code, minAmount, maxAmount, requiredCounterpartyFields },
  ] of currencies.entries()) {
    const at = (field: string) => `supportedCurrencies.${index}.${field}`
    requireKnownCurrency(code, at('currencyCode'))
    if (currencies.findIndex((other) => other.currencyCode === code) < index) throw repeated(at('currencyCode'))
    if (minAmount > maxAmount) throw invalidInput(at('minAmount'), `${at('minAmount')} must not exceed maxAmount`)
    const names = requiredCounterpartyFields.map(({ name }) => name)
    const twice = names.findIndex((name, place) => names.indexOf(name) < place)
    if (twice >= 0) throw repeated(at(`requiredCounterpartyFields.${twice}.name`))
  }
}

const repeated = (field: string) => invalidInput(field, `${field} is given twice`)

/** Replaces the list. */
export const writeCurrencies = async (
  tx: Tx,
  platformId: PlatformId,
  currencies: readonly SupportedCurrency[],
): Promise<void> => {
  await tx.$executeRaw`delete from platform_currencies where platform_id = ${platformId}::uuid`
  for (const [place, currency] of currencies.entries()) {
    const types = TRANSACTION_TYPES.filter((type) => currency.enabledTransactionTypes.includes(type))
    const fields = JSON.stringify(currency.requiredCounterpartyFields)
    await tx.$executeRaw`
      insert into platform_currencies (platform_id, currency, place, min_amount, max_amount, enabled_transaction_types, required_counterparty_fields)
      values (${platformId}::uuid, ${currency.currencyCode}, ${place}::int, ${currency.minAmount}, ${currency.maxAmount}, ${types}, ${fields}::jsonb)`
  }
}
