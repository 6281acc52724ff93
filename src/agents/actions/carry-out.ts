// Executes an approved action. Checks the pause, the permission, the accounts, the customer, the price and the limits again. Does
// not check the threshold again, because the platform has approved, nor a wallet's stamp, because its session may have ended since.
import { type LockedAgent, lockAgent, requireActing } from '#agents/lock.ts'
import { evaluate, isWithinTolerance, ratesFor, requireAllowedAccounts, spendIn } from '#agents/policy/policy.ts'
import { chargeUsage, usageOf } from '#agents/policy/usage.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { AgentAction as ActionRow, Transaction } from '#generated/prisma/client.ts'
import { startQuote } from '#quotes/authorization/sca.ts'
import { lockQuoteAndCheckExpiry } from '#quotes/execute.ts'
import { repriceQuote } from '#quotes/reprice.ts'
import { proceedTransfer } from '#transfers/start.ts'
import { PriceMoved } from './failure.ts'

/**
 * Returns the payment that moves the money: a new one if the quote was priced again. It waits if the customer must authorize it. Callers
 * hold all locks.
 */
export const carryOut = async (
  tx: Tx,
  caller: PlatformCaller,
  { agentId, type, quoteId }: ActionRow,
  waiting: Transaction,
): Promise<Transaction> => {
  const agent = await lockAgent(tx, caller, publicId('Agent', agentId))
  requireActing(agent, type === 'EXECUTE_QUOTE' ? 'EXECUTE_QUOTES' : 'CREATE_TRANSFERS')
  requireAllowedAccounts(agent, [waiting.sourceInternalAccountId, waiting.destinationInternalAccountId])
  const isOver = quoteId !== null && (await lockQuoteAndCheckExpiry(tx, caller, quoteId))
  const payment = isOver ? await atNewPrice(tx, caller, agent, quoteId, waiting) : waiting
  const { sentAmount, sentCurrency } = payment
  const spend = { accountId: accountOf(payment) ?? '', amount: sentAmount ?? 0n, currency: sentCurrency ?? '' }
  const rates = await ratesFor(tx, caller, agent, spend)
  evaluate(agent, usageOf(agent, agent.lockedAt), spend, rates)
  // A transfer may have waited for days. Its settlement is expected from now on.
  const leaving = { ...payment, createdAt: agent.lockedAt }
  await (quoteId === null ? proceedTransfer(tx, caller, leaving) : startQuote(tx, caller, payment))
  await chargeUsage(tx, agent, spendIn(agent.limitCurrency, spend, rates))
  return payment
}

/** The internal account that the policy is evaluated for. */
export const accountOf = (
  ends: Pick<Transaction, 'sourceInternalAccountId' | 'destinationInternalAccountId'>,
): string | null => ends.sourceInternalAccountId ?? ends.destinationInternalAccountId

const atNewPrice = async (
  tx: Tx,
  caller: PlatformCaller,
  agent: LockedAgent,
  quoteId: string,
  old: Transaction,
): Promise<Transaction> => {
  const payment = await repriceQuote(tx, caller, quoteId, old)
  if (isWithinTolerance(agent, priceOf(old), priceOf(payment))) return payment
  const of = ({ sentAmount, sentCurrency, receivedAmount, receivedCurrency }: Transaction) =>
    `${receivedAmount} ${receivedCurrency} for ${sentAmount} ${sentCurrency}`
  throw new PriceMoved(
    `The quote expired. Its price was ${of(old)}, and the new price is ${of(payment)}, in smallest units. The policy tolerates ${agent.repriceToleranceBps} basis points.`,
  )
}

const priceOf = ({ sentAmount, receivedAmount }: Transaction) => ({
  sending: sentAmount ?? 0n,
  receiving: receivedAmount ?? 0n,
})
