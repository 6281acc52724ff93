// Policies as platforms send them, whole or in part (docs/domain/agents.md#policy). Account ids are public there and bare in the database.
import { z } from 'zod'
import { type AccountRule, AGENT_EXECUTION_MODES } from '#agents/agent.ts'
import { AGENT_PERMISSIONS } from '#core/caller.ts'
import { CURRENCIES } from '#core/currencies.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { type PlatformId, parseId } from '#core/ids.ts'
import { amountOf, currencyCode, idOf, labelOf, parse } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Policy } from './policy.ts'

const UNIT = 'In the smallest unit of `currency`.'
const limit = amountOf(0n, MAX_AMOUNT).describe(UNIT)
const limitOrNone = limit.nullish().describe(`${UNIT} Null means no limit.`)
const accountId = idOf('InternalAccount')
  .describe('`InternalAccount:<uuid>` of the customer.')
  .transform((id) => parseId(id)?.uuid ?? '')
const permissions = z
  .array(labelOf(AGENT_PERMISSIONS), { error: 'must be a list' })
  .describe('All that it may do.')
  .transform((given) => AGENT_PERMISSIONS.filter((permission) => given.includes(permission)))
const mode = labelOf(AGENT_EXECUTION_MODES).describe(
  'Whether an action within the limits still waits for a person, where no rule says otherwise.',
)

const accountRule = z
  .object({
    accountId,
    executionMode: mode.nullish().describe('Null inherits the agent’s mode.'),
    perTransactionLimit: limit
      .nullish()
      .describe('In the smallest unit of the limits’ currency. Null inherits the agent’s limit.'),
  })
  .transform(
    (rule): AccountRule => ({
      accountId: rule.accountId,
      executionMode: rule.executionMode ?? null,
      // Exact: no limit exceeds 2^53.
      perTransactionLimit: rule.perTransactionLimit == null ? null : Number(rule.perTransactionLimit),
    }),
  )

const HOW_MUCH = 'How much it may move.'
const limits = {
  currency: currencyCode,
  perTransactionLimit: limit,
  dailyLimit: limitOrNone,
  dailyTransactionLimit: z
    .int32({ error: 'must be a whole number' })
    .min(0, 'must not be negative')
    .nullish()
    .describe('Number of transactions a day. Null means no limit.'),
  monthlyLimit: limitOrNone,
}

const repriceToleranceBps = z
  .int32({ error: 'must be a whole number' })
  .min(0, 'must be from 0 to 1000')
  .max(1000, 'must be from 0 to 1000')
  .optional()
  .describe(
    'Basis points by which a quote may be worse when it expired before the approval and is priced again. A new policy has 100 unless given.',
  )

const optionalParts = {
  repriceToleranceBps,
  accountRestrictions: z
    .object({
      allowedAccountIds: z
        .array(accountId, { error: 'must be a list' })
        .nullish()
        .describe('`InternalAccount:<uuid>` each. Null is every internal account of the customer.'),
      accountRules: z
        .array(accountRule, { error: 'must be a list' })
        .nullish()
        .describe('Rules for single accounts; they override the defaults.'),
    })
    .nullish()
    .describe('Which accounts, and rules for single ones. Null is none.'),
  approvalThresholds: z
    .object({
      currency: currencyCode.nullish().describe('Code of the currency. Needed with an amount.'),
      amount: limit.nullish().describe(`${UNIT} Larger amounts need approval. Null means no threshold.`),
    })
    .nullish()
    .describe('Above which amount a person must approve, even when the mode is `AUTO`. Null is none.'),
}

export const wholePolicy = z.object({
  permissions,
  defaultExecutionMode: mode,
  spendingLimits: z.object(limits).describe(HOW_MUCH),
  ...optionalParts,
})
type WholePolicy = z.output<typeof wholePolicy>

export const somePolicy = z.object({
  permissions: permissions.optional(),
  defaultExecutionMode: mode.optional(),
  spendingLimits: z
    .object({ ...limits, currency: currencyCode.optional(), perTransactionLimit: limit.optional() })
    .optional()
    .describe(`${HOW_MUCH} What was spent is converted to a new currency.`),
  ...optionalParts,
})
type SomePolicy = z.output<typeof somePolicy>

/** 400 `INVALID_INPUT` with the field. */
export const parseSomePolicy = (input: unknown): SomePolicy => parse(somePolicy, input)

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
 * 400 `INVALID_CURRENCY` for an unknown currency; 400 `INVALID_INPUT` for a threshold without currency, two rules for one account,
 * and an account that is no internal account of the customer. `path` is where the policy stands in the request.
 */
export const checkPolicy = async (tx: Tx, owner: Owner, policy: Policy, path = ''): Promise<void> => {
  requireCurrency(policy.limitCurrency, `${path}spendingLimits.currency`)
  const { approvalThresholdCurrency, approvalThresholdAmount } = policy
  const thresholdCurrency = `${path}approvalThresholds.currency`
  if (approvalThresholdCurrency !== null) requireCurrency(approvalThresholdCurrency, thresholdCurrency)
  else if (approvalThresholdAmount !== null) throw invalidInput(thresholdCurrency, `${thresholdCurrency} is required`)
  const restrictions = `${path}accountRestrictions`
  const ruled = policy.accountRules.map(({ accountId }) => accountId)
  const twice = ruled.findIndex((id, index) => ruled.indexOf(id) !== index)
  if (twice >= 0) {
    const field = `${restrictions}.accountRules.${twice}.accountId`
    throw invalidInput(field, `${field} must not have a rule already`)
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

const requireCurrency = (code: string, field: string) => {
  if (!CURRENCIES.has(code)) throw new ApiError('INVALID_CURRENCY', 'The currency is not known', { field })
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
