// Mutations that only sandbox platforms have: money that comes in, and time that passes.
import { z } from 'zod'
import { InternalAccountNode } from '#accounts/graphql.ts'
import { idOf } from '#core/input.ts'
import { builder } from '#graphql/builder.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { addMutation, payloadWith, withoutNulls } from '#graphql/mutation.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import type { Transaction } from '#transactions/transaction.ts'
import { ADVANCE_TEXTS, advanceTime, timeAdvance } from './advance-time.ts'
import { accountFunding, fundAccount } from './fund.ts'
import { receiveUma, umaReceipt } from './receive-uma.ts'
import { sandboxPush, sendFunds } from './send.ts'

const STATUSES = [400, 403, 404] as const

const SandboxTransactionPayload = payloadWith<{ readonly transaction: Transaction }>(
  'SandboxTransaction',
  'Result of `sandboxSend` and `sandboxReceiveUma`.',
  {
    success: {
      description: 'The payment is received. REST: 200.',
      fields: (t) => ({
        transaction: t.expose('transaction', { type: PaymentInterface, nullable: false, description: 'The payment.' }),
      }),
    },
    statuses: STATUSES,
  },
)

addMutation('sandboxSend', {
  description:
    'Pushes the money that a quote waits for. The right amount starts the payment. Another amount makes it `FAILED` with `FUNDING_AMOUNT_MISMATCH`, and late money is returned too. `BadRequestError` with the reason `NOT_FUNDED_IN_REAL_TIME` or `FUNDING_NOT_EXPECTED` for a quote that is not waiting for money. REST: `POST /sandbox/send`.',
  input: schemaInput(sandboxPush),
  payload: SandboxTransactionPayload,
  resolve: async ({ currencyAmount, ...input }, { caller }) => ({
    transaction: await sendFunds(caller, { ...input, ...(currencyAmount != null && { currencyAmount }) }),
  }),
})

const SandboxReceiverInput = builder.inputType('SandboxReceiverInput', {
  description: 'The customer who receives. Set exactly one of the fields.',
  isOneOf: true,
  fields: (t) => ({
    umaAddress: t.string({ description: 'UMA address of the customer, for example `$ada@bank.example`.' }),
    customerId: t.id({ description: '`Customer:<uuid>` of the customer.' }),
  }),
})

const RECEIVER_FIELDS: Readonly<Record<string, string>> = {
  receiverUmaAddress: 'receiver.umaAddress',
  customerId: 'receiver.customerId',
}

addMutation('sandboxReceiveUma', {
  description:
    'Receives a payment from a UMA address. It is `PENDING` and waits for the approval of the platform: by its answer to the webhook, or by `approveTransaction` within 10 minutes. REST: `POST /sandbox/uma/receive`.',
  input: schemaInput(umaReceipt.omit({ receiverUmaAddress: true, customerId: true }), (t) => ({
    receiver: t.field({ type: SandboxReceiverInput, required: true, description: 'The customer who receives.' }),
  })),
  check: umaReceipt,
  payload: SandboxTransactionPayload,
  placeOf: (_input, field) => `input.${RECEIVER_FIELDS[field] ?? field}`,
  resolve: async ({ receiver, ...input }, { caller }) => {
    const { umaAddress: receiverUmaAddress, customerId } = receiver
    const named = withoutNulls({ receiverUmaAddress, customerId })
    return { transaction: await receiveUma(caller, { ...input, ...named }) }
  },
})

const fundedAccount = z.object({ accountId: idOf('InternalAccount') }).extend(accountFunding.shape)

addMutation('sandboxFundAccount', {
  description:
    'Deposits money into an internal account: an incoming payment that completes at once. REST: `POST /sandbox/internal-accounts/{accountId}/fund`.',
  input: schemaInput(fundedAccount),
  check: accountFunding,
  statuses: STATUSES,
  resolve: ({ accountId, amount }, { caller }) => fundAccount(caller, accountId, { amount }),
  success: {
    description: 'The account is credited. REST: 200.',
    fields: (t) => ({
      account: t.expose('account', {
        type: InternalAccountNode,
        nullable: false,
        description: 'The account, with its new balance.',
      }),
      transaction: t.expose('transaction', { type: PaymentInterface, nullable: false, description: 'The payment.' }),
    }),
  },
})

addMutation('sandboxAdvanceTime', {
  description:
    'Lets time pass for the platform: runs its jobs that fall due within this time, in order, and brings its deadlines nearer. Past times, such as `createdAt`, do not change. REST: `POST /sandbox/advance-time`.',
  input: schemaInput(timeAdvance),
  statuses: [400, 403],
  resolve: async (input, { caller }) => advanceTime(caller, input),
  success: {
    description: 'The time, or a part of it, has been advanced. REST: 200.',
    fields: (t) => ({
      advancedSeconds: t.exposeInt('advancedSeconds', { nullable: false, description: ADVANCE_TEXTS.advancedSeconds }),
      remainingSeconds: t.exposeInt('remainingSeconds', {
        nullable: false,
        description: ADVANCE_TEXTS.remainingSeconds,
      }),
      jobsRun: t.exposeInt('jobsRun', { nullable: false, description: ADVANCE_TEXTS.jobsRun }),
    }),
  },
})
