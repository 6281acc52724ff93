import { AgentPolicyType } from '#agents/policy/graphql.ts'
import { POLICY_COLUMNS, type Usage } from '#agents/policy/policy.ts'
import { nextDay, nextMonth, usageOf } from '#agents/policy/usage.ts'
import type { Caller } from '#core/caller.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, type Context, NodeInterface } from '#graphql/builder.ts'
import { from, idOf, read } from '#graphql/compiled/field.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { linkedListField, listField, listType } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { withCurrency } from '#graphql/money.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { ViewerType } from '#platforms/graphql.ts'
import { QuoteNode } from '#quotes/graphql.ts'
import { transactions } from '#transactions/graphql.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import { type Agent, AgentRecord } from './agent.ts'
import { AgentFilterInput, agentList } from './list.ts'
import { AGENT_TEXTS, USAGE_TEXTS } from './texts.ts'

const { texts } = AgentRecord

const AgentUsageType = builder.objectRef<Usage & Pick<Agent, 'limitCurrency'>>('AgentUsage').implement({
  description: 'Usage of the limits of an agent, in the currency of `spendingLimits`.',
  fields: (t) => ({
    dailyTransactionCount: t.exposeInt('dailyTransactionCount', {
      nullable: false,
      description: texts.dailyTransactionCount,
    }),
    dailySpend: t.expose('dailySpend', { type: 'Int64', nullable: false, description: texts.dailySpend }),
    dailySpendMoney: t.field({ nullable: false, ...withCurrency('dailySpend', 'limitCurrency') }),
    dailyResetDate: t.string({
      nullable: false,
      description: USAGE_TEXTS.dailyResetDate,
      resolve: () => nextDay(),
    }),
    monthlySpend: t.expose('monthlySpend', { type: 'Int64', nullable: false, description: texts.monthlySpend }),
    monthlySpendMoney: t.field({ nullable: false, ...withCurrency('monthlySpend', 'limitCurrency') }),
    monthlyResetMonth: t.string({
      nullable: false,
      description: USAGE_TEXTS.monthlyResetMonth,
      resolve: () => nextMonth(),
    }),
  }),
})

export const AgentNode = builder.objectRef<Agent>('Agent').implement({
  description: 'Software that acts for a customer under a policy.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('Agent', 'id') }),
    name: t.exposeString('name', { nullable: false, description: texts.name }),
    isPaused: t.exposeBoolean('isPaused', {
      nullable: false,
      description: texts.isPaused,
    }),
    isConnected: t.exposeBoolean('isConnected', {
      nullable: false,
      description: texts.isConnected,
    }),
    isDeleted: t.boolean({
      nullable: false,
      description: 'Whether the agent was deleted.',
      ...from<Agent>()(['deletedAt'], ({ deletedAt }) => deletedAt !== null),
    }),
    policy: t.field({
      type: AgentPolicyType,
      nullable: false,
      description: AGENT_TEXTS.policy,
      ...from<Agent>()(POLICY_COLUMNS, (policy) => policy),
    }),
    usage: t.field({
      type: AgentUsageType,
      nullable: false,
      description: AGENT_TEXTS.usage,
      ...from<Agent>()(
        ['dailyTransactionCount', 'dailySpend', 'monthlySpend', 'usageDay', 'limitCurrency'],
        (agent) => ({ ...usageOf(agent), limitCurrency: agent.limitCurrency }),
      ),
    }),
    customerId: t.id({
      nullable: false,
      description: texts.customerId,
      ...idOf('Customer', 'customerId'),
    }),
    customer: t.field({
      type: CustomerNode,
      description: 'Customer that the agent acts for.',
      ...rowOf(CustomerRecord, 'customerId'),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
    transactions: linkedListField(t, transactions, 'Agent', 'Transactions that the agent initiated.'),
  }),
})

registerRecord(AgentRecord, 'Agent')

builder.interfaceField(PaymentInterface, 'agent', (t) =>
  t.field({
    type: AgentNode,
    description: 'Agent that initiated the transaction.',
    ...rowOf(AgentRecord, 'agentId'),
  }),
)

builder.objectField(QuoteNode, 'agent', (t) =>
  t.field({
    type: AgentNode,
    description: 'Agent that created the quote.',
    ...rowOf(AgentRecord, 'agentId'),
  }),
)

builder.objectField(ViewerType, 'agent', (t) =>
  t.field({
    type: AgentNode,
    description: 'The calling agent. Null for a platform.',
    ...read(
      (caller: Caller, _args: object, context: Context) =>
        caller.scheme === 'AGENT' ? load(context, AgentRecord.byIds, caller.agentId) : null,
      rowOf(AgentRecord, 'agentId').extensions.compile,
    ),
  }),
)

const agents = listType('Agent', AgentNode, 'agents', agentList, AgentFilterInput)

builder.queryField('agents', (t) => listField(t, agents, 'Agents that are not deleted. An agent sees only itself.'))
builder.objectField(CustomerNode, 'agents', (t) =>
  linkedListField(t, agents, 'Customer', 'Agents that act for the customer.'),
)
