// Policies of agents as GraphQL types.
import { type AccountRule, AGENT_EXECUTION_MODES, AgentRecord } from '#agents/agent.ts'
import { AGENT_TEXTS, POLICY_TEXTS } from '#agents/texts.ts'
import { AGENT_PERMISSIONS } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { money, optionalMoney } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { CURRENCY_IS_A_CODE } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { MoneyType, withCurrency } from '#graphql/money.ts'
import type { Policy } from './policy.ts'

const AgentPermissionEnum = enumOf('AgentPermission', 'Permission of an agent.', AGENT_PERMISSIONS, {
  VIEW_TRANSACTIONS: 'Read transactions, accounts and cards, and all details of the customer.',
  CREATE_TRANSFERS: 'Transfer between an internal and an external account in the same currency.',
  CREATE_QUOTES: 'Create quotes.',
  EXECUTE_QUOTES: 'Execute quotes that the agent created.',
  MANAGE_EXTERNAL_ACCOUNTS: 'Add and remove external accounts of the customer.',
})

const AgentExecutionModeEnum = enumOf(
  'AgentExecutionMode',
  'Whether actions within the limits need approval by the platform.',
  AGENT_EXECUTION_MODES,
  { AUTO: 'They are executed at once.', APPROVAL_REQUIRED: 'They wait for approval.' },
)

const { texts } = AgentRecord

const AgentSpendingLimitsType = builder.objectRef<Policy>('AgentSpendingLimits').implement({
  description:
    'Limits in the smallest unit of one currency. Amounts in other currencies are converted when a limit is checked.',
  fields: (t) => ({
    currencyCode: t.exposeString('limitCurrency', { nullable: false, description: texts.limitCurrency }),
    currency: t.exposeString('limitCurrency', {
      nullable: false,
      description: texts.limitCurrency,
      deprecationReason: CURRENCY_IS_A_CODE,
    }),
    perTransactionLimit: t.expose('perTransactionLimit', {
      type: 'Int64',
      nullable: false,
      description: texts.perTransactionLimit,
    }),
    perTransactionLimitMoney: t.field({ nullable: false, ...withCurrency('perTransactionLimit', 'limitCurrency') }),
    dailyLimit: t.expose('dailyLimit', { type: 'Int64', description: texts.dailyLimit }),
    dailyLimitMoney: t.field(withCurrency('dailyLimit', 'limitCurrency')),
    dailyTransactionLimit: t.exposeInt('dailyTransactionLimit', {
      description: texts.dailyTransactionLimit,
    }),
    monthlyLimit: t.expose('monthlyLimit', { type: 'Int64', description: texts.monthlyLimit }),
    monthlyLimitMoney: t.field(withCurrency('monthlyLimit', 'limitCurrency')),
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
  description: 'Rule for one account.',
  fields: (t) => ({
    accountId: t.id({
      nullable: false,
      description: POLICY_TEXTS.ruleAccountId,
      resolve: ({ accountId }) => publicId('InternalAccount', accountId),
    }),
    executionMode: t.expose('executionMode', {
      type: AgentExecutionModeEnum,
      description: POLICY_TEXTS.ruleExecutionMode,
    }),
    perTransactionLimit: t.expose('perTransactionLimit', {
      type: 'Int64',
      description: POLICY_TEXTS.rulePerTransactionLimit,
    }),
    perTransactionLimitMoney: t.field({
      type: MoneyType,
      description: '`perTransactionLimit` with its currency.',
      resolve: ({ perTransactionLimit, limitCurrency }) =>
        perTransactionLimit == null ? null : money(BigInt(perTransactionLimit), limitCurrency),
    }),
  }),
})

const AgentAccountRestrictionsType = builder.objectRef<Policy>('AgentAccountRestrictions').implement({
  description: 'Accounts that an agent may use, and rules for individual accounts.',
  fields: (t) => ({
    allowedAccountIds: t.idList({
      nullable: { list: true, items: false },
      description: texts.allowedAccountIds,
      resolve: idsOf,
    }),
    accountRules: t.field({
      type: [AgentAccountRuleType],
      nullable: { list: false, items: false },
      description: texts.accountRules,
      resolve: rulesOf,
    }),
  }),
})

const AgentApprovalThresholdsType = builder.objectRef<Policy>('AgentApprovalThresholds').implement({
  description: 'Amount above which an action needs approval, even if the mode is `AUTO`.',
  fields: (t) => ({
    currencyCode: t.exposeString('approvalThresholdCurrency', { description: texts.approvalThresholdCurrency }),
    amount: t.expose('approvalThresholdAmount', {
      type: 'Int64',
      description: texts.approvalThresholdAmount,
    }),
    amountMoney: t.field({ type: MoneyType, description: '`amount` with its currency.', resolve: thresholdOf }),
  }),
})

const thresholdOf = ({ approvalThresholdAmount, approvalThresholdCurrency }: Policy) =>
  optionalMoney(approvalThresholdAmount, approvalThresholdCurrency)

/** The deprecation reason of a field whose name differs from that of the input. */
const writtenAs = (name: string, inner: string) =>
  `The input calls it \`${name}.${inner}\`. Select \`${name} { ${inner} }\`.`

export const AgentPolicyType = builder.objectRef<Policy>('AgentPolicy').implement({
  description: AGENT_TEXTS.policy,
  fields: (t) => ({
    permissions: t.field({
      type: [AgentPermissionEnum],
      nullable: { list: false, items: false },
      description: texts.permissions,
      resolve: ({ permissions }) => permissions,
    }),
    defaultExecutionMode: t.expose('defaultExecutionMode', {
      type: AgentExecutionModeEnum,
      nullable: false,
      description: texts.defaultExecutionMode,
    }),
    spendingLimits: t.field({
      type: AgentSpendingLimitsType,
      nullable: false,
      description: POLICY_TEXTS.spendingLimits,
      resolve: (policy) => policy,
    }),
    accountRestrictions: t.field({
      type: AgentAccountRestrictionsType,
      description: POLICY_TEXTS.accountRestrictions,
      resolve: (policy) => (policy.allowedAccountIds === null && policy.accountRules.length === 0 ? null : policy),
    }),
    approvalThresholds: t.field({
      type: AgentApprovalThresholdsType,
      description: POLICY_TEXTS.approvalThresholds,
      resolve: (policy) => (policy.approvalThresholdCurrency === null ? null : policy),
    }),
    allowedAccountIds: t.idList({
      nullable: { list: true, items: false },
      description: texts.allowedAccountIds,
      deprecationReason: writtenAs('accountRestrictions', 'allowedAccountIds'),
      resolve: idsOf,
    }),
    accountRules: t.field({
      type: [AgentAccountRuleType],
      nullable: { list: false, items: false },
      description: texts.accountRules,
      deprecationReason: writtenAs('accountRestrictions', 'accountRules'),
      resolve: rulesOf,
    }),
    repriceToleranceBps: t.exposeInt('repriceToleranceBps', {
      nullable: false,
      description: texts.repriceToleranceBps,
    }),
    approvalThreshold: t.field({
      type: MoneyType,
      description: POLICY_TEXTS.approvalThresholds,
      deprecationReason: writtenAs('approvalThresholds', 'amount'),
      resolve: thresholdOf,
    }),
  }),
})
