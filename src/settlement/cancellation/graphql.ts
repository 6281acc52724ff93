import { schemaInput } from '#graphql/input-of.ts'
import { addMutation, withoutNulls } from '#graphql/mutation.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import { cancellation, cancelTransaction } from './cancel.ts'

addMutation('cancelTransaction', {
  description:
    'Cancels a payment that is with a bank: one over ACH or wire, or a transfer from a bank account. The money is returned, and the payment then becomes `COMPLETED` with a refund whose reason is `USER_CANCELLATION`. `BadRequestError` for other payments. `ConflictError` if it has not left yet (`NOT_STARTED`) or has arrived (`TOO_LATE`). REST: `POST /transactions/{transactionId}/cancel`.',
  input: schemaInput(cancellation, (t) => ({
    transactionId: t.id({ required: true, description: '`Transaction:<uuid>`.' }),
  })),
  statuses: [400, 403, 404, 409],
  resolve: async ({ transactionId, reason }, { caller }) => ({
    transaction: await cancelTransaction(caller, transactionId, withoutNulls({ reason })),
  }),
  success: {
    description: 'The refund is under way. REST: 200.',
    fields: (t) => ({
      transaction: t.expose('transaction', {
        type: PaymentInterface,
        nullable: false,
        description: 'The payment, with its refund.',
      }),
    }),
  },
})
