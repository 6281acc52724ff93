import { schemaInput } from '#graphql/input-of.ts'
import { addMutation, withoutNulls } from '#graphql/mutation.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import { confirmTransaction, receiptConfirmation } from './confirm.ts'

addMutation('confirmTransaction', {
  description:
    'Confirms that the customer received the receipt of a payment. Repeating the call overwrites the time. REST: `POST /transactions/{transactionId}/confirm`.',
  input: schemaInput(receiptConfirmation, (t) => ({
    transactionId: t.id({ required: true, description: '`Transaction:<uuid>`.' }),
  })),
  statuses: [400, 403, 404],
  resolve: async ({ transactionId, receiptDeliveryConfirmedAt }, { caller }) => ({
    transaction: await confirmTransaction(caller, transactionId, withoutNulls({ receiptDeliveryConfirmedAt })),
  }),
  success: {
    description: 'The delivery of the receipt is confirmed. REST: 200.',
    fields: (t) => ({
      transaction: t.expose('transaction', {
        type: PaymentInterface,
        nullable: false,
        description: 'The payment.',
      }),
    }),
  },
})
