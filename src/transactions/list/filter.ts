// The filters of transaction lists, parsed once for both faces.
import { z } from 'zod'
import { UMA_ADDRESS } from '#core/addresses/uma.ts'
import { idPattern } from '#core/ids.ts'
import { amountOf, anyOf, bothOf, idOf, labelOf, textOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { creationRange, inOrder } from '#core/time-filters.ts'
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

/** A JSON number, which is large enough for amounts, because cursors are bound to the filter as JSON. */
const amountBound = amountOf(0n, MAX_AMOUNT).transform(Number)

export const TransactionFilterInput = z.object({
  customerId: idOf('Customer', 'PlatformConfig')
    .nullish()
    .describe('Customer ID: `Customer:<uuid>`. The ID of the platform finds its own transactions.'),
  platformCustomerId: textOf(255).nullish().describe("The customer's exact ID in the platform's own system."),
  accountIdentifier: accountIdentifier.nullish().describe('Account ID or UMA address of the sender or the receiver.'),
  senderAccountIdentifier: accountIdentifier.nullish().describe('Account ID or UMA address of the sender.'),
  receiverAccountIdentifier: accountIdentifier.nullish().describe('Account ID or UMA address of the receiver.'),
  status: labelOf(TRANSACTION_STATUSES)
    .nullish()
    .describe('Only transactions with this status. `REFUNDED` includes card transactions.'),
  type: labelOf(TRANSACTION_TYPES)
    .nullish()
    .describe('Only transactions of this type, which excludes card transactions.'),
  reference: textOf(255)
    .nullish()
    .describe('Exact reference of the reconciliation instructions or the payment instructions.'),
  ...creationRange,
  types: anyOf(TRANSACTION_ITEM_TYPES).describe(
    'Only transactions of these types, including cards. An empty list means no filter.',
  ),
  itemTypes: anyOf(TRANSACTION_ITEM_TYPES).describe(
    'Only transactions of these types, including cards. An empty list means no filter.',
  ),
  statuses: anyOf(TRANSACTION_LIFECYCLE_STATUSES).describe(
    'Only transactions in any of these states, whatever their type. An empty list means no filter.',
  ),
  direction: labelOf(TRANSACTION_DIRECTIONS).nullish().describe('Only transactions in this direction.'),
  agentId: idOf('Agent').nullish().describe('Only transactions that this agent initiated.'),
  cardId: idOf('Card').nullish().describe('Only transactions of this card.'),
  currency: textOf(16).nullish().describe('Code of the currency of `amount`, exact.'),
  minAmount: amountBound
    .nullish()
    .describe('Minimum `amount`, inclusive, in the smallest unit of `currency`, which is then required.'),
  maxAmount: amountBound
    .nullish()
    .describe('Maximum `amount`, inclusive, in the smallest unit of `currency`, which is then required.'),
  search: textOf(255, 0)
    .nullish()
    .describe('Start of the description, the merchant descriptor or the counterparty name, ignoring case.'),
})

/** The conditions of the specification, which REST offers. Agents see only their customer's transactions. */
export const OWN_TRANSACTION_PARAMETERS = [
  'accountIdentifier',
  'senderAccountIdentifier',
  'receiverAccountIdentifier',
  'status',
  'type',
  'reference',
  'startDate',
  'endDate',
] as const
export const TRANSACTION_PARAMETERS = ['customerId', 'platformCustomerId', ...OWN_TRANSACTION_PARAMETERS] as const

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
  .transform(({ type, types, itemTypes, status, statuses, search, ...others }) =>
    // The order of the keys is part of cursors.
    Object.assign(others, {
      types: bothOf(type, types?.filter((item) => !itemTypes || itemTypes.includes(item)) ?? itemTypes),
      statuses: bothOf(status, statuses),
      search: search || null,
    }),
  )
export type TransactionFilter = Partial<z.output<typeof transactionFilter>>
