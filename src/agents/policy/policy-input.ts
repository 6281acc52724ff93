// Checks the policies and the changes that platforms send (docs/domain/agents.md#policy). Account ids are stored as bare uuids.
import { z } from 'zod'
import { type AccountRule, AGENT_EXECUTION_MODES, AgentRecord } from '#agents/agent.ts'
import { POLICY_TEXTS } from '#agents/texts.ts'
import { AGENT_PERMISSIONS } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { type PlatformId, parseId } from '#core/ids.ts'
import { amountOf, currencyCode, idOf, labelOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { requireKnownCurrency } from '#platforms/settings/currencies.ts'
import type { Policy } from './policy.ts'

const { texts } = AgentRecord

export const THRESHOLD_CURRENCY = `${texts.approvalThresholdCurrency} Required with an amount.`
export const LIMIT_CHANGES = `${POLICY_TEXTS.spendingLimits} If the currency changes, the usage is converted.`

const limit = amountOf(0n, MAX_AMOUNT)
const accountId = idOf('InternalAccount').transform((id) => parseId(id)?.uuid ?? '')
const permissions = z
  .array(labelOf(AGENT_PERMISSIONS), { error: 'must be a list' })
  .describe(texts.permissions)
  .transform((given) => AGENT_PERMISSIONS.filter((permission) => given.includes(permission)))
const mode = labelOf(AGENT_EXECUTION_MODES)

export const accountRule = z
  .object({
    accountId: accountId.describe(POLICY_TEXTS.ruleAccountId),
    executionMode: mode.nullish().describe(POLICY_TEXTS.ruleExecutionMode),
    perTransactionLimit: limit.nullish().describe(POLICY_TEXTS.rulePerTransactionLimit),
  })
  .meta({ id: 'AccountRuleRequest', description: 'What an agent may do with one account.' })

const storedRule = accountRule.transform(
  (rule): AccountRule => ({
    accountId: rule.accountId,
    executionMode: rule.executionMode ?? null,
    // Exact, because no limit exceeds 2^53.
    perTransactionLimit: rule.perTransactionLimit == null ? null : Number(rule.perTransactionLimit),
  }),
)

export const limits = z
  .object({
    currency: currencyCode.describe(texts.limitCurrency),
    perTransactionLimit: limit.describe(texts.perTransactionLimit),
    dailyLimit: limit.nullish().describe(texts.dailyLimit),
    dailyTransactionLimit: z
      .int32({ error: 'must be a whole number' })
      .min(0, 'must not be negative')
      .nullish()
      .describe(texts.dailyTransactionLimit),
    monthlyLimit: limit.nullish().describe(texts.monthlyLimit),
  })
  .meta({ id: 'SpendingLimitsRequest', description: 'How much an agent may spend.' })

export const limitChanges = limits
  .extend({
    currency: limits.shape.currency.optional(),
    perTransactionLimit: limits.shape.perTransactionLimit.optional(),
  })
  .meta({ id: 'SpendingLimitChangesRequest', description: 'Changes of how much an agent may spend.' })

export const thresholds = z
  .object({
    currency: currencyCode.nullish().describe(THRESHOLD_CURRENCY),
    amount: limit.nullish().describe(texts.approvalThresholdAmount),
  })
  .meta({ id: 'ApprovalThresholdsRequest', description: 'The amount from which actions need approval.' })

export const accountRestrictions = z
  .object({
    allowedAccountIds: z.array(accountId, { error: 'must be a list' }).nullish().describe(texts.allowedAccountIds),
    accountRules: z.array(storedRule, { error: 'must be a list' }).nullish().describe(texts.accountRules),
  })
  .meta({ id: 'AccountRestrictionsRequest', description: 'The accounts that an agent may use.' })

const optionalParts = {
  repriceToleranceBps: z
    .int32({ error: 'must be a whole number' })
    .min(0, 'must be from 0 to 1000')
    .max(1000, 'must be from 0 to 1000')
    .optional()
    .describe(`${texts.repriceToleranceBps} From 0 to 1000. The default for a new policy is 100.`),
  accountRestrictions: accountRestrictions.nullish().describe(POLICY_TEXTS.accountRestrictions),
  approvalThresholds: thresholds.nullish().describe(POLICY_TEXTS.approvalThresholds),
}

export const wholePolicy = z
  .object({
    permissions,
    defaultExecutionMode: mode.describe(texts.defaultExecutionMode),
    spendingLimits: limits.describe(POLICY_TEXTS.spendingLimits),
    ...optionalParts,
  })
  .meta({ id: 'NewPolicyRequest', description: 'The policy of a new agent.' })
type WholePolicy = z.output<typeof wholePolicy>

export const somePolicy = z.object({
  permissions: permissions.optional(),
  defaultExecutionMode: wholePolicy.shape.defaultExecutionMode.optional(),
  spendingLimits: limitChanges.optional().describe(LIMIT_CHANGES),
  ...optionalParts,
})
type SomePolicy = z.output<typeof somePolicy>

const DEFAULTS = {
  dailyLimit: null,
  dailyTransactionLimit: null,
  monthlyLimit: null,
  allowedAccountIds: null,
  accountRules: [],
  approvalThresholdCurrency: null,
  approvalThresholdAmount: null,
  repriceToleranceBps: 100,
}

export const policyOf = (input: WholePolicy): Policy => {
  const { permissions, defaultExecutionMode, spendingLimits } = input
  const { currency: limitCurrency, perTransactionLimit } = spendingLimits
  return mergePolicy({ ...DEFAULTS, permissions, defaultExecutionMode, limitCurrency, perTransactionLimit }, input)
}

/** Applies changes to a policy. Omitted parts are kept, and null clears a part. */
export const mergePolicy = (policy: Policy, input: SomePolicy): Policy => {
  const { spendingLimits = {}, accountRestrictions, approvalThresholds } = input
  const restrictions = accountRestrictions === null ? CLEARED_RESTRICTIONS : (accountRestrictions ?? {})
  const thresholds = approvalThresholds === null ? CLEARED_THRESHOLDS : (approvalThresholds ?? {})
  return {
    permissions: given(input.permissions, policy.permissions),
    defaultExecutionMode: given(input.defaultExecutionMode, policy.defaultExecutionMode),
    limitCurrency: given(spendingLimits.currency, policy.limitCurrency),
    perTransactionLimit: given(spendingLimits.perTransactionLimit, policy.perTransactionLimit),
    dailyLimit: given(spendingLimits.dailyLimit, policy.dailyLimit),
    dailyTransactionLimit: given(spendingLimits.dailyTransactionLimit, policy.dailyTransactionLimit),
    monthlyLimit: given(spendingLimits.monthlyLimit, policy.monthlyLimit),
    allowedAccountIds: given(restrictions.allowedAccountIds, policy.allowedAccountIds),
    accountRules: given(restrictions.accountRules, policy.accountRules) ?? [],
    approvalThresholdCurrency: given(thresholds.currency, policy.approvalThresholdCurrency),
    approvalThresholdAmount: given(thresholds.amount, policy.approvalThresholdAmount),
    repriceToleranceBps: given(input.repriceToleranceBps, policy.repriceToleranceBps),
  }
}

const CLEARED_RESTRICTIONS = { allowedAccountIds: null, accountRules: null }
const CLEARED_THRESHOLDS = { currency: null, amount: null }

const given = <T>(value: T | undefined, kept: T): T => (value === undefined ? kept : value)

interface Owner {
  readonly platformId: PlatformId
  readonly customerId: string
}

/**
 * Throws 400 `INVALID_CURRENCY` for an unknown currency, and 400 `INVALID_INPUT` for a threshold without a currency, for a second
 * rule for an account, and for an account that is not an internal account of the customer. `path` is the path of the policy in the request.
 */
export const checkPolicy = async (tx: Tx, owner: Owner, policy: Policy, path = ''): Promise<void> => {
  requireKnownCurrency(policy.limitCurrency, `${path}spendingLimits.currency`)
  const { approvalThresholdCurrency, approvalThresholdAmount } = policy
  const thresholdCurrency = `${path}approvalThresholds.currency`
  if (approvalThresholdCurrency !== null) requireKnownCurrency(approvalThresholdCurrency, thresholdCurrency)
  else if (approvalThresholdAmount !== null) throw invalidInput(thresholdCurrency, `${thresholdCurrency} is required`)
  const restrictions = `${path}accountRestrictions`
  const ruled = policy.accountRules.map(({ accountId }) => accountId)
  const twice = ruled.findIndex((id, index) => ruled.indexOf(id) !== index)
  if (twice >= 0) {
    const field = `${restrictions}.accountRules.${twice}.accountId`
    throw invalidInput(field, `${field} already has a rule`)
  }
  const named = [
    ...(policy.allowedAccountIds ?? []).map((id, index) => ({
      id,
      field: `${restrictions}.allowedAccountIds.${index}`,
    })),
    ...ruled.map((id, index) => ({ id, field: `${restrictions}.accountRules.${index}.accountId` })),
  ]
  const foreign = await firstForeign(tx, owner, named)
  if (foreign) throw invalidInput(foreign.field, `${foreign.field} must be an internal account of the customer`)
}

const firstForeign = async <T extends { readonly id: string }>(
  tx: Tx,
  { platformId, customerId }: Owner,
  named: readonly T[],
): Promise<T | undefined> => {
  if (named.length === 0) return undefined
  const ids = named.map(({ id }) => id)
  const accounts = await tx.internalAccount.findMany({
    where: { platformId, customerId, id: { in: ids } },
    select: { id: true },
  })
  const own = new Set(accounts.map(({ id }) => id))
  return named.find(({ id }) => !own.has(id))
}
