// The movements of money that a transaction caused.
import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { money } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { batchOf } from '#graphql/compiled/parts.ts'
import { enumOf } from '#graphql/enums.ts'
import { costing, withCost } from '#graphql/limits/field-cost.ts'
import { loadOptional } from '#graphql/load.ts'
import { MoneyType } from '#graphql/money.ts'
import { TransactionInterface } from '#transactions/graphql.ts'
import {
  LEDGER_BOOKS,
  LEDGER_MOVEMENT_KINDS,
  type LedgerEntry,
  type LedgerMovement,
  MOST_MOVEMENTS,
  movementsOfTransactions,
} from './movements.ts'

const LedgerMovementKindEnum = enumOf('LedgerMovementKind', 'Why money moved.', LEDGER_MOVEMENT_KINDS, {
  OPENING: 'Opening balance of an account.',
  FUNDING: 'Money from outside arrived in an account.',
  PAYMENT: 'Money that a transaction moves.',
  REFUND: 'Money that a transaction returns.',
  MINT: 'US dollars paid for newly issued stablecoins.',
  BURN: 'US dollars paid for redeemed stablecoins.',
})

const LedgerBookEnum = enumOf(
  'LedgerBook',
  'A ledger account that is not an internal account of a customer or of the platform.',
  LEDGER_BOOKS,
  {
    OUTSIDE: 'Banks, networks and counterparties outside the service.',
    FEES: 'Fees of the service.',
    EXCHANGE: 'The exchange of one currency for another.',
    RECEIVABLE: 'Money that is owed to the service.',
    SUSPENSE: 'Money that was pushed to the service and is on its way back, and card money whose account is closed.',
    SETTLEMENT: 'What UMA counterparties and the service owe each other.',
  },
)

/** A movement has two entries at least, and six with fees and an exchange. */
const USUAL_ENTRIES = 4

const LedgerEntryType = builder.objectRef<LedgerEntry>('LedgerEntry').implement({
  description: 'A change of an internal account or of a book.',
  fields: (t) => ({
    account: t.field({
      type: InternalAccountNode,
      description: 'The internal account. Null for a book, and for an account that the caller may not see.',
      resolve: ({ accountId }, _args, context) => loadOptional(context, InternalAccountRecord.byIds, accountId),
    }),
    book: t.expose('book', { type: LedgerBookEnum, description: 'The book. Null for an account.' }),
    amount: t.field({
      type: MoneyType,
      nullable: false,
      description: 'Positive for a credit to the account or book, negative for a debit.',
      resolve: ({ amount, currency }) => money(amount, currency),
    }),
  }),
})

const LedgerMovementType = builder.objectRef<LedgerMovement>('LedgerMovement').implement({
  description: 'Money that moved in the double-entry ledger. Its entries add up to zero in each currency.',
  fields: (t) => ({
    kind: t.expose('kind', { type: LedgerMovementKindEnum, nullable: false, description: 'Why it moved.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: 'When it moved.' }),
    entries: t.field({
      type: [LedgerEntryType],
      nullable: false,
      description: 'Where the money came from and where it went, in the order in which the entries were booked.',
      extensions: costing({ items: () => USUAL_ENTRIES }),
      resolve: ({ entries }) => entries as LedgerEntry[],
    }),
  }),
})

builder.interfaceField(TransactionInterface, 'ledgerMovements', (t) =>
  t.field({
    type: [LedgerMovementType],
    nullable: { list: true, items: false },
    description: `Movements of the transaction between accounts and books, oldest first. At most ${MOST_MOVEMENTS}. REST does not return them.`,
    ...withCost({ rows: 1 }, batchOf(movementsOfTransactions, 'id')),
  }),
)
