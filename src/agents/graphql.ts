import { publicId } from '#core/ids.ts'
import { optionalMoney } from '#core/money.ts'
import { customersByIds } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { windowArgs } from '#graphql/connection.ts'
import { enumOf } from '#graphql/enums.ts'
import { load, loadOptional } from '#graphql/load.ts'
import { MoneyType } from '#graphql/money.ts'
import { registerNode } from '#graphql/node-types.ts'
import { TransactionConnection } from '#transactions/graphql.ts'
import { TransactionFilterType } from '#transactions/graphql-filter.ts'
import { transactionsOf } from '#transactions/graphql-links.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import {
  type AccountRule,
  AGENT_EXECUTION_MODES,
  AGENT_PERMISSIONS,
  type Agent,
  AgentRecord,
  agentsByIds,
  agentsOfCustomers,
} from './agent.ts'

const AgentPermissionEnum = enumOf('AgentPermission', 'What a policy lets an agent do.', AGENT_PERMISSIONS, {
  VIEW_TRANSACTIONS: 'Reads transactions and account balances.',
  CREATE_TRANSFERS: 'Same-currency transfers.',
  CREATE_QUOTES: 'Makes quotes.',
  EXECUTE_QUOTES: 'Executes quotes.',
  MANAGE_EXTERNAL_ACCOUNTS: 'Adds and removes external accounts.',
})

const AgentExecutionModeEnum = enumOf(
  'AgentExecutionMode',
  'Whether an action within the limits still waits for a person.',
  AGENT_EXECUTION_MODES,
  { AUTO: 'It does not.', APPROVAL_REQUIRED: 'It does.' },
)

const SMALLEST_UNIT = 'Smallest unit of `currency`.'

const AgentSpendingLimitsType = builder.objectRef<Agent>('AgentSpendingLimits').implement({
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

const AgentPolicyType = builder.objectRef<Agent>('AgentPolicy').implement({
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
      resolve: (agent) => agent,
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
    approvalThreshold: t.field({
      type: MoneyType,
      description: 'Above this amount approval is required even when the mode is `AUTO`. Null means no threshold.',
      resolve: ({ approvalThresholdAmount, approvalThresholdCurrency }) =>
        optionalMoney(approvalThresholdAmount, approvalThresholdCurrency),
    }),
  }),
})

const AgentUsageType = builder.objectRef<Agent>('AgentUsage').implement({
  description: 'What an agent has used of its limits, in the currency of `spendingLimits`.',
  fields: (t) => ({
    dailyTransactionCount: t.exposeInt('dailyTransactionCount', {
      nullable: false,
      description: 'Transactions of the UTC day.',
    }),
    dailySpend: t.expose('dailySpend', { type: 'Int64', nullable: false, description: 'Spend of the UTC day.' }),
    monthlySpend: t.expose('monthlySpend', { type: 'Int64', nullable: false, description: 'Spend of the UTC month.' }),
  }),
})

export const AgentNode = builder.objectRef<Agent>('Agent').implement({
  description: 'Software that acts for a customer under a policy.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: '`Agent:<uuid>`.', resolve: ({ id }) => publicId('Agent', id) }),
    name: t.exposeString('name', { nullable: false, description: 'Given by the platform.' }),
    isPaused: t.exposeBoolean('isPaused', {
      nullable: false,
      description: 'True while the platform has paused it: every action is refused.',
    }),
    isConnected: t.exposeBoolean('isConnected', {
      nullable: false,
      description: 'True once its device code was redeemed.',
    }),
    policy: t.field({
      type: AgentPolicyType,
      nullable: false,
      description: 'What it may do.',
      resolve: (agent) => agent,
    }),
    usage: t.field({
      type: AgentUsageType,
      nullable: false,
      description: 'What it has used of its limits.',
      resolve: (agent) => agent,
    }),
    customerId: t.id({
      nullable: false,
      description: '`Customer:<uuid>` that it acts for.',
      resolve: ({ customerId }) => publicId('Customer', customerId),
    }),
    customer: t.field({
      type: CustomerNode,
      description: 'Customer that it acts for.',
      resolve: ({ customerId }, _args, context) => load(context, customersByIds, customerId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: 'When it was last changed.' }),
    transactions: t.field({
      type: TransactionConnection,
      description: 'Transactions that it initiated. Page size 1 to 100, default 20.',
      args: { filter: t.arg({ type: TransactionFilterType, description: 'Which of them.' }), ...windowArgs(t) },
      resolve: ({ id }, args, context) => transactionsOf(context, 'Agent', id, args),
    }),
  }),
})

registerNode({ kinds: { Agent: agentsByIds }, typeName: (value) => (AgentRecord.is(value) ? 'Agent' : undefined) })

builder.objectField(CustomerNode, 'agents', (t) =>
  t.field({
    type: [AgentNode],
    nullable: { list: true, items: false },
    description: 'Agents that act for the customer, newest first.',
    resolve: ({ id }, _args, context) => load(context, agentsOfCustomers, id),
  }),
)

builder.interfaceField(PaymentInterface, 'agent', (t) =>
  t.field({
    type: AgentNode,
    description: 'Agent that initiated the transaction.',
    resolve: ({ agentId }, _args, context) => loadOptional(context, agentsByIds, agentId),
  }),
)
