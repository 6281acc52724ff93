import { AGENT_PERMISSIONS, type Caller } from '#core/caller.ts'
import { sql } from '#database/db.ts'
import {
  amount,
  flag,
  integer,
  json,
  listOf,
  nullable,
  oneOf,
  type RecordOf,
  record,
  selectByIds,
  text,
  time,
} from '#database/record.ts'

export const AGENT_EXECUTION_MODES = ['AUTO', 'APPROVAL_REQUIRED'] as const

/** The rule of one account, with its bare uuid. Amounts are in the smallest unit of `limitCurrency`; null inherits. */
export interface AccountRule {
  readonly accountId: string
  readonly executionMode?: (typeof AGENT_EXECUTION_MODES)[number] | null
  readonly perTransactionLimit?: number | null
}

/** Limits and spend are in the smallest unit of `limitCurrency`; a null limit means unlimited. */
export const AgentRecord = record(
  'agents',
  {
    id: text,
    customerId: text,
    name: text,
    isPaused: flag,
    isConnected: flag,
    permissions: listOf(AGENT_PERMISSIONS),
    defaultExecutionMode: oneOf(AGENT_EXECUTION_MODES),
    limitCurrency: text,
    perTransactionLimit: amount,
    dailyLimit: nullable(amount),
    dailyTransactionLimit: nullable(integer),
    monthlyLimit: nullable(amount),
    allowedAccountIds: nullable(json<readonly string[] | null>()),
    accountRules: json<readonly AccountRule[]>(),
    approvalThresholdCurrency: nullable(text),
    approvalThresholdAmount: nullable(amount),
    /** How much less an expired quote may bring when it is priced again, in basis points. */
    repriceToleranceBps: integer,
    dailyTransactionCount: integer,
    dailySpend: amount,
    monthlySpend: amount,
    /** The UTC day that the usage is of: read it through `usageOf`. */
    usageDay: text,
    deletedAt: nullable(time),
    createdAt: time,
    updatedAt: time,
  },
  { agentSees: ({ agentId }) => sql`t.id = ${agentId}::uuid` },
)
export type Agent = RecordOf<typeof AgentRecord>

/** Deleted agents too: the transactions that they initiated still name them. */
export const agentsByIds = (caller: Caller, ids: readonly string[]) => selectByIds(caller, AgentRecord, ids)
