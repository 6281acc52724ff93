import { answer, body, failures, type Operations, pathId } from '#rest/operation.ts'
import { paymentSchema } from '#transactions/rest-schema.ts'
import { cancellation } from './cancel.ts'

const cancellationBody = body(
  cancellation.meta({ id: 'CancellationRequest', description: 'The cancellation, with an optional reason.' }),
  { reason: 'Ordered twice' },
  false,
)

export const cancellationOperations: Operations = {
  '/transactions/{transactionId}/cancel': {
    post: {
      operationId: 'cancelTransaction',
      'x-graphql': ['Mutation.cancelTransaction'],
      summary: 'Cancel a bank payment',
      description:
        'Only for payments over ACH and wire, and for transfers from a bank account. Other payments are 400. The refund is PENDING in the response. The payment becomes COMPLETED when the refund is complete. 409 `TRANSACTION_NOT_CANCELLABLE` with the reason `NOT_STARTED` or `TOO_LATE`.',
      tags: ['Transactions'],
      requestParams: { path: pathId('transactionId', 'Transaction') },
      requestBody: cancellationBody,
      responses: { 200: answer('The payment, with its refund.', paymentSchema), ...failures(404, 409, 501) },
    },
  },
}
