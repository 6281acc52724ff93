// Payments by agents. The policy is evaluated in the order of docs/domain/agents.md#evaluation-order. Then the payment starts, or waits for
// the platform's approval.

import { lockAccounts } from '#accounts/lock.ts'
import { type LockedAgent, lockAgent, requireActing } from '#agents/lock.ts'
import { evaluate, ratesFor, requireAllowedAccounts, type Spend, spendIn } from '#agents/policy/policy.ts'
import { chargeUsage, usageOf } from '#agents/policy/usage.ts'
import type { AgentCaller, AgentPermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, publicId } from '#core/ids.ts'
import { selectWritten } from '#database/record.ts'
import { sending } from '#database/round-trips.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { AgentActionType } from '#generated/prisma/client.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { startQuote } from '#quotes/authorization/sca.ts'
import { type Execution, findExecutable, lockExecutable, preferredFactor, requireStamp } from '#quotes/execute.ts'
import { requirePayer } from '#settlement/payer.ts'
import type { Payment } from '#settlement/payment-status.ts'
import { beginTransfer } from '#transfers/start.ts'
import { findTransferIn, findTransferOut, insertTransfer, requireBalance, type Transfer } from '#transfers/transfer.ts'
import { type AgentAction, AgentActionRecord } from './action.ts'

/** Executes a quote that the agent created. A payment from a wallet needs the stamp of one of its sessions, as for platforms. */
export const executeQuoteAsAgent = async (
  caller: AgentCaller,
  input: Execution,
  signature: string | null,
  record: RecordResult,
): Promise<AgentAction> => {
  requirePayer(caller, 'EXECUTE_QUOTES')
  const scaFactor = preferredFactor(input)
  const { quote, account } = await findExecutable(caller, input.id)
  const spend = { accountId: account.id, amount: quote.totalSendingAmount, currency: quote.sendingCurrency }
  return act(caller, 'EXECUTE_QUOTES', spend, record, async (tx, agent) => {
    requireAllowedAccounts(agent, [account.id, quote.destinationInternalAccountId])
    const { payment, parties } = await lockExecutable(sending(tx), caller, quote)
    const isSigned = await requireStamp(sending(tx), caller, account, quote, signature)
    return {
      type: 'EXECUTE_QUOTE',
      facts: { quoteId: quote.id },
      payment: async () => payment,
      // The owner of a wallet signed only this price, and only the receiver of a UMA payment can name another: the action expires with its quote.
      ...((isSigned || quote.destinationUmaAddress !== null) && { lastDecision: new Date(quote.expiresAt) }),
      begin: () => startQuote(tx, caller, payment, scaFactor, parties),
    }
  })
}

export const transferOutAsAgent = async (
  caller: AgentCaller,
  input: unknown,
  record: RecordResult,
): Promise<AgentAction> => {
  requirePayer(caller, 'CREATE_TRANSFERS')
  return transferAsAgent(caller, 'TRANSFER_OUT', await findTransferOut(caller, input), record)
}

export const transferInAsAgent = async (
  caller: AgentCaller,
  input: unknown,
  record: RecordResult,
): Promise<AgentAction> => {
  requirePayer(caller, 'CREATE_TRANSFERS')
  return transferAsAgent(caller, 'TRANSFER_IN', await findTransferIn(caller, input), record)
}

const transferAsAgent = (caller: AgentCaller, type: AgentActionType, transfer: Transfer, record: RecordResult) => {
  const { account, amount, data } = transfer
  const { currency } = account
  const spend = { accountId: account.id, amount, currency }
  return act(caller, 'CREATE_TRANSFERS', spend, record, async (tx, agent) => {
    requireAllowedAccounts(agent, [account.id])
    const externalAccountId = data.sourceExternalAccountId ?? data.destinationExternalAccountId
    return {
      type,
      facts: { amount, currency, internalAccountId: account.id, externalAccountId: String(externalAccountId) },
      payment: async () => {
        requireBalance(transfer)
        return insertTransfer(tx, transfer)
      },
      begin: (payment) => beginTransfer(tx, caller, payment),
    }
  })
}

interface Act {
  readonly type: AgentActionType
  readonly facts:
    | { readonly quoteId: string }
    | {
        readonly amount: bigint
        readonly currency: string
        readonly internalAccountId: string
        readonly externalAccountId: string
      }
  /** Called once the policy allows the amount. */
  readonly payment: () => Promise<Payment>
  /** The time until which the platform can decide, if it is earlier than 7 days from now. */
  readonly lastDecision?: Date
  readonly begin: (payment: Payment) => Promise<void>
}

export const APPROVAL_LIFE_MS = 7 * 24 * 3_600_000

/** Locks the account, then the agent, so that the policy cannot change before the money moves. */
const act = async (
  caller: AgentCaller,
  permission: AgentPermission,
  spend: Spend,
  record: RecordResult,
  prepare: (tx: Tx, agent: LockedAgent) => Promise<Act>,
): Promise<AgentAction> => {
  const { platformId, agentId, customerId } = caller
  const id = newUuid()
  await inTransaction(async (tx) => {
    await lockAccounts(tx, caller, [spend.accountId])
    const agent = await lockActing(tx, caller, permission)
    const { type, facts, payment, begin, lastDecision } = await prepare(tx, agent)
    const rates = await ratesFor(tx, caller, agent, spend)
    const mode = evaluate(agent, usageOf(agent, agent.lockedAt), spend, rates)
    const made = await payment()
    if (mode === 'AUTO') {
      await begin(made)
      await chargeUsage(tx, agent, spendIn(agent.limitCurrency, spend, rates))
    }
    const status = mode === 'AUTO' ? 'APPROVED' : 'PENDING_APPROVAL'
    const latest = Math.min(agent.lockedAt.getTime() + APPROVAL_LIFE_MS, lastDecision?.getTime() ?? Infinity)
    const approvalExpiresAt = mode === 'AUTO' ? null : new Date(latest)
    const state = { type, status, approvalExpiresAt, transactionId: made.id } as const
    const times = { createdAt: agent.lockedAt, updatedAt: agent.lockedAt }
    await tx.agentAction.create({ data: { platformId, id, agentId, customerId, ...times, ...state, ...facts } })
    await record(tx, id)
  })
  return selectWritten(caller, AgentActionRecord, id)
}

/** Locks the agent and checks it again: it may have been deleted, paused or restricted since the request was authenticated. */
export const lockActing = async (tx: Tx, caller: AgentCaller, permission: AgentPermission): Promise<LockedAgent> => {
  try {
    const agent = await lockAgent(tx, caller, publicId('Agent', caller.agentId))
    requireActing(agent, permission)
    return agent
  } catch (error) {
    if (error instanceof ApiError && error.code === 'REFERENCE_NOT_FOUND') {
      throw new ApiError('UNAUTHORIZED', 'The agent is deleted')
    }
    throw error
  }
}
