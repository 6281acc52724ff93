// The transactions of a customer, an account and a card.
import { AccountInterface } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { CardNode } from '#cards/graphql.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, type Context } from '#graphql/builder.ts'
import {
  type Connection,
  connectionOf,
  connectionType,
  type WindowArgs,
  windowArgs,
  windowOfArgs,
} from '#graphql/connection.ts'
import { load } from '#graphql/load.ts'
import type { ParentKind } from './conditions.ts'
import { countTransactionsOf } from './count.ts'
import { parseTransactionFilter } from './filter.ts'
import { CardTransactionNode, TransactionConnection } from './graphql.ts'
import { TransactionFilterType } from './graphql-filter.ts'
import { listTransactionsOf } from './list.ts'
import type { Transaction } from './transaction.ts'

interface Args extends WindowArgs {
  readonly filter?: object | null | undefined
}

/** Parents with the same arguments share one statement for their pages, and one for their counts. */
export const transactionsOf = async (
  context: Context,
  kind: ParentKind,
  parentId: string,
  { filter: input, ...args }: Args,
): Promise<Connection<Transaction>> => {
  const filter = parseTransactionFilter(input, 'filter')
  const window = windowOfArgs(args)
  const page = await load(
    context,
    (caller, parentIds) => listTransactionsOf(caller, kind, parentIds, filter, window),
    parentId,
    `transactions of ${kind} ${JSON.stringify([filter, window])}`,
  )
  const countAll = () =>
    load(
      context,
      (caller, parentIds) => countTransactionsOf(caller, kind, parentIds, filter),
      parentId,
      `count of transactions of ${kind} ${JSON.stringify(filter)}`,
    )
  return connectionOf(page, window, countAll)
}

const filterArg = (t: ArgsOf) => t.arg({ type: TransactionFilterType, description: 'Which of them.' })
type ArgsOf = Parameters<typeof windowArgs>[0]

builder.objectField(CustomerNode, 'transactions', (t) =>
  t.field({
    type: TransactionConnection,
    description: 'Transactions of the customer. Page size 1 to 100, default 20.',
    args: { filter: filterArg(t), ...windowArgs(t) },
    resolve: ({ id }, args, context) => transactionsOf(context, 'Customer', id, args),
  }),
)

builder.interfaceField(AccountInterface, 'transactions', (t) =>
  t.field({
    type: TransactionConnection,
    description: 'Transactions that the account sent or received. Page size 1 to 100, default 20.',
    args: { filter: filterArg(t), ...windowArgs(t) },
    resolve: (account, args, context) =>
      transactionsOf(
        context,
        InternalAccountRecord.is(account) ? 'InternalAccount' : 'ExternalAccount',
        account.id,
        args,
      ),
  }),
)

const CardTransactionConnection = connectionType<Transaction>(
  'CardTransaction',
  CardTransactionNode,
  'card transactions',
)

builder.objectField(CardNode, 'transactions', (t) =>
  t.field({
    type: CardTransactionConnection,
    description: 'What the card was used for. Page size 1 to 100, default 20.',
    args: windowArgs(t),
    resolve: ({ id }, args, context) => transactionsOf(context, 'Card', id, args),
  }),
)
