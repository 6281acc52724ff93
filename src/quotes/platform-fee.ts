// The platform's own fee on a quote, and the account that it is credited to (docs/domain/quotes.md#platform-fees).

import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { amountOf, currencyCode, labelOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { db, lookUp, type Sql, sql } from '#database/db.ts'
import { lookUpTogether, type Send } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { requireKnownCurrency } from '#platforms/settings/currencies.ts'
import { feeAccount, openFeeAccount } from '#settlement/fee-account.ts'
import { type Fee, NO_FEE } from './price.ts'

/** Fees by sending currency. Currencies without a fee are absent. */
export type PlatformFees = ReadonlyMap<string, Fee>

/** The fees for conversions. */
export const platformFeesOf = async (platformId: PlatformId): Promise<PlatformFees> =>
  readFees(await lookUp(selectingFees({ platformId })))

/** The statement whose rows `readFees` reads. */
export const selectingFees = ({ platformId }: Pick<Caller, 'platformId'>): Sql =>
  sql`select sending_currency, fixed, rate from platform_fees where platform_id = ${platformId}::uuid`

export const readFees = (rows: readonly Row[]): PlatformFees =>
  new Map(
    rows.map(([currency, fixed, rate]) => [String(currency), { fixed: BigInt(fixed ?? 0), rate: BigInt(rate ?? 0) }]),
  )

/** The fee for a conversion. Throws 501 `NOT_IMPLEMENTED` unless the sending currency is USD, and 400 `QUOTE_REQUEST_FAILED` without an account for the fee. */
export const platformFeeOf = async (
  platformId: PlatformId,
  fees: PlatformFees,
  sending: string,
  receiving: string,
  send: Send = lookUpTogether,
): Promise<Fee> => {
  const fee = sending === receiving ? undefined : fees.get(sending)
  if (!fee || (fee.fixed === 0n && fee.rate === 0n)) return NO_FEE
  if (sending !== 'USD') throw new ApiError('NOT_IMPLEMENTED', 'Platform fees are collected in USD only')
  await feeAccount(send, platformId, sending)
  return fee
}

export const FEE_TYPES = ['CROSS_CURRENCY_TRANSACTION'] as const

/** A basis point is a hundred millionths. */
const BASIS_POINT = 100

export const FEE_TEXTS = {
  feeType: 'The payments that carry the fee.',
  sourceCurrency: 'The currency that is sent.',
  variableFeeBps: 'The variable part, in basis points of the amount sent less the fixed fees, 0 to 10,000.',
  fixedFee: 'The fixed part, in `sourceCurrency`.',
} as const

export const fixedFee = z.object(
  {
    amount: amountOf(0n, MAX_AMOUNT).describe('Integer in the smallest unit of the currency.'),
    currency: z
      .object({ code: currencyCode }, { error: 'must be an object' })
      .describe('The currency of the amount. Its code is enough.'),
  },
  { error: 'must be an object' },
)

export const feeConfig = z.object(
  {
    feeType: labelOf(FEE_TYPES).describe(FEE_TEXTS.feeType),
    sourceCurrency: currencyCode.describe(FEE_TEXTS.sourceCurrency),
    variableFeeBps: z
      .int('must be an integer')
      .min(0, 'must be from 0 to 10000')
      .max(10_000, 'must be from 0 to 10000')
      .describe(FEE_TEXTS.variableFeeBps),
    fixedFee: fixedFee.describe(FEE_TEXTS.fixedFee),
  },
  { error: 'must be an object' },
)
export type FeeConfig = z.output<typeof feeConfig>

/**
 * Throws 400 `INVALID_CURRENCY` for an unknown currency, 400 `INVALID_INPUT` for a repetition or a fixed fee in another
 * currency, and 501 `NOT_IMPLEMENTED` for a fee in a currency other than USD, unless it turns the fee off.
 */
export const checkFees = (fees: readonly FeeConfig[]): void => {
  for (const [index, fee] of fees.entries()) {
    const at = (field: string) => `feeConfigs.${index}.${field}`
    const { sourceCurrency } = fee
    requireKnownCurrency(sourceCurrency, at('sourceCurrency'))
    if (fees.findIndex((other) => other.sourceCurrency === sourceCurrency) < index) {
      throw invalidInput(at('sourceCurrency'), `${at('sourceCurrency')} is given twice`)
    }
    if (fee.fixedFee.currency.code !== sourceCurrency) {
      throw invalidInput(at('fixedFee.currency.code'), `${at('fixedFee.currency.code')} must be ${sourceCurrency}`)
    }
    if (sourceCurrency !== 'USD' && !isOff(fee)) {
      throw new ApiError('NOT_IMPLEMENTED', 'Platform fees are collected in USD only', { field: at('sourceCurrency') })
    }
  }
}

const isOff = ({ variableFeeBps, fixedFee: { amount } }: FeeConfig) => variableFeeBps === 0 && amount === 0n

/** Replaces the fees of these currencies, and keeps the others. A fee of 0 is removed. The platform's row must be locked. */
export const writeFees = async (tx: Tx, platformId: PlatformId, fees: readonly FeeConfig[]): Promise<void> => {
  for (const fee of fees) {
    const { sourceCurrency: sendingCurrency, variableFeeBps, fixedFee } = fee
    const values = { fixed: fixedFee.amount, rate: variableFeeBps * BASIS_POINT }
    if (isOff(fee)) await tx.platformFee.deleteMany({ where: { platformId, sendingCurrency } })
    else {
      await tx.platformFee.upsert({
        where: { platformId_sendingCurrency: { platformId, sendingCurrency } },
        create: { platformId, sendingCurrency, ...values },
        update: values,
      })
      await openFeeAccount(tx, platformId, sendingCurrency)
    }
  }
}

export interface PlatformFee {
  readonly feeType: (typeof FEE_TYPES)[number]
  readonly sourceCurrency: string
  readonly variableFeeBps: number
  /** In the smallest unit of `sourceCurrency`. */
  readonly fixedFee: bigint
}

/** The fees by currency. Needs no permission. */
export const findFees = async ({ platformId }: Pick<Caller, 'platformId'>): Promise<PlatformFee[]> => {
  const fees = await db.platformFee.findMany({ where: { platformId }, orderBy: { sendingCurrency: 'asc' } })
  return fees.map(({ sendingCurrency, fixed, rate }) => ({
    feeType: 'CROSS_CURRENCY_TRANSACTION',
    sourceCurrency: sendingCurrency,
    variableFeeBps: rate / BASIS_POINT,
    fixedFee: fixed,
  }))
}
