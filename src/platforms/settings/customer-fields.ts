// The facts that the provider requires about customers and about the other party of a payment, by currency (docs/domain/platform.md#required-fields).
import type { CustomerInfoField } from './customer-info-fields.ts'

const TOKENS = ['BTC', 'USDC', 'USDT', 'USDB']

export const isToken = (currency: string): boolean => TOKENS.includes(currency)

/** Banks and mobile money need these, and some currencies need more. */
const OF_BANKS: readonly CustomerInfoField[] = ['FULL_NAME', 'BIRTH_DATE', 'NATIONALITY']
const MORE: Readonly<Record<string, readonly CustomerInfoField[]>> = {
  USD: ['POSTAL_ADDRESS'],
  BRL: ['TAX_ID'],
  INR: ['POSTAL_ADDRESS'],
}

/** The facts that the provider requires about a customer who uses the currency. */
export const customerFieldsOf = (currency: string): readonly CustomerInfoField[] =>
  isToken(currency) ? ['FULL_NAME'] : [...OF_BANKS, ...(MORE[currency] ?? [])]

/** The facts that the provider requires about the other party of a payment in the currency. */
export const counterpartyFieldsOf = (currency: string): readonly CustomerInfoField[] =>
  isToken(currency) ? [] : ['FULL_NAME']
