// Evaluates an agent's policy for an action: steps 5, 7 and 8 of docs/domain/agents.md#evaluation-order. Callers hold the lock on the agent.

import type { AGENT_EXECUTION_MODES, Agent } from '#agents/agent.ts'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { sendIn } from '#database/round-trips.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { convertUp, isSameValue, type RateTable } from '#quotes/rates/rate.ts'
import { currentRates, selectingRates } from '#quotes/rates/rate-table.ts'

export type AgentExecutionMode = (typeof AGENT_EXECUTION_MODES)[number]

/** The columns of an agent that hold its policy. */
export const POLICY_COLUMNS = [
  'permissions',
  'defaultExecutionMode',
  'limitCurrency',
  'perTransactionLimit',
  'dailyLimit',
  'dailyTransactionLimit',
  'monthlyLimit',
  'allowedAccountIds',
  'accountRules',
  'approvalThresholdCurrency',
  'approvalThresholdAmount',
  'repriceToleranceBps',
] as const satisfies (keyof Agent)[]
export type Policy = Pick<Agent, (typeof POLICY_COLUMNS)[number]>

/** Usage in the current UTC day and month. Amounts are in the smallest unit of the limits' currency. */
export interface Usage {
  readonly dailyTransactionCount: number
  readonly dailySpend: bigint
  readonly monthlySpend: bigint
}

/** A payment from or to an internal account of the customer. */
export interface Spend {
  readonly accountId: string
  readonly amount: bigint
  readonly currency: string
}

/** Throws 403 `FORBIDDEN` if the policy does not allow one of the internal accounts of the payment (step 5). */
export const requireAllowedAccounts = ({ allowedAccountIds }: Policy, accountIds: readonly (string | null)[]) => {
  if (allowedAccountIds && accountIds.some((id) => id !== null && !allowedAccountIds.includes(id))) {
    throw new ApiError('FORBIDDEN', "The agent's policy does not allow this account")
  }
}

/** Whether the platform must approve (step 8). Throws 403 `VELOCITY_LIMIT_EXCEEDED` if a limit would be exceeded (step 7). */
export const evaluate = (policy: Policy, usage: Usage, spend: Spend, rates: RateTable): AgentExecutionMode => {
  const rule = policy.accountRules.find(({ accountId }) => accountId === spend.accountId)
  const amount = spendIn(policy.limitCurrency, spend, rates)
  const perTransaction =
    rule?.perTransactionLimit == null ? policy.perTransactionLimit : BigInt(rule.perTransactionLimit)
  if (amount > perTransaction) throw exceeded('The amount exceeds the limit per transaction')
  if (exceeds(BigInt(usage.dailyTransactionCount) + 1n, policy.dailyTransactionLimit)) {
    throw exceeded('The daily number of transactions is used up')
  }
  if (exceeds(usage.dailySpend + amount, policy.dailyLimit)) throw exceeded('The daily limit would be exceeded')
  if (exceeds(usage.monthlySpend + amount, policy.monthlyLimit)) throw exceeded('The monthly limit would be exceeded')
  return isAboveThreshold(policy, spend, rates)
    ? 'APPROVAL_REQUIRED'
    : (rule?.executionMode ?? policy.defaultExecutionMode)
}

/** Amounts are in the smallest units of the two currencies. */
interface Price {
  readonly sending: bigint
  readonly receiving: bigint
}

const BASIS_POINTS = 10_000n

/** Whether each unit sent delivers at least as much as at the old price, less the tolerance. */
export const isWithinTolerance = ({ repriceToleranceBps }: Policy, old: Price, now: Price): boolean =>
  now.receiving * old.sending * BASIS_POINTS >=
  old.receiving * now.sending * (BASIS_POINTS - BigInt(repriceToleranceBps))

/** The amount that counts against the limits, converted at the current rate and rounded up. */
export const spendIn = (limitCurrency: string, { amount, currency }: Spend, rates: RateTable): bigint =>
  convertUp(rates, amount, currency, limitCurrency)

/** The rates that compare the spend with the limits. Nothing is read when all of them have one value. */
export const ratesFor = async (
  tx: Tx,
  { environment }: Pick<Caller, 'environment'>,
  { limitCurrency, approvalThresholdCurrency }: Pick<Policy, 'limitCurrency' | 'approvalThresholdCurrency'>,
  { currency }: Pick<Spend, 'currency'>,
): Promise<RateTable> =>
  [limitCurrency, approvalThresholdCurrency ?? currency].every((other) => isSameValue(currency, other))
    ? {}
    : (await currentRates(environment, ...(await sendIn(tx, selectingRates(environment))))).rates

const exceeds = (used: bigint, limit: bigint | number | null) => limit !== null && used > BigInt(limit)

const isAboveThreshold = (
  { approvalThresholdAmount, approvalThresholdCurrency }: Policy,
  spend: Spend,
  rates: RateTable,
) =>
  approvalThresholdAmount !== null &&
  approvalThresholdCurrency !== null &&
  spendIn(approvalThresholdCurrency, spend, rates) > approvalThresholdAmount

const exceeded = (message: string) => new ApiError('VELOCITY_LIMIT_EXCEEDED', message)
