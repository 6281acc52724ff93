import { AGENT_PERMISSIONS } from '#core/caller.ts'
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
  text,
  time,
} from '#database/record.ts'

export const AGENT_EXECUTION_MODES = ['AUTO', 'APPROVAL_REQUIRED'] as const

/** Rule for one account. `accountId` is the bare uuid, and the limit is in the smallest unit of `limitCurrency`. Null inherits from the policy. */
export interface AccountRule {
  readonly accountId: string
  readonly executionMode?: (typeof AGENT_EXECUTION_MODES)[number] | null
  readonly perTransactionLimit?: number | null
}

const UNIT = 'in the smallest unit of the currency of the limits'

/** Deleted agents can be read by id, because transactions still refer to the agents that initiated them. */
export const AgentRecord = record(
  'agents',
  {
    id: text.describe('`Agent:<uuid>`.'),
    customerId: text.describe('`Customer:<uuid>` of the customer that the agent acts for.'),
    name: text.describe('Name of the agent, chosen by the platform.'),
    isPaused: flag.describe('Whether the platform has paused the agent. A paused agent can read but not act.'),
    isConnected: flag.describe('Whether a device code of the agent was redeemed.'),
    permissions: listOf(AGENT_PERMISSIONS).describe('Permissions of the agent.'),
    defaultExecutionMode: oneOf(AGENT_EXECUTION_MODES).describe(
      'Whether actions within the limits need approval. The rule of an account overrides it, and so does the approval threshold.',
    ),
    limitCurrency: text.describe('Currency code of the limits and the usage.'),
    perTransactionLimit: amount.describe(`Maximum amount per transaction, ${UNIT}.`),
    dailyLimit: nullable(amount).describe(`Maximum spend per UTC day, ${UNIT}. Null means no limit.`),
    dailyTransactionLimit: nullable(integer).describe(
      'Maximum number of transactions per UTC day. If not set, there is no limit.',
    ),
    monthlyLimit: nullable(amount).describe(`Maximum spend per UTC month, ${UNIT}. Null means no limit.`),
    allowedAccountIds: nullable(json<readonly string[] | null>()).describe(
      'Accounts that the agent may use, `InternalAccount:<uuid>` each. Null means every internal account of the customer.',
    ),
    accountRules: json<readonly AccountRule[]>().describe('Rules for individual accounts. They override the defaults.'),
    approvalThresholdCurrency: nullable(text).describe('Currency code of the amount.'),
    approvalThresholdAmount: nullable(amount).describe(
      'Amount above which an action needs approval, in the smallest unit of its currency. Null means no threshold.',
    ),
    repriceToleranceBps: integer.describe(
      'How much worse the new price may be when an expired quote is priced again, in basis points.',
    ),
    dailyTransactionCount: integer.describe('Number of transactions in the current UTC day.'),
    dailySpend: amount.describe(`Spend in the current UTC day, ${UNIT}.`),
    monthlySpend: amount.describe(`Spend in the current UTC month, ${UNIT}.`),
    /** The UTC day of the usage counters. Read the counters with `usageOf`, which resets them on a later day. */
    usageDay: text,
    deletedAt: nullable(time),
    createdAt: time.describe('When the agent was created.'),
    updatedAt: time.describe('When the agent was last changed.'),
  },
  { agentSees: ({ agentId }) => sql`t.id = ${agentId}::uuid` },
)
export type Agent = RecordOf<typeof AgentRecord>
