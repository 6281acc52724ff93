import type { Caller } from '#core/caller.ts'
import {
  integer,
  nullable,
  ofItsCustomer,
  oneOf,
  type RecordOf,
  record,
  selectByIds,
  text,
  time,
} from '#database/record.ts'

export const CARD_STATES = ['PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED'] as const
export const CARD_STATE_REASONS = ['ISSUER_REJECTED', 'CLOSED_BY_PLATFORM', 'CLOSED_BY_SERVICE'] as const
export const CARD_BRANDS = ['VISA', 'MASTERCARD'] as const
export const CARD_FORMS = ['VIRTUAL'] as const

/** `customerId` is the cardholder, `accountId` the internal account it draws on. */
export const CardRecord = record(
  'cards',
  {
    id: text,
    customerId: text,
    accountId: text,
    platformCardId: nullable(text),
    state: oneOf(CARD_STATES),
    stateReason: nullable(oneOf(CARD_STATE_REASONS)),
    brand: nullable(oneOf(CARD_BRANDS)),
    form: oneOf(CARD_FORMS),
    last4: nullable(text),
    expMonth: nullable(integer),
    expYear: nullable(integer),
    processorRef: nullable(text),
    issuerRef: nullable(text),
    createdAt: time,
    updatedAt: time,
  },
  { agentSees: ofItsCustomer, agentNeeds: 'VIEW_TRANSACTIONS' },
)
export type Card = RecordOf<typeof CardRecord>

export const cardsByIds = (caller: Caller, ids: readonly string[]) => selectByIds(caller, CardRecord, ids)
