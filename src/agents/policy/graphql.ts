// Policies and usage of agents as GraphQL types.

import { type AccountRule, AGENT_EXECUTION_MODES } from '#agents/agent.ts'
import { AGENT_PERMISSIONS } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { money, optionalMoney } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { CURRENCY_IS_A_CODE } from '#graphql/deprecation.ts'
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

const SMALLEST_UNIT = 'Smallest unit of the currency of the limits.'
const NO_LIMIT = `${SMALLEST_UNIT} Null means unlimited.`
const CURRENCY = 'Code of the currency that limits and usage are in.'

const AgentSpendingLimitsType = builder.objectRef<Policy>('AgentSpendingLimits').implement({
  description: 'Limits in the smallest unit of one currency; other currencies are converted when the limit is checked.',
  fields: (t) => ({
    currencyCode: t.exposeString('limitCurrency', { nullable: false, description: CURRENCY }),
    currency: t.exposeString('limitCurrency', {
      nullable: false,
      description: CURRENCY,
      deprecationReason: CURRENCY_IS_A_CODE,
    }),
    perTransactionLimit: t.expose('perTransactionLimit', {
      type: 'Int64',
      nullable: false,
      description: SMALLEST_UNIT,
    }),
    perTransactionLimitMoney: t.field({
      type: MoneyType,
      nullable: false,
      description: '`perTransactionLimit` with its currency.',
      resolve: ({ perTransactionLimit, limitCurrency }) => money(perTransactionLimit, limitCurrency),
    }),
    dailyLimit: t.expose('dailyLimit', { type: 'Int64', description: NO_LIMIT }),
    dailyLimitMoney: t.field({
      type: MoneyType,
      description: '`dailyLimit` with its currency.',
      resolve: ({ dailyLimit, limitCurrency }) => optionalMoney(dailyLimit, limitCurrency),
    }),
    dailyTransactionLimit: t.exposeInt('dailyTransactionLimit', {
      description: 'Number of transactions a day. Null means unlimited.',
    }),
    monthlyLimit: t.expose('monthlyLimit', { type: 'Int64', description: NO_LIMIT }),
    monthlyLimitMoney: t.field({
      type: MoneyType,
      description: '`monthlyLimit` with its currency.',
      resolve: ({ monthlyLimit, limitCurrency }) => optionalMoney(monthlyLimit, limitCurrency),
    }),
  }),
})

interface RuleOfPolicy extends AccountRule {
  readonly limitCurrency: string
}

const rulesOf = ({ accountRules, limitCurrency }: Policy): RuleOfPolicy[] =>
  accountRules.map((rule) => ({ ...rule, limitCurrency }))

const idsOf = ({ allowedAccountIds }: Policy): string[] | null =>
  allowedAccountIds?.map((id) => publicId('InternalAccount', id)) ?? null

const AgentAccountRuleType = builder.objectRef<RuleOfPolicy>('AgentAccountRule').implement({
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
      description: `${SMALLEST_UNIT} Null inherits the agent's limit.`,
    }),
    perTransactionLimitMoney: t.field({
      type: MoneyType,
      description: '`perTransactionLimit` with its currency.',
      resolve: ({ perTransactionLimit, limitCurrency }) =>
        perTransactionLimit == null ? null : money(BigInt(perTransactionLimit), limitCurrency),
    }),
  }),
})

const ALLOWED_ACCOUNTS = '`InternalAccount:<uuid>` each. Null means every internal account of the customer.'
const ACCOUNT_RULES = 'Rules for single accounts; they override the defaults.'

const AgentAccountRestrictionsType = builder.objectRef<Policy>('AgentAccountRestrictions').implement({
  description: 'Which accounts, and rules for single ones.',
  fields: (t) => ({
    allowedAccountIds: t.idList({
      nullable: { list: true, items: false },
      description: ALLOWED_ACCOUNTS,
      resolve: idsOf,
    }),
    accountRules: t.field({
      type: [AgentAccountRuleType],
      nullable: { list: false, items: false },
      description: ACCOUNT_RULES,
      resolve: rulesOf,
    }),
  }),
})

const AgentApprovalThresholdsType = builder.objectRef<Policy>('AgentApprovalThresholds').implement({
  description: 'Above the amount approval is required even when the mode is `AUTO`.',
  fields: (t) => ({
    currencyCode: t.exposeString('approvalThresholdCurrency', { description: 'Code of the currency of the amount.' }),
    amount: t.expose('approvalThresholdAmount', {
      type: 'Int64',
      description: 'Smallest unit of the currency. Null means no threshold.',
    }),
    amountMoney: t.field({ type: MoneyType, description: '`amount` with its currency.', resolve: thresholdOf }),
  }),
})

const thresholdOf = ({ approvalThresholdAmount, approvalThresholdCurrency }: Policy) =>
  optionalMoney(approvalThresholdAmount, approvalThresholdCurrency)

/** The reason of a field that was read under another name than it is written under. */
const writtenAs = (name: string, inner: string) =>
  `It is written as \`${name}.${inner}\`. Select \`${name} { ${inner} }\`.`

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
    accountRestrictions: t.field({
      type: AgentAccountRestrictionsType,
      description: 'Which accounts, and rules for single ones. Null means every account of the customer, and no rules.',
      resolve: (policy) => (policy.allowedAccountIds === null && policy.accountRules.length === 0 ? null : policy),
    }),
    approvalThresholds: t.field({
      type: AgentApprovalThresholdsType,
      description: 'Above which amount a person must approve, even when the mode is `AUTO`. Null means none.',
      resolve: (policy) => (policy.approvalThresholdCurrency === null ? null : policy),
    }),
    allowedAccountIds: t.idList({
      nullable: { list: true, items: false },
      description: ALLOWED_ACCOUNTS,
      deprecationReason: writtenAs('accountRestrictions', 'allowedAccountIds'),
      resolve: idsOf,
    }),
    accountRules: t.field({
      type: [AgentAccountRuleType],
      nullable: { list: false, items: false },
      description: ACCOUNT_RULES,
      deprecationReason: writtenAs('accountRestrictions', 'accountRules'),
      resolve: rulesOf,
    }),
    repriceToleranceBps: t.exposeInt('repriceToleranceBps', {
      nullable: false,
      description:
        'Basis points by which a quote may be worse when it expired before the approval and is priced again.',
    }),
    approvalThreshold: t.field({
      type: MoneyType,
      description: 'Above this amount approval is required even when the mode is `AUTO`. Null means no threshold.',
      deprecationReason: writtenAs('approvalThresholds', 'amount'),
      resolve: thresholdOf,
    }),
  }),
})
