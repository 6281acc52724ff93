// The XML of the European Central Bank's daily reference rates: how much of each currency one euro is.
import { CURRENCIES } from '#core/codes/currencies.ts'
import type { RateTable } from '#quotes/rates/rate.ts'
import type { PublishedRates } from '#quotes/rates/rate-table.ts'

const DAY = /<Cube\s+time=(['"])(\d{4}-\d{2}-\d{2})\1\s*>/g
const RATE = /<Cube\s+currency=(['"])([A-Z]{3})\1\s+rate=(['"])([^'"]{1,32})\3\s*\/>/g
const DECIMAL = /^(\d{1,9})(?:\.(\d{1,8}))?$/

const HUNDRED_MILLION = 100_000_000n

/** In hundred-millionths, exact. Throws unless the text is a decimal above zero with at most 8 places. */
const scaledOf = (code: string, text: string): bigint => {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  const scaled = whole === undefined ? 0n : BigInt(whole + fraction.padEnd(8, '0'))
  if (scaled <= 0n) throw new Error(`The rate of ${code} is not a decimal above zero`)
  return scaled
}

/** Throws for a document without exactly one day, with a currency twice, with a rate that is not a decimal, or without the US dollar. */
export const parseEcb = (xml: string): PublishedRates => {
  const [day, another] = [...xml.matchAll(DAY)]
  const publishedAt = new Date(`${day?.[2]}T00:00:00Z`)
  if (!day || another || Number.isNaN(publishedAt.getTime())) throw new Error('The rates are not those of one day')
  const rates: Record<string, bigint> = { EUR: HUNDRED_MILLION }
  for (const [, , code = '', , text = ''] of xml.matchAll(RATE)) {
    if (rates[code] !== undefined) throw new Error(`The rate of ${code} is given twice`)
    rates[code] = scaledOf(code, text)
  }
  if (rates['USD'] === undefined) throw new Error('The rate of USD is missing')
  const known: RateTable = Object.fromEntries(Object.entries(rates).filter(([code]) => CURRENCIES.has(code)))
  return { rates: known, publishedAt }
}
