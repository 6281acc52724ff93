// Transfers within one currency: out to an external account, in from one.
import { PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { requirePermission } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { builder } from '#graphql/builder.ts'
import { inputOf } from '#graphql/input-of.ts'
import { addMutation, payloadWith, withoutNulls } from '#graphql/mutation.ts'
import { IDEMPOTENCY_KEY_DESCRIPTION, makeOnce } from '#idempotency/graphql.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { createTransferIn, createTransferOut, transferInRequest, transferOutRequest } from './transfer.ts'

const TransferPayload = payloadWith<{ readonly transaction: Transaction }>(
  'Transfer',
  'Result of `transferOut` and `transferIn`.',
  {
    success: {
      description: 'The transfer is under way. REST: 201.',
      fields: (t) => ({
        transaction: t.expose('transaction', { type: PaymentInterface, nullable: false, description: 'The transfer.' }),
      }),
    },
    statuses: [400, 403, 404, 409],
  },
)

const AMOUNT = "Amount in the smallest unit of the accounts' currency."

export const TransferOutInput = inputOf(
  'TransferOutInput',
  'Input of `transferOut`.',
  transferOutRequest.omit({ source: true, destination: true, amount: true }),
  (t) => ({
    sourceAccountId: t.id({ required: true, description: '`InternalAccount:<uuid>` that is debited.' }),
    destinationAccountId: t.id({ required: true, description: '`ExternalAccount:<uuid>` of the same currency.' }),
    paymentRail: t.field({ type: PaymentRailEnum, description: 'One of the rails of the external account.' }),
    amount: t.field({ type: 'Int64', description: `${AMOUNT} Required unless \`sendAll\` is true.` }),
    sendAll: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Sends the whole spendable balance. `amount` must then be absent.',
    }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
  }),
)

addMutation('transferOut', {
  description:
    'Pays from an internal account to an external one of the same currency. Errors: `INVALID_AMOUNT` with the reason `INSUFFICIENT_BALANCE`, `INVALID_INPUT` for a wallet, which pays with a quote, and with the reason `ACCOUNT_OWNER_MISMATCH` for an external account of another customer, `AMOUNT_OUT_OF_RANGE`, `INVALID_CURRENCY` if the currencies differ or the platform does not support them, `USER_NOT_READY` unless the customer is approved and both accounts are active, `REFERENCE_NOT_FOUND`. REST: `POST /transfer-out`.',
  input: TransferOutInput,
  check: transferOutRequest,
  payload: TransferPayload,
  placeOf: (_input, field) => placeOfTransfer(field),
  resolve: async (given, { caller }) => {
    requirePermission(caller, 'TRANSACT')
    const input = transferOutBody(given)
    const call = { operation: 'transferOut', key: given.idempotencyKey, input, schema: transferOutRequest } as const
    const create = (record: RecordResult) => createTransferOut(caller, input, record)
    return { transaction: await makeOnce(caller, call, TransactionRecord, create) }
  },
})

/** Converts the input to the shape of the REST body, where an absent amount means the whole spendable balance. */
export const transferOutBody = (input: typeof TransferOutInput.$inferInput) => {
  const { sourceAccountId, destinationAccountId, paymentRail, amount, sendAll, idempotencyKey: _, ...rest } = input
  if (sendAll && amount !== undefined) throw invalidInput('amount', 'amount must be absent when sendAll is true')
  if (!sendAll && amount == null) throw invalidInput('amount', 'amount is required unless sendAll is true')
  const source = { accountId: sourceAccountId }
  const destination = { accountId: destinationAccountId, paymentRail }
  return withoutNulls({ source, destination, amount: numberOf(amount), ...rest })
}

export const TransferInInput = builder.inputType('TransferInInput', {
  description: 'Input of `transferIn`.',
  fields: (t) => ({
    sourceAccountId: t.id({ required: true, description: '`ExternalAccount:<uuid>` that can be debited.' }),
    destinationAccountId: t.id({ required: true, description: '`InternalAccount:<uuid>` of the same currency.' }),
    amount: t.field({ type: 'Int64', required: true, description: AMOUNT }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
  }),
})

addMutation('transferIn', {
  description:
    'Pulls money from an external account into an internal one of the same currency. The external account must have the rail `ACH`. Errors: `INVALID_INPUT` with the reason `ACCOUNT_OWNER_MISMATCH` for an external account of another owner, `AMOUNT_OUT_OF_RANGE`, `INVALID_CURRENCY` if the currencies differ or the platform does not support them, `USER_NOT_READY` unless the customer is approved and both accounts are active, `REFERENCE_NOT_FOUND`. REST: `POST /transfer-in`.',
  input: TransferInInput,
  check: transferInRequest,
  payload: TransferPayload,
  placeOf: (_input, field) => placeOfTransfer(field),
  resolve: async (given, { caller }) => {
    const input = transferInBody(given)
    const call = { operation: 'transferIn', key: given.idempotencyKey, input, schema: transferInRequest } as const
    const create = (record: RecordResult) => createTransferIn(caller, input, record)
    return { transaction: await makeOnce(caller, call, TransactionRecord, create) }
  },
})

export const transferInBody = (input: typeof TransferInInput.$inferInput) => ({
  source: { accountId: input.sourceAccountId },
  destination: { accountId: input.destinationAccountId },
  amount: numberOf(input.amount),
})

export const placeOfTransfer = (field: string) =>
  `input.${field.replace(/^(source|destination)\.accountId$/, '$1AccountId').replace(/^destination\./, '')}`

/** Exact: the scalar holds no greater integer than a number does. */
const numberOf = (amount: bigint | number | null | undefined) => (amount == null ? undefined : Number(amount))
