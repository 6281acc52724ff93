// GraphQL inputs of policies. The domain and REST call the code of a currency `currency`; GraphQL calls it `currencyCode`.
import { AgentRecord } from '#agents/agent.ts'
import { POLICY_TEXTS } from '#agents/texts.ts'
import { type InputFieldBuilder, inputOf } from '#graphql/input-of.ts'
import {
  accountRestrictions,
  accountRule,
  LIMIT_CHANGES,
  limitChanges,
  limits,
  somePolicy,
  THRESHOLD_CURRENCY,
  thresholds,
  wholePolicy,
} from './policy-input.ts'

const { texts } = AgentRecord

/** Neither field is required, because clients may send either name. */
const currencyFields = (t: InputFieldBuilder, description: string) => ({
  currencyCode: t.string({ description }),
  currency: t.string({
    description: 'Former name of `currencyCode`. Ignored if `currencyCode` is present.',
    deprecationReason: 'It is read as `currencyCode`. Send `currencyCode`.',
  }),
})

const AgentSpendingLimitsInput = inputOf(
  'AgentSpendingLimitsInput',
  'Limits in the smallest unit of one currency.',
  limits.omit({ currency: true }),
  (t) => currencyFields(t, `${texts.limitCurrency} Required.`),
)

const AgentSpendingLimitsChangesInput = inputOf(
  'AgentSpendingLimitsChangesInput',
  'Changes of the limits. Omitted fields are kept. If the currency changes, the usage is converted.',
  limitChanges.omit({ currency: true }),
  (t) => currencyFields(t, texts.limitCurrency),
)

const AgentApprovalThresholdsInput = inputOf(
  'AgentApprovalThresholdsInput',
  'Amount above which an action needs approval, even if the mode is `AUTO`.',
  thresholds.omit({ currency: true }),
  (t) => currencyFields(t, THRESHOLD_CURRENCY),
)

inputOf('AgentAccountRuleInput', 'Rule for one account.', accountRule)
inputOf(
  'AgentAccountRestrictionsInput',
  'Accounts that the agent may use, and rules for individual accounts.',
  accountRestrictions,
)

const withOwnCurrency = { spendingLimits: true, approvalThresholds: true } as const

const thresholdsField = (t: InputFieldBuilder) =>
  t.field({
    type: AgentApprovalThresholdsInput,
    description: POLICY_TEXTS.approvalThresholds,
  })

export const AgentPolicyInput = inputOf(
  'AgentPolicyInput',
  'What an agent may do, and when the platform must approve.',
  wholePolicy.omit(withOwnCurrency),
  (t) => ({
    spendingLimits: t.field({
      type: AgentSpendingLimitsInput,
      required: true,
      description: POLICY_TEXTS.spendingLimits,
    }),
    approvalThresholds: thresholdsField(t),
  }),
)

export const AgentPolicyChangesInput = inputOf(
  'AgentPolicyChangesInput',
  'Changes of a policy. Omitted fields are kept, and null clears a field that may be null.',
  somePolicy.omit(withOwnCurrency),
  (t) => ({
    spendingLimits: t.field({
      type: AgentSpendingLimitsChangesInput,
      description: LIMIT_CHANGES,
    }),
    approvalThresholds: thresholdsField(t),
  }),
)

interface WithCurrency {
  readonly currencyCode?: string | null | undefined
  readonly currency?: string | null | undefined
}

interface PolicyGiven {
  readonly spendingLimits?: WithCurrency | null | undefined
  readonly approvalThresholds?: WithCurrency | null | undefined
}

/** Converts the input to the shape that the domain and REST use. */
export const policyBody = ({ spendingLimits, approvalThresholds, ...others }: PolicyGiven) => ({
  ...others,
  spendingLimits: withCurrency(spendingLimits),
  approvalThresholds: withCurrency(approvalThresholds),
})

const withCurrency = <T extends WithCurrency | null | undefined>(part: T) => {
  if (!part) return part
  const { currencyCode, ...others } = part
  return currencyCode === undefined ? others : { ...others, currency: currencyCode }
}

/** The position in the GraphQL input of the domain's `field`. */
export const placeInPolicy = (policy: PolicyGiven | undefined, field: string): string =>
  field.replace(/(spendingLimits|approvalThresholds)\.currency$/, (place, part: keyof PolicyGiven) => {
    const given = policy?.[part]
    return given?.currencyCode === undefined && given?.currency !== undefined ? place : `${part}.currencyCode`
  })
