import { type Currency, currencyOf } from './currencies.ts'

/** An amount in the smallest unit of its currency. Never a float. */
export interface Money {
  readonly amount: bigint
  readonly currency: Currency
}

export const money = (amount: bigint, currencyCode: string): Money => ({
  amount,
  currency: currencyOf(currencyCode),
})

/** Null unless both parts are there. */
export const optionalMoney = (amount: bigint | null, currencyCode: string | null): Money | null =>
  amount === null || currencyCode === null ? null : money(amount, currencyCode)

/** The amount in major units, exact: 1050 cents are `10.50`. */
export const toDecimal = ({ amount, currency: { decimals } }: Money): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const major = digits.slice(0, digits.length - decimals)
  const minor = decimals === 0 ? '' : `.${digits.slice(-decimals)}`
  return `${amount < 0n ? '-' : ''}${major}${minor}`
}

/** For display. Currencies that ISO 4217 does not know are written as number and code. */
export const format = (money: Money, locale: string): string => {
  const { code, decimals } = money.currency
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const isIso = Intl.supportedValuesOf('currency').includes(code)
  const formatter = new Intl.NumberFormat(locale, isIso ? { style: 'currency', currency: code, ...digits } : digits)
  // A decimal string keeps every digit; a number would round beyond 2^53.
  const shown = formatter.format(toDecimal(money) as Intl.StringNumericLiteral)
  return isIso ? shown : `${shown} ${code}`
}
