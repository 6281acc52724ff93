// The read operations of `/customers`.
import { answer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { CUSTOMER_PARAMETERS, CustomerFilterInput } from './list.ts'
import { customerPageSchema, customerSchema } from './rest-schema.ts'

const tags = ['Customers']

export const customerOperations: Operations = {
  '/customers': {
    get: {
      operationId: 'listCustomers',
      summary: 'List customers',
      tags,
      requestParams: {
        query: filterQuery(CustomerFilterInput, CUSTOMER_PARAMETERS),
      },
      responses: { 200: answer('A page of customers.', customerPageSchema), ...failures() },
    },
  },
  '/customers/{id}': {
    get: {
      operationId: 'getCustomer',
      summary: 'Get a customer',
      description: 'Returns deleted customers too.',
      tags,
      requestParams: { path: pathId('Customer') },
      responses: { 200: answer('The customer.', customerSchema), ...failures(404) },
    },
  },
}
