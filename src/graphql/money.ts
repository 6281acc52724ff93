import type { Currency } from '#core/codes/currencies.ts'
import { invalidInput } from '#core/errors.ts'
import { format, type Money, toDecimal } from '#core/money.ts'
import { builder } from './builder.ts'
import { moneyOf } from './compiled/field.ts'

export const CurrencyType = builder.objectRef<Currency>('Currency').implement({
  description: 'A currency and how to display it.',
  fields: (t) => ({
    code: t.exposeString('code', {
      nullable: false,
      description: 'ISO 4217 code or ticker, for example `USD` or `USDC`.',
    }),
    name: t.exposeString('name', { nullable: false, description: 'English name.' }),
    symbol: t.exposeString('symbol', { nullable: false, description: 'Symbol for display, for example `$`.' }),
    decimals: t.exposeInt('decimals', {
      nullable: false,
      description: 'Digits after the decimal point: 2 for USD, whose smallest unit is the cent.',
    }),
  }),
})

export const MoneyType = builder.objectRef<Money>('Money').implement({
  description: 'An amount of money.',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: 'Int64',
      nullable: false,
      description: 'Integer in the smallest unit of the currency.',
    }),
    currency: t.expose('currency', { type: CurrencyType, nullable: false, description: 'Currency of the amount.' }),
    decimal: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'The amount in major units, for example `10.50`.',
      resolve: toDecimal,
    }),
    formatted: t.string({
      nullable: false,
      description: 'The amount formatted for display, for example `$10.50`.',
      args: {
        locale: t.arg.string({
          required: true,
          defaultValue: 'en-US',
          description: 'BCP 47 language tag. An unknown language falls back to the default of the server.',
        }),
      },
      resolve: (money, { locale }) => format(money, knownLocale(locale)),
    }),
  }),
})

/** The options of a field that repeats an amount of its parent with its currency. Null if one of them is null. */
export const withCurrency = <A extends string, C extends string>(amount: A, code: C) => ({
  type: MoneyType,
  description: `\`${amount}\` with its currency.`,
  ...moneyOf(amount, code),
})

/** Formatters are cached by locale, so its length is limited. */
const MAX_LOCALE_LENGTH = 100

const knownLocale = (locale: string) => {
  try {
    if (locale.length > MAX_LOCALE_LENGTH) throw new RangeError()
    return Intl.getCanonicalLocales(locale)[0] ?? 'en-US'
  } catch {
    throw invalidInput('locale', 'locale must be a BCP 47 language tag', { format: 'bcp47-language-tag' })
  }
}
