// Actions with what belongs to them, for answers that hold it all.
import type { Caller } from '#core/caller.ts'
import { type Customer, CustomerRecord } from '#customers/customer.ts'
import { selectPartsByIds } from '#database/record.ts'
import { pendingChallengesOf, type Quote, QuoteRecord, type ScaChallenge } from '#quotes/quote.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import type { AgentAction } from './action.ts'

export interface ActionParts {
  readonly action: AgentAction
  readonly platformCustomerId: string
  readonly quote: Quote | undefined
  readonly scaChallenge: ScaChallenge | undefined
  readonly transaction: Transaction | undefined
}

/** The platform's ids of the given customers, in order. Needs no permission beyond seeing the action. */
export const platformCustomerIdsOf = async (caller: Caller, customerIds: readonly string[]): Promise<string[]> => {
  const customers = await selectPartsByIds(caller, CustomerRecord, customerIds)
  // A foreign key holds that the customer is there.
  return customerIds.map((id) => (customers.get(id) as Customer).platformCustomerId)
}

/** Each action with its quote and its payment: they are parts of it, and need no permission beyond seeing the action. */
export const partsOfActions = async (caller: Caller, actions: readonly AgentAction[]): Promise<ActionParts[]> => {
  const [platformCustomerIds, quotes, transactions] = await Promise.all([
    platformCustomerIdsOf(
      caller,
      actions.map(({ customerId }) => customerId),
    ),
    selectPartsByIds(caller, QuoteRecord, ids(actions, 'quoteId')),
    selectPartsByIds(caller, TransactionRecord, ids(actions, 'transactionId')),
  ])
  const challenges = await pendingChallengesOf(caller, [...quotes.values()])
  return actions.map((action, index) => ({
    action,
    platformCustomerId: platformCustomerIds[index] as string,
    quote: quotes.get(action.quoteId ?? ''),
    scaChallenge: challenges.get(action.quoteId ?? ''),
    transaction: transactions.get(action.transactionId ?? ''),
  }))
}

/** An action with its quote and its payment, as above. */
export const partsOfAction = async (caller: Caller, action: AgentAction): Promise<ActionParts> => {
  const [parts] = await partsOfActions(caller, [action])
  return parts as ActionParts
}

const ids = (actions: readonly AgentAction[], of: 'quoteId' | 'transactionId') => actions.map((action) => action[of])
