// The transfer that an agent wants to make.
import { externalAccountsByIds } from '#accounts/external-account.ts'
import { ExternalAccountNode, InternalAccountNode } from '#accounts/graphql.ts'
import { internalAccountsByIds } from '#accounts/internal-account.ts'
import { publicId } from '#core/ids.ts'
import { money } from '#core/money.ts'
import { builder } from '#graphql/builder.ts'
import { CURRENCY_IS_A_CODE } from '#graphql/deprecation.ts'
import { load } from '#graphql/load.ts'
import { MoneyType } from '#graphql/money.ts'
import type { AgentAction } from './action.ts'

/** A CHECK constraint holds that a transfer has all four. */
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

export const TransferDetailsType = builder.objectRef<Transfer>('TransferDetails').implement({
  description: 'What an agent wants to transfer.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Int64', nullable: false, description: 'Smallest unit of the currency.' }),
    currencyCode: t.exposeString('currency', { nullable: false, description: 'Code of the currency of the amount.' }),
    currency: t.exposeString('currency', {
      nullable: false,
      description: 'Code of the currency of the amount.',
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
      description: '`InternalAccount:<uuid>`; on a transfer in the account that receives.',
      resolve: ({ internalAccountId }) => publicId('InternalAccount', internalAccountId),
    }),
    sourceAccount: t.field({
      type: InternalAccountNode,
      description: 'The internal account.',
      resolve: ({ internalAccountId }, _args, context) => load(context, internalAccountsByIds, internalAccountId),
    }),
    destinationAccountId: t.id({
      nullable: false,
      description: '`ExternalAccount:<uuid>`; on a transfer in the account that is pulled.',
      resolve: ({ externalAccountId }) => publicId('ExternalAccount', externalAccountId),
    }),
    destinationAccount: t.field({
      type: ExternalAccountNode,
      description: 'The external account.',
      resolve: ({ externalAccountId }, _args, context) => load(context, externalAccountsByIds, externalAccountId),
    }),
  }),
})
