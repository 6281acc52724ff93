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

/** Of the customers of actions that the caller was let see, whatever else the caller may read; in the order of their ids. */
export const platformCustomerIdsOf = async (caller: Caller, customerIds: readonly string[]): Promise<string[]> => {
  const customers = await selectPartsByIds(caller, CustomerRecord, customerIds)
  // A foreign key holds that the customer is there.
  return customerIds.map((id) => (customers.get(id) as Customer).platformCustomerId)
}

/** For actions that the caller was let see: the payment of an action is part of it, whatever else the caller may read. */
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

const ids = (actions: readonly AgentAction[], of: 'quoteId' | 'transactionId') => actions.map((action) => action[of])
