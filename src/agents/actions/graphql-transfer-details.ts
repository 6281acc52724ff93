// The details of a transfer by an agent.
import { externalAccountsByIds } from '#accounts/external-account.ts'
import { ExternalAccountNode, InternalAccountNode } from '#accounts/graphql.ts'
import { internalAccountsByIds } from '#accounts/internal-account.ts'
import { publicId } from '#core/ids.ts'
import { money } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { CURRENCY_IS_A_CODE } from '#graphql/deprecation.ts'
import { load } from '#graphql/load.ts'
import { MoneyType } from '#graphql/money.ts'
import { type AgentAction, AgentActionRecord } from './action.ts'

/** A CHECK constraint ensures that a transfer has all four values. */
interface Transfer {
  readonly amount: bigint
  readonly currency: string
  readonly type: AgentAction['type']
  readonly internalAccountId: string
  readonly externalAccountId: string
}

export const transferOf = ({
  type,
  amount,
  currency,
  internalAccountId,
  externalAccountId,
}: AgentAction): Transfer | null =>
  amount === null || currency === null || internalAccountId === null || externalAccountId === null
    ? null
    : { type, amount, currency, internalAccountId, externalAccountId }

const { texts } = AgentActionRecord

export const TransferDetailsType = builder.objectRef<Transfer>('TransferDetails').implement({
  description: 'Details of a transfer by an agent.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Int64', nullable: false, description: texts.amount }),
    currencyCode: t.exposeString('currency', { nullable: false, description: texts.currency }),
    currency: t.exposeString('currency', {
      nullable: false,
      description: texts.currency,
      deprecationReason: CURRENCY_IS_A_CODE,
    }),
    total: t.field({
      type: MoneyType,
      nullable: false,
      description: '`amount` with its currency.',
      resolve: ({ amount, currency }) => money(amount, currency),
    }),
    sourceAccountId: t.id({
      nullable: false,
      description: texts.internalAccountId,
      resolve: ({ internalAccountId }) => publicId('InternalAccount', internalAccountId),
    }),
    sourceAccount: t.field({
      type: InternalAccountNode,
      description: 'The internal account.',
      resolve: ({ internalAccountId }, _args, context) => load(context, internalAccountsByIds, internalAccountId),
    }),
    destinationAccountId: t.id({
      nullable: false,
      description: texts.externalAccountId,
      resolve: ({ externalAccountId }) => publicId('ExternalAccount', externalAccountId),
    }),
    destinationAccount: t.field({
      type: ExternalAccountNode,
      description: 'The external account.',
      resolve: ({ externalAccountId }, _args, context) => load(context, externalAccountsByIds, externalAccountId),
    }),
  }),
})
