// `/customers`: what is read of them.
import { answer, DAY, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { CustomerFilterInput } from './list.ts'
import { customerPageSchema, customerSchema } from './rest-schema.ts'

const tags = ['Customers']

export const customerOperations: Operations = {
  '/customers': {
    get: {
      operationId: 'listCustomers',
      summary: 'List customers',
      tags,
      requestParams: {
        query: filterQuery(CustomerFilterInput, {
          platformCustomerId: 'The platform’s own id of the customer, exact.',
          customerType: 'Persons or businesses only.',
          region: 'ISO 3166-1 alpha-2, exact.',
          currency: 'Code of a currency that the customer has an account in.',
          umaAddress: 'Exact, ignoring case.',
          createdAfter: `Created at this time or later. ${DAY}`,
          createdBefore: `Created at this time or earlier. ${DAY}`,
          updatedAfter: `Last changed at this time or later. ${DAY}`,
          updatedBefore: `Last changed at this time or earlier. ${DAY}`,
          isIncludingDeleted: 'Whether deleted customers are listed too. Not unless it is `true`.',
        }),
      },
      responses: { 200: answer('A page of customers.', customerPageSchema), ...failures() },
    },
  },
  '/customers/{id}': {
    get: {
      operationId: 'getCustomer',
      summary: 'Read a customer',
      description: 'A deleted one too.',
      tags,
      requestParams: { path: pathId('Customer') },
      responses: { 200: answer('The customer.', customerSchema), ...failures(404) },
    },
  },
}
