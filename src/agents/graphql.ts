import { AgentPolicyType } from '#agents/policy/graphql.ts'
import type { Usage } from '#agents/policy/policy.ts'
import { nextDay, nextMonth, usageOf } from '#agents/policy/usage.ts'
import { publicId } from '#core/ids.ts'
import { money } from '#core/money.ts'
import { customersByIds } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { connectionType } from '#graphql/connection.ts'
import { CHANGED_FROM, CHANGED_UNTIL, CREATED_FROM, CREATED_UNTIL } from '#graphql/dates.ts'
import { linkedListField, listField } from '#graphql/list-field.ts'
import { load, loadOptional } from '#graphql/load.ts'
import { MoneyType } from '#graphql/money.ts'
import { registerNode } from '#graphql/node-types.ts'
import { ViewerType } from '#platforms/graphql.ts'
import { transactions } from '#transactions/graphql.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import { type Agent, AgentRecord, agentsByIds } from './agent.ts'
import { agentList } from './list.ts'

const AgentUsageType = builder.objectRef<Usage & Pick<Agent, 'limitCurrency'>>('AgentUsage').implement({
  description: 'What an agent has used of its limits, in the currency of `spendingLimits`.',
  fields: (t) => ({
    dailyTransactionCount: t.exposeInt('dailyTransactionCount', {
      nullable: false,
      description: 'Transactions of the UTC day.',
    }),
    dailySpend: t.expose('dailySpend', { type: 'Int64', nullable: false, description: 'Spend of the UTC day.' }),
    dailySpendMoney: t.field({
      type: MoneyType,
      nullable: false,
      description: '`dailySpend` with its currency.',
      resolve: ({ dailySpend, limitCurrency }) => money(dailySpend, limitCurrency),
    }),
    dailyResetDate: t.string({
      nullable: false,
      description: 'Date of the day that begins anew, for example `2025-10-14`.',
      resolve: () => nextDay(),
    }),
    monthlySpend: t.expose('monthlySpend', { type: 'Int64', nullable: false, description: 'Spend of the UTC month.' }),
    monthlySpendMoney: t.field({
      type: MoneyType,
      nullable: false,
      description: '`monthlySpend` with its currency.',
      resolve: ({ monthlySpend, limitCurrency }) => money(monthlySpend, limitCurrency),
    }),
    monthlyResetMonth: t.string({
      nullable: false,
      description: 'The month that begins anew, for example `2025-11`.',
      resolve: () => nextMonth(),
    }),
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
      resolve: (agent) => ({ ...usageOf(agent), limitCurrency: agent.limitCurrency }),
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
    transactions: linkedListField(t, transactions, 'Agent', 'Transactions that it initiated.'),
  }),
})

registerNode({ kinds: { Agent: agentsByIds }, typeName: (value) => (AgentRecord.is(value) ? 'Agent' : undefined) })

builder.interfaceField(PaymentInterface, 'agent', (t) =>
  t.field({
    type: AgentNode,
    description: 'Agent that initiated the transaction.',
    resolve: ({ agentId }, _args, context) => loadOptional(context, agentsByIds, agentId),
  }),
)

builder.objectField(ViewerType, 'agent', (t) =>
  t.field({
    type: AgentNode,
    description: 'The agent that is calling. Null for a platform.',
    resolve: (caller, _args, context) =>
      caller.scheme === 'AGENT' ? load(context, agentsByIds, caller.agentId) : null,
  }),
)

const AgentFilterType = builder.inputType('AgentFilter', {
  description: 'All given conditions must hold.',
  fields: (t) => ({
    customerId: t.id({ description: 'Of this customer.' }),
    isPaused: t.boolean({ description: 'Paused, or not.' }),
    isConnected: t.boolean({ description: 'Connected, or not.' }),
    createdAfter: t.field({ type: 'DateTime', description: CREATED_FROM }),
    createdBefore: t.field({ type: 'DateTime', description: CREATED_UNTIL }),
    updatedAfter: t.field({ type: 'DateTime', description: CHANGED_FROM }),
    updatedBefore: t.field({ type: 'DateTime', description: CHANGED_UNTIL }),
  }),
})

const agents = {
  list: agentList,
  connection: connectionType<Agent>('Agent', AgentNode, 'agents'),
  filter: AgentFilterType,
}

builder.queryField('agents', (t) => listField(t, agents, 'Agents that are not deleted; an agent sees itself.'))
builder.objectField(CustomerNode, 'agents', (t) =>
  linkedListField(t, agents, 'Customer', 'Agents that act for the customer.'),
)
