// The currencies that a platform supports, and the range of its payments in each (docs/domain/platform.md#supported-currencies).
import type { Caller } from '#core/caller.ts'
import { CURRENCIES } from '#core/codes/currencies.ts'
import { ApiError } from '#core/errors.ts'
import { db, query, type Sql, sql } from '#database/db.ts'
import { amount, json, listOf, type RecordOf, record, text } from '#database/record.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { CustomerInfoField } from './customer-info-fields.ts'

type PaymentType = 'INCOMING' | 'OUTGOING'

export interface CounterpartyField {
  readonly name: CustomerInfoField
  readonly mandatory: boolean
}

export const FIELD_TEXTS = {
  name: 'Name of the field, for example `FULL_NAME`.',
  mandatory: 'Whether a payment without it is refused.',
} as const

const UNIT = 'in the smallest unit of the currency'

export const PlatformCurrencyRecord = record('platform_currencies', {
  currency: text.describe('Currency code, for example `USD`.'),
  minAmount: amount.describe(`The smallest amount of a payment, ${UNIT}.`),
  maxAmount: amount.describe(`The largest amount of a payment, ${UNIT}.`),
  enabledTransactionTypes: listOf<PaymentType>([]).describe(
    'The types of payments that the platform allows in the currency.',
  ),
  requiredCounterpartyFields: json<readonly CounterpartyField[]>().describe(
    'Facts that the platform requires about the other party of a UMA payment.',
  ),
})
export type PlatformCurrency = RecordOf<typeof PlatformCurrencyRecord>

/** In the order in which the platform gave them. Needs no permission. An empty list means every currency. */
export const findCurrencies = async ({ platformId }: Pick<Caller, 'platformId'>): Promise<PlatformCurrency[]> => {
  const rows = await query(selectCurrencies({ platformId }))
  return rows.map((row) => PlatformCurrencyRecord.read(row))
}

/** Throws 400 `INVALID_CURRENCY` with the field. */
export const requireKnownCurrency = (code: string, field: string): void => {
  if (!CURRENCIES.has(code)) throw new ApiError('INVALID_CURRENCY', 'The currency is unknown', { field })
}

/** A use of a currency. An amount is in its smallest unit. */
interface Use {
  readonly currency: string
  /** The field of the input that chose the currency. */
  readonly field: string
  readonly payment?: {
    readonly amount: bigint
    readonly amountField: string
    /** Omitted for the receiving side of a quote. */
    readonly type?: PaymentType
  }
}

/** The uses of the currencies in the input field `currencies`. */
export const usesOf = (codes: readonly string[]): Use[] =>
  codes.map((currency, index) => ({ currency, field: `currencies.${index}` }))

type Limits = Pick<PlatformCurrency, 'currency' | 'minAmount' | 'maxAmount' | 'enabledTransactionTypes'>

/**
 * Throws 400 `INVALID_CURRENCY` for a currency that is unknown, that the platform does not support, or that it does not support for payments
 * of the type, and 400 `AMOUNT_OUT_OF_RANGE` for an amount outside the range of its currency.
 */
export const requireSupported = async (
  { platformId }: Pick<Caller, 'platformId'>,
  uses: readonly Use[],
  on: Tx | typeof db = db,
): Promise<void> => {
  if (uses.length === 0) return
  const rows = await on.$queryRaw<Limits[]>`
    select currency, min_amount as "minAmount", max_amount as "maxAmount", enabled_transaction_types as "enabledTransactionTypes"
    from platform_currencies where platform_id = ${platformId}::uuid`
  requireWithinAll(rows, uses)
}

/** Throws the same errors, by the currencies of the platform that `selectCurrencies` read. */
export const requireWithinAll = (currencies: readonly Limits[], uses: readonly Use[]): void => {
  for (const { currency, field } of uses) requireKnownCurrency(currency, field)
  if (currencies.length === 0) return
  const limits = new Map(currencies.map((row) => [row.currency, row]))
  for (const use of uses) requireWithin(limits.get(use.currency), use)
}

export const selectCurrencies = ({ platformId }: Pick<Caller, 'platformId'>): Sql => sql`
  select ${PlatformCurrencyRecord.columns} from ${PlatformCurrencyRecord.table} t
  where t.platform_id = ${platformId}::uuid order by t.place`

const requireWithin = (limits: Limits | undefined, { currency, field, payment }: Use): void => {
  if (!limits) {
    throw new ApiError('INVALID_CURRENCY', `The platform does not support ${currency}`, {
      field,
      reason: 'CURRENCY_NOT_SUPPORTED',
    })
  }
  if (!payment) return
  const { amount, amountField, type } = payment
  if (type && !limits.enabledTransactionTypes.includes(type)) {
    const direction = type === 'INCOMING' ? 'incoming' : 'outgoing'
    throw new ApiError('INVALID_CURRENCY', `The platform does not support ${direction} payments in ${currency}`, {
      field,
      reason: 'TRANSACTION_TYPE_NOT_ENABLED',
    })
  }
  const [minimum, maximum] = [limits.minAmount, limits.maxAmount]
  if (amount < minimum || amount > maximum) {
    const message = `The amount in ${currency} must be from ${minimum} to ${maximum} in its smallest unit`
    const range = { currencyCode: currency, minAmount: Number(minimum), maxAmount: Number(maximum) }
    throw new ApiError('AMOUNT_OUT_OF_RANGE', message, { field: amountField, ...range })
  }
}
