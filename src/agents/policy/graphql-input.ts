// Inputs for policies, in the form of the REST interface.
import { builder } from '#graphql/builder.ts'
import { AgentExecutionModeEnum, AgentPermissionEnum } from './graphql.ts'

const SMALLEST_UNIT = 'Smallest unit of the currency.'
const WHEN_CHANGED = 'Omitted parts are kept.'

const restOfLimits = (t: InputFields) => ({
  dailyLimit: t.field({ type: 'Int64', description: `${SMALLEST_UNIT} Null means unlimited.` }),
  dailyTransactionLimit: t.int({ description: 'Number of transactions a day. Null means unlimited.' }),
  monthlyLimit: t.field({ type: 'Int64', description: `${SMALLEST_UNIT} Null means unlimited.` }),
})
type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const formerCurrency = (t: InputFields) =>
  t.string({
    description: 'Code of the currency. Ignored beside `currencyCode`.',
    deprecationReason: 'It is read as `currencyCode`. Send `currencyCode`.',
  })

const AgentSpendingLimitsInput = builder.inputType('AgentSpendingLimitsInput', {
  description: 'Limits in the smallest unit of one currency.',
  fields: (t) => ({
    currencyCode: t.string({ description: 'Code of the currency. Needed.' }),
    currency: formerCurrency(t),
    perTransactionLimit: t.field({ type: 'Int64', required: true, description: SMALLEST_UNIT }),
    ...restOfLimits(t),
  }),
})

const AgentSpendingLimitsChangesInput = builder.inputType('AgentSpendingLimitsChangesInput', {
  description: `Limits to change. ${WHEN_CHANGED} What was spent is converted to a new currency.`,
  fields: (t) => ({
    currencyCode: t.string({ description: 'Code of the currency.' }),
    currency: formerCurrency(t),
    perTransactionLimit: t.field({ type: 'Int64', description: SMALLEST_UNIT }),
    ...restOfLimits(t),
  }),
})

const AgentAccountRuleInput = builder.inputType('AgentAccountRuleInput', {
  description: 'Policy of one account.',
  fields: (t) => ({
    accountId: t.id({ required: true, description: '`InternalAccount:<uuid>` of the customer.' }),
    executionMode: t.field({ type: AgentExecutionModeEnum, description: "Null inherits the agent's mode." }),
    perTransactionLimit: t.field({ type: 'Int64', description: "Null inherits the agent's limit." }),
  }),
})

const AgentAccountRestrictionsInput = builder.inputType('AgentAccountRestrictionsInput', {
  description: 'Which accounts, and rules for single ones.',
  fields: (t) => ({
    allowedAccountIds: t.idList({
      description: '`InternalAccount:<uuid>` each. Null means every internal account of the customer.',
    }),
    accountRules: t.field({ type: [AgentAccountRuleInput], description: 'They override the defaults.' }),
  }),
})

const AgentApprovalThresholdsInput = builder.inputType('AgentApprovalThresholdsInput', {
  description: 'Above the amount approval is required even when the mode is `AUTO`.',
  fields: (t) => ({
    currencyCode: t.string({ description: 'Code of the currency. Needed with an amount.' }),
    currency: formerCurrency(t),
    amount: t.field({ type: 'Int64', description: `${SMALLEST_UNIT} Null means no threshold.` }),
  }),
})

const optionalParts = (t: InputFields) => ({
  repriceToleranceBps: t.int({
    description:
      'Basis points, 0 to 1000, by which a quote may be worse when it expired before the approval and is priced again. A new policy has 100 unless given.',
  }),
  accountRestrictions: t.field({
    type: AgentAccountRestrictionsInput,
    description: 'Which accounts, and rules for single ones. Null means none.',
  }),
  approvalThresholds: t.field({
    type: AgentApprovalThresholdsInput,
    description: 'From which amount on a person must approve. Null means none.',
  }),
})

export const AgentPolicyInput = builder.inputType('AgentPolicyInput', {
  description: 'What an agent may do, how much, and when a person must approve.',
  fields: (t) => ({
    permissions: t.field({ type: [AgentPermissionEnum], required: true, description: 'What it may do.' }),
    defaultExecutionMode: t.field({
      type: AgentExecutionModeEnum,
      required: true,
      description: 'Where no rule says otherwise.',
    }),
    spendingLimits: t.field({ type: AgentSpendingLimitsInput, required: true, description: 'How much it may move.' }),
    ...optionalParts(t),
  }),
})

export const AgentPolicyChangesInput = builder.inputType('AgentPolicyChangesInput', {
  description: `Parts of a policy to change. ${WHEN_CHANGED} Null clears what may be null.`,
  fields: (t) => ({
    permissions: t.field({ type: [AgentPermissionEnum], description: 'All that it may do from now on.' }),
    defaultExecutionMode: t.field({ type: AgentExecutionModeEnum, description: 'Where no rule says otherwise.' }),
    spendingLimits: t.field({ type: AgentSpendingLimitsChangesInput, description: 'How much it may move.' }),
    ...optionalParts(t),
  }),
})

type PolicyGiven = typeof AgentPolicyInput.$inferInput | typeof AgentPolicyChangesInput.$inferInput

/** As the domain and REST have it: there the code of a currency is `currency`. */
export const policyBody = ({ spendingLimits, approvalThresholds, ...others }: PolicyGiven) => ({
  ...others,
  spendingLimits: withCurrency(spendingLimits),
  approvalThresholds: withCurrency(approvalThresholds),
})

interface WithCurrency {
  readonly currencyCode?: string | null | undefined
  readonly currency?: string | null | undefined
}

const withCurrency = <T extends WithCurrency | null | undefined>(part: T) => {
  if (!part) return part
  const { currencyCode, ...others } = part
  return currencyCode === undefined ? others : { ...others, currency: currencyCode }
}

/** Where the given policy has what the domain calls `field`. */
export const placeInPolicy = (policy: PolicyGiven | undefined, field: string): string =>
  field.replace(/(spendingLimits|approvalThresholds)\.currency$/, (place, part: keyof PolicyGiven) => {
    const given = policy?.[part] as WithCurrency | null | undefined
    return given?.currencyCode === undefined && given?.currency !== undefined ? place : `${part}.currencyCode`
  })
