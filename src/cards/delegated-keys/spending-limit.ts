// How much a card may pull with a delegated key for one transaction.
import { z } from 'zod'
import { amountOf, currencyCode } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'

export interface SpendingLimit {
  readonly currencyCode: string
  /** In the smallest unit of the currency. */
  readonly maxPerTransaction: number
}

const CODE = currencyCode.describe('Currency code.')
const MAX = 'The maximum that the pulls of one transaction may take, in the smallest unit of the currency.'
const atMost = (most: bigint) =>
  z.int({ error: 'must be an integer' }).min(1, 'must be at least 1').max(Number(most), `must be at most ${most}`)

export const spendingLimit = z.object(
  { currencyCode: CODE, maxPerTransaction: atMost(MAX_AMOUNT).describe(MAX) },
  { error: 'must be an object' },
)

/** The largest `Int` of GraphQL. */
const MAX_INT = 2n ** 31n - 1n
const EITHER = 'Set either `maxAmount` or `maxPerTransaction`.'

/** GraphQL also takes `maxAmount`, because its `Int` ends before an amount does. */
export const spendingLimitInput = z.object(
  {
    currencyCode: CODE,
    maxAmount: amountOf(1n, MAX_AMOUNT).nullish().describe(`${MAX} ${EITHER}`),
    maxPerTransaction: atMost(MAX_INT).nullish().describe(`The same as \`maxAmount\`, but an \`Int\`. ${EITHER}`),
  },
  { error: 'must be an object' },
)

/** An input of GraphQL as the limit that it stands for. */
export const limitOfInput = spendingLimitInput
  .refine(({ maxAmount = null, maxPerTransaction = null }) => (maxAmount === null) !== (maxPerTransaction === null), {
    path: ['maxAmount'],
    error: 'is required, or maxPerTransaction, but not both',
  })
  .transform(
    ({ maxAmount, maxPerTransaction, ...limit }): SpendingLimit => ({
      ...limit,
      maxPerTransaction: Number(maxAmount ?? maxPerTransaction),
    }),
  )

/** The limit as an `Int` of GraphQL. */
export const asInt = ({ maxPerTransaction }: SpendingLimit): number => Math.min(maxPerTransaction, Number(MAX_INT))
