import { internalAccountSchema } from '#accounts/rest-schema.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, failures, type Operations, pathId } from '#rest/operation.ts'
import { incomingSchema, outgoingSchema } from '#transactions/rest-schema.ts'
import { timeAdvance } from './advance-time.ts'
import { accountFunding } from './fund.ts'
import { umaReceipt } from './receive-uma.ts'
import { advancedTimeSchema } from './rest-schema.ts'
import { sandboxPush } from './send.ts'

const tags = ['Sandbox']

export const sandboxOperations: Operations = {
  '/sandbox/internal-accounts/{accountId}/fund': {
    post: {
      operationId: 'sandboxFundAccount',
      'x-graphql': ['Mutation.sandboxFundAccount'],
      summary: 'Deposit money into an internal account',
      description: 'Makes an incoming payment that completes at once. The answer has the new balance.',
      tags,
      requestParams: { path: pathId('accountId', 'InternalAccount') },
      requestBody: body(accountFunding.meta({ id: 'AccountFunding', description: 'A deposit.' }), { amount: 10_000 }),
      responses: { 200: answer('The account.', internalAccountSchema), ...failures(404) },
    },
  },
  '/sandbox/send': {
    post: {
      operationId: 'sandboxSend',
      'x-graphql': ['Mutation.sandboxSend'],
      summary: 'Fund a quote',
      description:
        'The right amount starts the payment. Another amount makes it FAILED with `FUNDING_AMOUNT_MISMATCH`, and late money is returned too. 400 with the reason `NOT_FUNDED_IN_REAL_TIME` or `FUNDING_NOT_EXPECTED` for a quote that is not waiting for money.',
      tags,
      requestBody: body(sandboxPush.meta({ id: 'SandboxPush', description: 'Money that is pushed for a quote.' }), {
        quoteId: 'Quote:00000000-0000-7000-8000-000000000000',
        currencyCode: 'USD',
      }),
      responses: { 200: answer('The payment.', outgoingSchema), ...failures(404) },
    },
  },
  '/sandbox/uma/receive': {
    post: {
      operationId: 'sandboxReceiveUma',
      'x-graphql': ['Mutation.sandboxReceiveUma'],
      summary: 'Receive a payment from a UMA address',
      description:
        'The payment is PENDING and waits for the approval of the platform: by its answer to the webhook `INCOMING_PAYMENT.PENDING`, or by `POST /transactions/{transactionId}/approve` within 10 minutes. 404 `UMA_NOT_FOUND` or `USER_NOT_FOUND` for an unknown receiver.',
      tags,
      requestBody: body(umaReceipt.meta({ id: 'UmaReceipt', description: 'A payment from a UMA address.' }), {
        senderUmaAddress: '$success.usd@sandbox.example',
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 2_500,
        customerId: ADA.customerId,
      }),
      responses: { 200: answer('The payment.', incomingSchema), ...failures(404) },
    },
  },
  '/sandbox/advance-time': {
    post: {
      operationId: 'sandboxAdvanceTime',
      'x-graphql': ['Mutation.sandboxAdvanceTime'],
      summary: 'Advance time',
      description:
        'Runs the jobs of the platform that fall due within this time, in order: payments settle, are returned and refunded, quotes expire. Deadlines come nearer by the same time. Past times, such as `createdAt`, do not change.',
      tags,
      requestBody: body(timeAdvance.meta({ id: 'TimeAdvance', description: 'How much time passes.' }), {
        seconds: 360,
      }),
      responses: { 200: answer('How far the time was advanced.', advancedTimeSchema), ...failures() },
    },
  },
}
