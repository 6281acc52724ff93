import { onceHeader } from '#idempotency/rest.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, failures, type Operations } from '#rest/operation.ts'
import { incomingSchema, outgoingSchema } from '#transactions/rest-schema.ts'
import { transferInRequest, transferOutRequest } from './transfer.ts'

export const transferOutBody = body(
  transferOutRequest.meta({
    id: 'TransferOutRequest',
    description: 'The transfer. Without an amount, the whole spendable balance is sent.',
  }),
  {
    source: { accountId: ADA.dollars },
    destination: { accountId: ADA.dollarsOutside, paymentRail: 'ACH' },
    amount: 2_500,
    remittanceInformation: 'Invoice 42',
  },
)
export const transferInBody = body(
  transferInRequest.meta({
    id: 'TransferInRequest',
    description: 'The transfer, from an external account that can be debited.',
  }),
  { source: { accountId: ADA.dollarsOutside }, destination: { accountId: ADA.dollars }, amount: 2_500 },
)
const transfers = ['Transfers']

export const transferOperations: Operations = {
  '/transfer-out': {
    post: {
      operationId: 'transferOut',
      'x-graphql': ['Mutation.transferOut'],
      summary: 'Transfer out to an external account',
      tags: transfers,
      requestParams: { header: onceHeader },
      requestBody: transferOutBody,
      responses: { 201: answer('The payment, pending.', outgoingSchema), ...failures(404, 409) },
    },
  },
  '/transfer-in': {
    post: {
      operationId: 'transferIn',
      'x-graphql': ['Mutation.transferIn'],
      summary: 'Transfer in from an external account',
      tags: transfers,
      requestParams: { header: onceHeader },
      requestBody: transferInBody,
      responses: { 201: answer('The payment, pending.', incomingSchema), ...failures(404, 409) },
    },
  },
}
