// `/customers/{customerId}/verify-email` and `/customers/{customerId}/verify-phone`.
import { customerSchema } from '#customers/rest-schema.ts'
import { answer, body, emptyAnswer, failures, type Operations, pathId } from '#rest/operation.ts'
import { contactConfirmation } from './verification.ts'

const tags = ['Contact verification']

const confirmation = body(
  contactConfirmation
    .pick({ code: true })
    .meta({ id: 'ContactConfirmationRequest', description: 'The code that was sent.' }),
  { code: '123456' },
)

const pairOf = (path: string, operation: string, contact: string): Operations => ({
  [`/customers/{customerId}/${path}`]: {
    post: {
      operationId: `start${operation}`,
      'x-graphql': ['Mutation.startContactVerification'],
      summary: `Send a code to the ${contact} of a customer`,
      description: 'Only in SCA regions. A new code voids the earlier ones.',
      tags,
      requestParams: { path: pathId('customerId', 'Customer') },
      responses: { 204: emptyAnswer('A code was sent.'), ...failures(404, 409, 410) },
    },
  },
  [`/customers/{customerId}/${path}/confirm`]: {
    post: {
      operationId: `confirm${operation}`,
      'x-graphql': ['Mutation.confirmContactVerification'],
      summary: `Confirm the ${contact} of a customer with the code`,
      description: 'The third wrong code voids it. In the sandbox the code is `123456`.',
      tags,
      requestParams: { path: pathId('customerId', 'Customer') },
      requestBody: confirmation,
      responses: { 200: answer('The customer.', customerSchema), ...failures(404, 409, 410) },
    },
  },
})

export const contactOperations: Operations = {
  ...pairOf('verify-email', 'EmailVerification', 'email address'),
  ...pairOf('verify-phone', 'PhoneVerification', 'phone number'),
}
