// The details of a transfer by an agent.
import { ExternalAccountRecord } from '#accounts/external-account.ts'
import { ExternalAccountNode, InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { builder } from '#graphql/builder.ts'
import { column, idOf, moneyOf } from '#graphql/compiled/field.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { CURRENCY_IS_A_CODE } from '#graphql/deprecation.ts'
import { MoneyType } from '#graphql/money.ts'
import { type AgentAction, AgentActionRecord } from './action.ts'

const { texts } = AgentActionRecord

/** A CHECK constraint ensures that a transfer has all four columns. */
export const TransferDetailsType = builder.objectRef<AgentAction>('TransferDetails').implement({
  description: 'Details of a transfer by an agent.',
  fields: (t) => ({
    amount: t.field({ type: 'Int64', nullable: false, description: texts.amount, ...column('amount') }),
    currencyCode: t.string({ nullable: false, description: texts.currency, ...column('currency') }),
    currency: t.string({
      nullable: false,
      description: texts.currency,
      deprecationReason: CURRENCY_IS_A_CODE,
      ...column('currency'),
    }),
    total: t.field({
      type: MoneyType,
      nullable: false,
      description: '`amount` with its currency.',
      ...moneyOf('amount', 'currency'),
    }),
    sourceAccountId: t.id({
      nullable: false,
      description: texts.internalAccountId,
      ...idOf('InternalAccount', 'internalAccountId'),
    }),
    sourceAccount: t.field({
      type: InternalAccountNode,
      description: 'The internal account.',
      ...rowOf(InternalAccountRecord, 'internalAccountId'),
    }),
    destinationAccountId: t.id({
      nullable: false,
      description: texts.externalAccountId,
      ...idOf('ExternalAccount', 'externalAccountId'),
    }),
    destinationAccount: t.field({
      type: ExternalAccountNode,
      description: 'The external account.',
      ...rowOf(ExternalAccountRecord, 'externalAccountId'),
    }),
  }),
})
