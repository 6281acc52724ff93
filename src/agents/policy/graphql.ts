// What agents may do, as clients read it.

import { type AccountRule, AGENT_EXECUTION_MODES } from '#agents/agent.ts'
import { AGENT_PERMISSIONS } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { optionalMoney } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { MoneyType } from '#graphql/money.ts'
import type { Policy } from './policy.ts'

export const AgentPermissionEnum = enumOf('AgentPermission', 'What a policy lets an agent do.', AGENT_PERMISSIONS, {
  VIEW_TRANSACTIONS: 'Reads transactions, accounts and cards, and all details of its customer.',
  CREATE_TRANSFERS: 'Same-currency transfers.',
  CREATE_QUOTES: 'Makes quotes.',
  EXECUTE_QUOTES: 'Executes quotes.',
  MANAGE_EXTERNAL_ACCOUNTS: 'Adds and removes external accounts of its customer. No operation does this yet.',
})

export const AgentExecutionModeEnum = enumOf(
  'AgentExecutionMode',
  'Whether an action within the limits still waits for a person.',
  AGENT_EXECUTION_MODES,
  { AUTO: 'It does not.', APPROVAL_REQUIRED: 'It does.' },
)

const SMALLEST_UNIT = 'Smallest unit of `currency`.'

const AgentSpendingLimitsType = builder.objectRef<Policy>('AgentSpendingLimits').implement({
  description: 'Limits in the smallest unit of one currency; other currencies are converted when the limit is checked.',
  fields: (t) => ({
    currency: t.exposeString('limitCurrency', { nullable: false, description: 'Currency code.' }),
    perTransactionLimit: t.expose('perTransactionLimit', {
      type: 'Int64',
      nullable: false,
      description: SMALLEST_UNIT,
    }),
    dailyLimit: t.expose('dailyLimit', { type: 'Int64', description: `${SMALLEST_UNIT} Null means unlimited.` }),
    dailyTransactionLimit: t.exposeInt('dailyTransactionLimit', {
      description: 'Number of transactions a day. Null means unlimited.',
    }),
    monthlyLimit: t.expose('monthlyLimit', { type: 'Int64', description: `${SMALLEST_UNIT} Null means unlimited.` }),
  }),
})

const AgentAccountRuleType = builder.objectRef<AccountRule>('AgentAccountRule').implement({
  description: 'Policy of one account.',
  fields: (t) => ({
    accountId: t.id({
      nullable: false,
      description: '`InternalAccount:<uuid>`.',
      resolve: ({ accountId }) => publicId('InternalAccount', accountId),
    }),
    executionMode: t.expose('executionMode', {
      type: AgentExecutionModeEnum,
      description: "Null inherits the agent's mode.",
    }),
    perTransactionLimit: t.expose('perTransactionLimit', {
      type: 'Int64',
      description: "Null inherits the agent's limit.",
    }),
  }),
})

export const AgentPolicyType = builder.objectRef<Policy>('AgentPolicy').implement({
  description: 'What an agent may do, how much, and when a person must approve.',
  fields: (t) => ({
    permissions: t.field({
      type: [AgentPermissionEnum],
      nullable: { list: false, items: false },
      description: 'What it may do.',
      resolve: ({ permissions }) => permissions,
    }),
    defaultExecutionMode: t.expose('defaultExecutionMode', {
      type: AgentExecutionModeEnum,
      nullable: false,
      description: 'Where no rule says otherwise.',
    }),
    spendingLimits: t.field({
      type: AgentSpendingLimitsType,
      nullable: false,
      description: 'How much it may move.',
      resolve: (policy) => policy,
    }),
    allowedAccountIds: t.idList({
      nullable: { list: true, items: false },
      description: 'Null means every internal account of the customer.',
      resolve: ({ allowedAccountIds }) => allowedAccountIds?.map((id) => publicId('InternalAccount', id)) ?? null,
    }),
    accountRules: t.field({
      type: [AgentAccountRuleType],
      nullable: { list: false, items: false },
      description: 'Rules for single accounts; they override the defaults.',
      resolve: ({ accountRules }) => accountRules,
    }),
    repriceToleranceBps: t.exposeInt('repriceToleranceBps', {
      nullable: false,
      description:
        'Basis points by which a quote may be worse when it expired before the approval and is priced again.',
    }),
    approvalThreshold: t.field({
      type: MoneyType,
      description: 'Above this amount approval is required even when the mode is `AUTO`. Null means no threshold.',
      resolve: ({ approvalThresholdAmount, approvalThresholdCurrency }) =>
        optionalMoney(approvalThresholdAmount, approvalThresholdCurrency),
    }),
  }),
})
