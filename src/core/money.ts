import { type Currency, currencyOf } from './codes/currencies.ts'

/** The largest payment amount and account balance, in the smallest unit. It is below 2^53, so JSON numbers represent it exactly. */
export const MAX_AMOUNT = 9_000_000_000_000_000n

/** An amount in the smallest unit of its currency. Never a float. */
export interface Money {
  readonly amount: bigint
  readonly currency: Currency
}

export const money = (amount: bigint, currencyCode: string): Money => ({
  amount,
  currency: currencyOf(currencyCode),
})

/** Null if either part is null. */
export const optionalMoney = (amount: bigint | null, currencyCode: string | null): Money | null =>
  amount === null || currencyCode === null ? null : money(amount, currencyCode)

/** The amount in major units, exact: 1050 cents are `10.50`. */
export const toDecimal = ({ amount, currency: { decimals } }: Money): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const major = digits.slice(0, digits.length - decimals)
  const minor = decimals === 0 ? '' : `.${digits.slice(-decimals)}`
  return `${amount < 0n ? '-' : ''}${major}${minor}`
}

/** Formats an amount for display. Currencies outside ISO 4217 are written as a number and the code. */
export const format = (money: Money, locale: string): string => {
  const { code } = money.currency
  // A decimal string keeps every digit; a number would round beyond 2^53.
  const shown = formatterOf(locale, money.currency).format(toDecimal(money) as Intl.StringNumericLiteral)
  return isIso(code) ? shown : `${shown} ${code}`
}

const ISO_CODES = new Set(Intl.supportedValuesOf('currency'))
const isIso = (code: string) => ISO_CODES.has(code)

// Creating a formatter takes a hundred times as long as using it. Callers choose the locale, so the map is bounded.
const MAX_FORMATTERS = 1_000
const formatters = new Map<string, Intl.NumberFormat>()

const formatterOf = (locale: string, { code, decimals }: Currency): Intl.NumberFormat => {
  const key = `${locale} ${code}`
  const known = formatters.get(key)
  if (known) return known
  if (formatters.size >= MAX_FORMATTERS) formatters.clear()
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const formatter = new Intl.NumberFormat(
    locale,
    isIso(code) ? { style: 'currency', currency: code, ...digits } : digits,
  )
  formatters.set(key, formatter)
  return formatter
}
