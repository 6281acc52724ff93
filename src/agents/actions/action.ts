import { amount, nullable, ofItself, oneOf, type RecordOf, record, text, time } from '#database/record.ts'

export interface ActionFailure {
  readonly code: string
  readonly message: string
}

export const AGENT_ACTION_STATUSES = ['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'] as const
export const AGENT_ACTION_TYPES = [
  'EXECUTE_QUOTE',
  'TRANSFER_OUT',
  'TRANSFER_IN',
  'CREATE_EXTERNAL_ACCOUNT',
  'DELETE_EXTERNAL_ACCOUNT',
] as const

/** What an agent did or requested: execute a quote, transfer between the two accounts, or change an external account. */
export const AgentActionRecord = record(
  'agent_actions',
  {
    id: text.describe('`AgentAction:<uuid>`.'),
    agentId: text.describe('`Agent:<uuid>` of the agent that took the action.'),
    customerId: text.describe('`Customer:<uuid>` of the customer that the agent acts for.'),
    type: oneOf(AGENT_ACTION_TYPES).describe('Type of the action.'),
    status: oneOf(AGENT_ACTION_STATUSES).describe('Status of the action.'),
    quoteId: nullable(text),
    transactionId: nullable(text),
    amount: nullable(amount).describe('Amount of the transfer, in the smallest unit of its currency.'),
    currency: nullable(text).describe('Currency code of the amount.'),
    internalAccountId: nullable(text).describe(
      '`InternalAccount:<uuid>`. A transfer out debits it, and a transfer in credits it.',
    ),
    externalAccountId: nullable(text).describe(
      '`ExternalAccount:<uuid>`. A transfer out credits it, and a transfer in debits it.',
    ),
    rejectionReason: nullable(text).describe('Why the action was rejected, as free text.'),
    failureCode: nullable(text).describe(
      'An error code such as `VELOCITY_LIMIT_EXCEEDED`, or one of four others. `AGENT_POLICY`: the policy no longer allows the action. `QUOTE_EXPIRED`: a quote from a wallet or to a UMA address has expired, and cannot be priced again. `PRICE_MOVED`: the new price is worse than the policy tolerates. `APPROVAL_EXPIRED`: the platform did not decide in time.',
    ),
    failureMessage: nullable(text).describe('Human-readable message. It may change.'),
    approvalExpiresAt: nullable(time).describe(
      "Deadline for the platform's decision. Only for actions that needed approval.",
    ),
    repricedFromId: nullable(text),
    createdAt: time.describe('When the agent requested the action.'),
    updatedAt: time.describe('When the action was last changed.'),
  },
  { agentSees: ofItself },
)
export type AgentAction = RecordOf<typeof AgentActionRecord>

/** The fields of an action in REST. */
export const ACTION_FIELDS = [
  'id',
  'agentId',
  'customerId',
  'platformCustomerId',
  'status',
  'type',
  'quote',
  'transferDetails',
  'externalAccountId',
  'transaction',
  'rejectionReason',
  'failure',
  'repricedFrom',
  'approvalExpiresAt',
  'createdAt',
  'updatedAt',
]

/** Why the action could not be executed. Undefined unless it is `FAILED`. */
export const failureOf = ({
  failureCode: code,
  failureMessage: message,
}: Pick<AgentAction, 'failureCode' | 'failureMessage'>): ActionFailure | undefined =>
  code === null || message === null ? undefined : { code, message }

/** The external account that an action adds or deletes. Null for payments. */
export const changedAccountOf = ({ type, externalAccountId }: Pick<AgentAction, 'type' | 'externalAccountId'>) =>
  type === 'CREATE_EXTERNAL_ACCOUNT' || type === 'DELETE_EXTERNAL_ACCOUNT' ? externalAccountId : null
