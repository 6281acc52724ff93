import { answer, body, failures, type Operations, pathId } from '#rest/operation.ts'
import { paymentSchema } from '#transactions/rest-schema.ts'
import { receiptConfirmation } from './confirm.ts'

const confirmationBody = body(
  receiptConfirmation.meta({ id: 'ReceiptConfirmation', description: 'The confirmation, with an optional time.' }),
  { receiptDeliveryConfirmedAt: '2026-01-31T09:30:00.000Z' },
  false,
)

export const receiptOperations: Operations = {
  '/transactions/{transactionId}/confirm': {
    post: {
      operationId: 'confirmTransaction',
      'x-graphql': ['Mutation.confirmTransaction'],
      summary: 'Confirm the delivery of a receipt',
      description: 'Repeating the call overwrites the time.',
      tags: ['Transactions'],
      requestParams: { path: pathId('transactionId', 'Transaction') },
      requestBody: confirmationBody,
      responses: { 200: answer('The payment.', paymentSchema), ...failures(404) },
    },
  },
}
