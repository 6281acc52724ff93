// Mints and burns, and their states (docs/domain/stablecoins.md#states-of-an-operation).
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { anyOf, idOf, labelOf } from '#core/input.ts'

import { amount, findById, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { isOneOf, recordList, refersTo } from '#database/record-list.ts'
import { AMOUNT_TEXT, OPERATION_TYPES, PARTIES } from './quote.ts'

export const OPERATION_STATUSES = [
  'CREATED',
  'PENDING_FUNDING',
  'PENDING_PROVIDER',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
] as const
export type OperationStatus = (typeof OPERATION_STATUSES)[number]

export const StablecoinOperationRecord = record(
  'stablecoin_operations',
  {
    id: text.describe('`StablecoinOperation:<uuid>`.'),
    stablecoinId: text.describe('`Stablecoin:<uuid>` that is minted or burned.'),
    quoteId: text.describe('`StablecoinQuote:<uuid>` that was executed.'),
    operationType: oneOf(OPERATION_TYPES).describe('Whether tokens are issued or redeemed.'),
    status: oneOf(OPERATION_STATUSES).describe('State of the operation.'),
    amount: amount.describe(AMOUNT_TEXT),
    ...PARTIES,
    createdAt: time.describe('When the quote was executed.'),
    updatedAt: time.describe('When the state last changed.'),
  },
  'REFUSED',
)
export type StablecoinOperation = RecordOf<typeof StablecoinOperationRecord>

/** Needs the permission VIEW. Throws 404 `REFERENCE_NOT_FOUND` if the id is malformed or unknown. */
export const readOperation = (caller: Caller, id: string): Promise<StablecoinOperation> =>
  findById(
    caller,
    StablecoinOperationRecord,
    'StablecoinOperation',
    id,
    () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such stablecoin operation'),
  )

export const OperationFilterInput = z.object({
  stablecoinId: idOf('Stablecoin').nullish().describe('Operations of this stablecoin.'),
  operationType: labelOf(OPERATION_TYPES).nullish().describe('Only mints, or only burns.'),
  statuses: anyOf(OPERATION_STATUSES).describe('Operations in any of these states. An empty list means no filter.'),
})

export const operationList = recordList(StablecoinOperationRecord, {
  name: 'stablecoinOperations',
  filter: OperationFilterInput,
  matches: ({ stablecoinId, operationType, statuses }) => [
    ...refersTo('stablecoin_id', stablecoinId),
    ...isOneOf('operation_type', 'stablecoin_operation_type', operationType && [operationType]),
    ...isOneOf('status', 'stablecoin_operation_status', statuses),
  ],
  parents: { Stablecoin: 'stablecoin_id' },
})
