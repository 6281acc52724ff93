// The filters of transaction lists, parsed once for both faces.
import { z } from 'zod'
import { idPattern } from '#core/ids.ts'
import { datesInOrder, idOf, instant, labelOf, parse, textOf } from '#core/input.ts'
import { UMA_ADDRESS } from '#core/uma-address.ts'
import {
  TRANSACTION_DIRECTIONS,
  TRANSACTION_ITEM_TYPES,
  TRANSACTION_LIFECYCLE_STATUSES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
} from './transaction.ts'

const ACCOUNT_ID = idPattern('InternalAccount', 'ExternalAccount').source

const accountIdentifier = z
  .string({ error: 'must be a string' })
  .regex(
    new RegExp(`${ACCOUNT_ID}|${UMA_ADDRESS.source}`),
    'must be InternalAccount:<uuid>, ExternalAccount:<uuid> or a UMA address',
  )

export const TransactionFilterInput = z
  .object({
    customerId: idOf('Customer', 'PlatformConfig').nullish(),
    platformCustomerId: textOf(255).nullish(),
    accountIdentifier: accountIdentifier.nullish(),
    senderAccountIdentifier: accountIdentifier.nullish(),
    receiverAccountIdentifier: accountIdentifier.nullish(),
    status: labelOf(TRANSACTION_STATUSES).nullish(),
    type: labelOf(TRANSACTION_TYPES).nullish(),
    reference: textOf(255).nullish(),
    startDate: instant.nullish(),
    endDate: instant.nullish(),
    itemTypes: z.array(labelOf(TRANSACTION_ITEM_TYPES)).nullish(),
    statuses: z.array(labelOf(TRANSACTION_LIFECYCLE_STATUSES)).nullish(),
    direction: labelOf(TRANSACTION_DIRECTIONS).nullish(),
    agentId: idOf('Agent').nullish(),
  })
  .refine(...datesInOrder)
export type TransactionFilter = z.infer<typeof TransactionFilterInput>

/** 400 `INVALID_INPUT` with the field under `path` when a condition is ill-formed, or the start lies after the end. */
export const parseTransactionFilter = (input: unknown, path: string): TransactionFilter =>
  parse(TransactionFilterInput, input ?? {}, path)
