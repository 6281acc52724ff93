// Agents as REST returns them (docs/domain/agents.md#agent-fields). A field without a value is absent, unless its schema is nullable.

import type { Connection, DeviceCode } from '#agents/access/device-code.ts'
import { type AgentAction, changedAccountOf, failureOf } from '#agents/actions/action.ts'
import type { ActionParts } from '#agents/actions/action-parts.ts'
import type { Policy } from '#agents/policy/policy.ts'
import { nextDay, nextMonth, usageOf } from '#agents/policy/usage.ts'
import { publicId } from '#core/ids.ts'
import { quoteBody } from '#quotes/rest-body.ts'
import type { BodyOf } from '#rest/schema.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import type { Agent } from './agent.ts'
import type { actionSchema, agentSchema, connectionSchema, deviceCodeSchema } from './rest-schema.ts'

export const agentBody = (agent: Agent): BodyOf<typeof agentSchema> => ({
  id: publicId('Agent', agent.id),
  name: agent.name,
  customerId: publicId('Customer', agent.customerId),
  isPaused: agent.isPaused,
  isConnected: agent.isConnected,
  policy: policyBody(agent),
  usage: usageBody(agent),
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
})

/** Exact, because amounts are at most 9e15. */
const number = (amount: bigint | null) => (amount === null ? null : Number(amount))

const policyBody = (policy: Policy) => ({
  permissions: policy.permissions,
  defaultExecutionMode: policy.defaultExecutionMode,
  spendingLimits: {
    currency: policy.limitCurrency,
    perTransactionLimit: Number(policy.perTransactionLimit),
    dailyLimit: number(policy.dailyLimit),
    dailyTransactionLimit: policy.dailyTransactionLimit ?? undefined,
    monthlyLimit: number(policy.monthlyLimit),
  },
  accountRestrictions: restrictionsBody(policy),
  approvalThresholds:
    policy.approvalThresholdCurrency === null
      ? undefined
      : { currency: policy.approvalThresholdCurrency, amount: number(policy.approvalThresholdAmount) },
  repriceToleranceBps: policy.repriceToleranceBps,
})

const restrictionsBody = ({ allowedAccountIds, accountRules }: Policy) =>
  allowedAccountIds === null && accountRules.length === 0
    ? undefined
    : {
        allowedAccountIds: allowedAccountIds?.map((id) => publicId('InternalAccount', id)) ?? null,
        accountRules: accountRules.map(({ accountId, executionMode, perTransactionLimit }) => ({
          accountId: publicId('InternalAccount', accountId),
          executionMode: executionMode ?? undefined,
          perTransactionLimit: perTransactionLimit ?? null,
        })),
      }

const usageBody = (agent: Agent) => {
  const { dailyTransactionCount, dailySpend, monthlySpend } = usageOf(agent)
  return {
    dailyTransactionCount,
    dailySpend: Number(dailySpend),
    dailyResetDate: nextDay(),
    monthlySpend: Number(monthlySpend),
    monthlyResetMonth: nextMonth(),
  }
}

export const deviceCodeBody = ({
  code,
  agentId,
  expiresAt,
  redeemed,
}: DeviceCode): BodyOf<typeof deviceCodeSchema> => ({
  code,
  agentId: publicId('Agent', agentId),
  expiresAt,
  redeemed,
})

export const connectionBody = ({
  agentId,
  agentName,
  accessToken,
  policy,
}: Connection): BodyOf<typeof connectionSchema> => ({
  agentId: publicId('Agent', agentId),
  agentName,
  accessToken,
  policy: policyBody(policy),
})

export const actionBody = ({
  action,
  platformCustomerId,
  quote,
  scaChallenge,
  transaction,
  repricedFrom,
}: ActionParts): BodyOf<typeof actionSchema> => ({
  id: publicId('AgentAction', action.id),
  agentId: publicId('Agent', action.agentId),
  customerId: publicId('Customer', action.customerId),
  platformCustomerId,
  status: action.status,
  type: action.type,
  // The quote of an action has the same payment as the action.
  quote: quote && transaction && quoteBody({ quote, transactionId: transaction.id, scaChallenge }),
  transferDetails: transferBody(action),
  externalAccountId: accountIdBody(action),
  transaction: transaction && transactionBody(transaction),
  rejectionReason: action.rejectionReason ?? undefined,
  failure: failureOf(action),
  repricedFrom: repricedFrom && quoteBody({ ...repricedFrom, scaChallenge: undefined }),
  approvalExpiresAt: action.approvalExpiresAt ?? undefined,
  createdAt: action.createdAt,
  updatedAt: action.updatedAt,
})

const accountIdBody = (action: AgentAction) => {
  const id = changedAccountOf(action)
  return id === null ? undefined : publicId('ExternalAccount', id)
}

/** A CHECK constraint ensures that a transfer has all four. */
const transferBody = ({ amount, currency, internalAccountId, externalAccountId }: AgentAction) =>
  amount === null || currency === null || internalAccountId === null || externalAccountId === null
    ? undefined
    : {
        amount: Number(amount),
        currency,
        sourceAccountId: publicId('InternalAccount', internalAccountId),
        destinationAccountId: publicId('ExternalAccount', externalAccountId),
      }
