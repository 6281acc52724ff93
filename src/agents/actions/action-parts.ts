// Actions with their quotes, transactions and customers, and the actions of payments.
import type { Caller } from '#core/caller.ts'
import { type Customer, CustomerRecord } from '#customers/customer.ts'
import { selectByOwner, selectPartsByIds } from '#database/record.ts'
import { paymentIds, pendingChallengesOf, type Quote, QuoteRecord } from '#quotes/quote.ts'
import type { ScaChallenge } from '#sca/challenge/challenge.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { type AgentAction, AgentActionRecord } from './action.ts'

export interface ActionParts {
  readonly action: AgentAction
  readonly platformCustomerId: string
  readonly quote: Quote | undefined
  readonly scaChallenge: ScaChallenge | undefined
  readonly transaction: Transaction | undefined
  /** The expired quote with its own payment. */
  readonly repricedFrom: { readonly quote: Quote; readonly transactionId: string } | undefined
}

/** The platform's ids of the given customers, in order. Needs no permission beyond seeing the action. */
export const platformCustomerIdsOf = async (caller: Caller, customerIds: readonly string[]): Promise<string[]> => {
  const customers = await selectPartsByIds(caller, CustomerRecord, customerIds)
  // A foreign key ensures that the customer exists.
  return customerIds.map((id) => (customers.get(id) as Customer).platformCustomerId)
}

/** The payments of actions, in the order of their ids. Needs no permission beyond seeing the action. */
export const paymentsOfActions = async (caller: Caller, ids: readonly string[]): Promise<(Transaction | null)[]> => {
  const payments = await selectPartsByIds(caller, TransactionRecord, ids)
  return ids.map((id) => payments.get(id) ?? null)
}

/** Returns the action that makes each payment, or null. Needs the permission VIEW. An agent sees only its own actions. */
export const actionsOfPayments = async (caller: Caller, ids: readonly string[]): Promise<(AgentAction | null)[]> => {
  const actions = await selectByOwner(caller, AgentActionRecord, 'transactionId', ids)
  return actions.map(([action]) => action ?? null)
}

/** Each action with its quote and its payment. They are parts of the action, so they need no permission beyond seeing it. */
export const partsOfActions = async (caller: Caller, actions: readonly AgentAction[]): Promise<ActionParts[]> => {
  const expiredIds = actions.flatMap(({ repricedFromId }) => repricedFromId ?? [])
  const [platformCustomerIds, quotes, transactions, expiredPayments] = await Promise.all([
    platformCustomerIdsOf(
      caller,
      actions.map(({ customerId }) => customerId),
    ),
    selectPartsByIds(caller, QuoteRecord, [...actions.map(({ quoteId }) => quoteId), ...expiredIds]),
    selectPartsByIds(
      caller,
      TransactionRecord,
      actions.map(({ transactionId }) => transactionId),
    ),
    expiredIds.length === 0 ? new Map<string, string>() : paymentIds(caller, expiredIds),
  ])
  const challenges = await pendingChallengesOf(caller, [...quotes.values()])
  const repricedFrom = ({ repricedFromId: id }: AgentAction) => {
    const [quote, transactionId] = [quotes.get(id ?? ''), expiredPayments.get(id ?? '')]
    return quote && transactionId ? { quote, transactionId } : undefined
  }
  return actions.map((action, index) => ({
    action,
    platformCustomerId: platformCustomerIds[index] as string,
    quote: quotes.get(action.quoteId ?? ''),
    scaChallenge: challenges.get(action.quoteId ?? ''),
    transaction: transactions.get(action.transactionId ?? ''),
    repricedFrom: repricedFrom(action),
  }))
}

/** Like `partsOfActions`, for one action. */
export const partsOfAction = async (caller: Caller, action: AgentAction): Promise<ActionParts> => {
  const [parts] = await partsOfActions(caller, [action])
  return parts as ActionParts
}
