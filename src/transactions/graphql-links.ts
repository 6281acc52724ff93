// The transactions of a customer, an account and a card.
import { AccountInterface } from '#accounts/graphql.ts'
import { CardNode } from '#cards/graphql.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { connectionType } from '#graphql/connection.ts'
import { linkedListField } from '#graphql/list-field.ts'
import { CardTransactionNode, transactions } from './graphql.ts'
import type { Transaction } from './transaction.ts'

builder.objectField(CustomerNode, 'transactions', (t) =>
  linkedListField(t, transactions, 'Customer', 'Transactions of the customer.'),
)

builder.interfaceField(AccountInterface, 'transactions', (t) =>
  linkedListField(t, transactions, 'ITS_TYPE', 'Transactions that the account sent or received.'),
)

const cardTransactions = {
  ...transactions,
  connection: connectionType<Transaction>('CardTransaction', CardTransactionNode, 'card transactions'),
}

builder.objectField(CardNode, 'transactions', (t) =>
  linkedListField(t, cardTransactions, 'Card', 'Transactions made with the card.'),
)
