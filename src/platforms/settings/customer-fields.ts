// The facts that the provider requires about customers and about the other party of a payment, by currency (docs/domain/platform.md#required-fields).
import type { Caller } from '#core/caller.ts'
import { requireSupported } from './currencies.ts'
import type { CustomerInfoField } from './customer-info-fields.ts'

const TOKENS = ['BTC', 'USDC', 'USDT', 'USDB']

/** Banks and mobile money need these, and some currencies need more. */
const OF_BANKS: readonly CustomerInfoField[] = ['FULL_NAME', 'BIRTH_DATE', 'NATIONALITY']
const MORE: Readonly<Record<string, readonly CustomerInfoField[]>> = {
  USD: ['POSTAL_ADDRESS'],
  BRL: ['TAX_ID'],
  INR: ['POSTAL_ADDRESS'],
}

/** The facts that the provider requires about a customer who uses the currency. */
export const customerFieldsOf = (currency: string): readonly CustomerInfoField[] =>
  TOKENS.includes(currency) ? ['FULL_NAME'] : [...OF_BANKS, ...(MORE[currency] ?? [])]

/** The facts that the provider requires about the other party of a payment in the currency. */
export const counterpartyFieldsOf = (currency: string): readonly CustomerInfoField[] =>
  TOKENS.includes(currency) ? [] : ['FULL_NAME']

/**
 * The facts that are required about a customer of the platform who uses the currencies, by currency. Throws 400 `INVALID_CURRENCY` with the field, for
 * example `currencies.1`, for one that is unknown or that the platform does not support.
 */
export const requiredCustomerFields = async (
  caller: Pick<Caller, 'platformId'>,
  currencies: readonly string[],
  path = 'currencies',
): Promise<ReadonlyMap<string, readonly CustomerInfoField[]>> => {
  await requireSupported(
    caller,
    currencies.map((currency, index) => ({ currency, field: `${path}.${index}` })),
  )
  return new Map(currencies.map((code) => [code, customerFieldsOf(code)]))
}
