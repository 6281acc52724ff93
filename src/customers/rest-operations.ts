// The read operations of `/customers`.
import { CHANGED_FROM, CHANGED_UNTIL, CREATED_FROM, CREATED_UNTIL } from '#core/time-filters.ts'
import { answer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { CustomerFilterInput, CUSTOMER_FILTER_TEXTS as texts } from './list.ts'
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
          platformCustomerId: texts.platformCustomerId,
          customerType: texts.customerType,
          region: texts.region,
          currency: texts.currency,
          umaAddress: texts.umaAddress,
          createdAfter: CREATED_FROM,
          createdBefore: CREATED_UNTIL,
          updatedAfter: CHANGED_FROM,
          updatedBefore: CHANGED_UNTIL,
          isIncludingDeleted: texts.isIncludingDeleted,
        }),
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
