// The filters of transaction lists, parsed once for both faces.
import { z } from 'zod'
import { idPattern } from '#core/ids.ts'
import { amountOf, anyOf, bothOf, idOf, inOrder, labelOf, rangeEnd, rangeStart, textOf } from '#core/input.ts'
import { UMA_ADDRESS } from '#core/uma-address.ts'
import {
  TRANSACTION_DIRECTIONS,
  TRANSACTION_ITEM_TYPES,
  TRANSACTION_LIFECYCLE_STATUSES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
} from '#transactions/transaction.ts'

const ACCOUNT_ID = idPattern('InternalAccount', 'ExternalAccount').source

const accountIdentifier = z
  .string({ error: 'must be a string' })
  .regex(
    new RegExp(`${ACCOUNT_ID}|${UMA_ADDRESS.source}`),
    'must be InternalAccount:<uuid>, ExternalAccount:<uuid> or a UMA address',
  )

/** As a JSON number, which amounts fit: a filter is part of what a cursor is bound to. */
const amountBound = amountOf(0n, 9_000_000_000_000_000n).transform(Number)

export const TransactionFilterInput = z.object({
  customerId: idOf('Customer', 'PlatformConfig').nullish(),
  platformCustomerId: textOf(255).nullish(),
  accountIdentifier: accountIdentifier.nullish(),
  senderAccountIdentifier: accountIdentifier.nullish(),
  receiverAccountIdentifier: accountIdentifier.nullish(),
  status: labelOf(TRANSACTION_STATUSES).nullish(),
  type: labelOf(TRANSACTION_TYPES).nullish(),
  reference: textOf(255).nullish(),
  startDate: rangeStart.nullish(),
  endDate: rangeEnd.nullish(),
  types: anyOf(TRANSACTION_ITEM_TYPES),
  itemTypes: anyOf(TRANSACTION_ITEM_TYPES),
  statuses: anyOf(TRANSACTION_LIFECYCLE_STATUSES),
  direction: labelOf(TRANSACTION_DIRECTIONS).nullish(),
  agentId: idOf('Agent').nullish(),
  cardId: idOf('Card').nullish(),
  currency: textOf(16).nullish(),
  minAmount: amountBound.nullish(),
  maxAmount: amountBound.nullish(),
  search: textOf(255, 0).nullish(),
})

/**
 * The filter of a transaction list as both faces send it. In its parsed form, `types` and `statuses` combine all conditions
 * on them: null admits all, and an empty list admits none, as when two conditions exclude each other.
 */
export const transactionFilter = TransactionFilterInput.refine(...inOrder('startDate', 'endDate'))
  .refine(({ minAmount, maxAmount, currency }) => Boolean(currency) || (minAmount ?? maxAmount ?? null) === null, {
    path: ['currency'],
    error: 'must be given with minAmount and maxAmount',
  })
  .refine(({ minAmount, maxAmount }) => (minAmount ?? 0) <= (maxAmount ?? Number.POSITIVE_INFINITY), {
    path: ['minAmount'],
    error: 'must not be above maxAmount',
  })
  .transform(({ type, types, itemTypes, status, statuses, search, ...others }) => ({
    ...others,
    types: bothOf(type, types?.filter((item) => !itemTypes || itemTypes.includes(item)) ?? itemTypes),
    statuses: bothOf(status, statuses),
    search: search || null,
  }))
export type TransactionFilter = Partial<z.output<typeof transactionFilter>>
