import type { Caller } from '#core/caller.ts'
import { amount, nullable, ofItself, oneOf, type RecordOf, record, selectByIds, text, time } from '#database/record.ts'

export interface ActionFailure {
  /** An error code, the reason of a `CONFLICT`, `AGENT_POLICY`, `PRICE_MOVED` or `APPROVAL_EXPIRED`. */
  readonly code: string
  readonly message: string
}

export const AGENT_ACTION_STATUSES = ['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'] as const
export const AGENT_ACTION_TYPES = ['EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN'] as const

/** A payment that an agent made or asks for: a quote to execute, or an amount to transfer between the two accounts. */
export const AgentActionRecord = record(
  'agent_actions',
  {
    id: text,
    agentId: text,
    customerId: text,
    type: oneOf(AGENT_ACTION_TYPES),
    status: oneOf(AGENT_ACTION_STATUSES),
    quoteId: nullable(text),
    transactionId: nullable(text),
    amount: nullable(amount),
    currency: nullable(text),
    internalAccountId: nullable(text),
    externalAccountId: nullable(text),
    rejectionReason: nullable(text),
    failureCode: nullable(text),
    failureMessage: nullable(text),
    approvalExpiresAt: nullable(time),
    repricedFromId: nullable(text),
    createdAt: time,
    updatedAt: time,
  },
  { agentSees: ofItself },
)
export type AgentAction = RecordOf<typeof AgentActionRecord>

export const agentActionsByIds = (caller: Caller, ids: readonly string[]) => selectByIds(caller, AgentActionRecord, ids)

/** Why the action could not be carried out; undefined unless it is FAILED. */
export const failureOf = ({ failureCode: code, failureMessage: message }: AgentAction): ActionFailure | undefined =>
  code === null || message === null ? undefined : { code, message }
