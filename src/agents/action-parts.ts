// Actions with what belongs to them, for answers that hold it all.
import type { Caller } from '#core/caller.ts'
import { selectPartsByIds } from '#core/record.ts'
import { type Customer, CustomerRecord } from '#customers/customer.ts'
import { type Quote, QuoteRecord } from '#quotes/quote.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import type { AgentAction } from './action.ts'

export interface ActionParts {
  readonly action: AgentAction
  readonly platformCustomerId: string
  readonly quote: Quote | undefined
  readonly transaction: Transaction | undefined
}

/** For actions that the caller was let see: the payment of an action is part of it, whatever else the caller may read. */
export const partsOfActions = async (caller: Caller, actions: readonly AgentAction[]): Promise<ActionParts[]> => {
  const [customers, quotes, transactions] = await Promise.all([
    selectPartsByIds(caller, CustomerRecord, ids(actions, 'customerId')),
    selectPartsByIds(caller, QuoteRecord, ids(actions, 'quoteId')),
    selectPartsByIds(caller, TransactionRecord, ids(actions, 'transactionId')),
  ])
  return actions.map((action) => ({
    action,
    // A foreign key holds that the customer is there.
    platformCustomerId: (customers.get(action.customerId) as Customer).platformCustomerId,
    quote: quotes.get(action.quoteId ?? ''),
    transaction: transactions.get(action.transactionId ?? ''),
  }))
}

const ids = (actions: readonly AgentAction[], of: 'customerId' | 'quoteId' | 'transactionId') =>
  actions.map((action) => action[of])
