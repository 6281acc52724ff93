// Amounts of tokens: decimal texts, which stand for the cents of the dollars behind them (docs/domain/stablecoins.md#amounts).
import { z } from 'zod'
import { MAX_AMOUNT, money, toDecimal } from '#core/money.ts'

/** One token is backed by one of it. */
export const BACKING = 'USD'

const DECIMAL = /^(0|[1-9]\d{0,13})(?:\.(\d{1,2}))?$/

/** Zero for a text that is not an amount. */
const centsOf = (text: string): bigint => {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  return whole === undefined ? 0n : BigInt(whole + fraction.padEnd(2, '0'))
}

/** Read as cents. */
export const tokenAmount = z
  .string({ error: 'must be a string' })
  .regex(DECIMAL, 'must be a decimal with at most 2 places, for example 10.50')
  .transform(centsOf)
  .refine((cents) => cents > 0n && cents <= MAX_AMOUNT, `must be from 0.01 to ${MAX_AMOUNT / 100n}.00`)

export const textOfAmount = (cents: bigint): string => toDecimal(money(cents, BACKING))
