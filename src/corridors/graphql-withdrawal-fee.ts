// Fees of withdrawals in GraphQL.
import { builder } from '#graphql/builder.ts'
import { inputOf } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { withCurrency } from '#graphql/money.ts'
import { estimateWithdrawalFee, WITHDRAWAL_FEE_TEXTS, type WithdrawalFee, withdrawalRequest } from './withdrawal-fee.ts'

const WithdrawalFeeType = builder.objectRef<WithdrawalFee>('WithdrawalFee').implement({
  description: 'An estimate of the fees of a withdrawal.',
  fields: (t) => ({
    networkFee: t.expose('networkFee', {
      type: 'Int64',
      nullable: false,
      description: WITHDRAWAL_FEE_TEXTS.networkFee,
    }),
    networkFeeAsset: t.exposeString('networkFeeAsset', {
      nullable: false,
      description: WITHDRAWAL_FEE_TEXTS.networkFeeAsset,
    }),
    applicationFee: t.expose('applicationFee', {
      type: 'Int64',
      nullable: false,
      description: WITHDRAWAL_FEE_TEXTS.applicationFee,
    }),
    totalFee: t.expose('totalFee', { type: 'Int64', nullable: false, description: WITHDRAWAL_FEE_TEXTS.totalFee }),
    netAmount: t.expose('netAmount', { type: 'Int64', nullable: false, description: WITHDRAWAL_FEE_TEXTS.netAmount }),
    networkFeeMoney: t.field({ nullable: false, ...withCurrency('networkFee', 'networkFeeAsset') }),
    applicationFeeMoney: t.field({ nullable: false, ...withCurrency('applicationFee', 'networkFeeAsset') }),
    totalFeeMoney: t.field({ nullable: false, ...withCurrency('totalFee', 'networkFeeAsset') }),
    net: t.field({ nullable: false, ...withCurrency('netAmount', 'networkFeeAsset') }),
  }),
})

const EstimateWithdrawalFeeInput = inputOf(
  'EstimateWithdrawalFeeInput',
  'Input of `estimateWithdrawalFee`.',
  withdrawalRequest,
)

builder.queryField('estimateWithdrawalFee', (t) =>
  t.field({
    type: WithdrawalFeeType,
    description:
      'What a withdrawal to a wallet would cost. No money moves. Errors: `FORBIDDEN` for an agent, `REFERENCE_NOT_FOUND`, `USER_NOT_READY`, `INVALID_CURRENCY`, `INVALID_AMOUNT`, `NOT_IMPLEMENTED`. REST: `POST /crypto/estimate-withdrawal-fee`.',
    args: { input: t.arg({ type: EstimateWithdrawalFeeInput, required: true, description: 'The withdrawal.' }) },
    extensions: costing({ rows: 1 }),
    resolve: (_root, { input }, { caller }) => estimateWithdrawalFee(caller, input),
  }),
)
