// `/customers`. A change of a customer is in credentials/wallet/rest-operations.ts, because a session may have to sign it.
import { answer, body, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { CUSTOMER_PARAMETERS, CustomerFilterInput } from './list.ts'
import { newCustomerRequest } from './new-customer.ts'
import { customerPageSchema, customerSchema, endUserTermsSchema } from './rest-schema.ts'

const tags = ['Customers']

export const customerOperations: Operations = {
  '/customers': {
    get: {
      operationId: 'listCustomers',
      'x-graphql': ['Query.customers'],
      summary: 'List customers',
      tags,
      requestParams: {
        query: filterQuery(CustomerFilterInput, CUSTOMER_PARAMETERS),
      },
      responses: { 200: answer('A page of customers.', customerPageSchema), ...failures() },
    },
    post: {
      operationId: 'createCustomer',
      'x-graphql': ['Mutation.createCustomer'],
      summary: 'Create a customer',
      description:
        'An approved customer gets an account in each of its currencies and a wallet. In the sandbox a person is approved at once, unless the name ends in `001` (`PENDING`), `002` (`REJECTED`) or `003` (`UNVERIFIED`). 400 `MISSING_MANDATORY_USER_INFO` names the fields that a currency needs; 409 `CONFLICT` for a `platformCustomerId` and `UMA_ADDRESS_EXISTS` for a `umaAddress` of another customer.',
      tags,
      requestBody: body(newCustomerRequest, {
        customerType: 'INDIVIDUAL',
        fullName: 'Ada Lovelace',
        birthDate: '1990-12-10',
        nationality: 'GB',
        currencies: ['GBP'],
        address: { line1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' },
      }),
      responses: { 201: answer('The customer.', customerSchema), ...failures(409) },
    },
  },
  '/customers/end-user-terms': {
    get: {
      operationId: 'getEndUserTerms',
      'x-graphql': ['Query.endUserTerms'],
      summary: 'Get the terms that customers accept',
      description: 'Returns 501 if the operator of the gateway has not set any terms.',
      tags,
      responses: { 200: answer('The terms.', endUserTermsSchema), ...failures(501) },
    },
  },
  '/customers/{customerId}': {
    get: {
      operationId: 'getCustomer',
      'x-graphql': ['Query.customer'],
      summary: 'Get a customer',
      description: 'Returns deleted customers too.',
      tags,
      requestParams: { path: pathId('customerId', 'Customer') },
      responses: { 200: answer('The customer.', customerSchema), ...failures(404) },
    },
    delete: {
      operationId: 'deleteCustomer',
      'x-graphql': ['Mutation.deleteCustomer'],
      summary: 'Delete a customer',
      description:
        'Closes its accounts and cards, revokes its credentials, deletes its second factors and agents, and rejects its open verification. Everything else that belonged to it stays readable. 409 with the reason `ACCOUNT_NOT_EMPTY` or `PAYMENT_OPEN`; 410 `CUSTOMER_DELETED` if it is already deleted.',
      tags,
      requestParams: { path: pathId('customerId', 'Customer') },
      responses: { 200: answer('The deleted customer.', customerSchema), ...failures(404, 409, 410) },
    },
  },
}
