// `/customers/…-accounts` and `/platform/…-accounts`.
import { answer, conditionQuery, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import {
  EXTERNAL_ACCOUNT_PARAMETERS,
  ExternalAccountFilterInput,
  INTERNAL_ACCOUNT_PARAMETERS,
  InternalAccountFilterInput,
} from './list.ts'
import {
  externalAccountPageSchema,
  externalAccountSchema,
  internalAccountListSchema,
  internalAccountPageSchema,
} from './rest-schema.ts'

const tags = ['Accounts']
export const accountOperations: Operations = {
  '/customers/internal-accounts': {
    get: {
      operationId: 'listCustomerInternalAccounts',
      summary: 'List internal accounts of customers',
      tags,
      requestParams: { query: filterQuery(InternalAccountFilterInput, ['customerId', ...INTERNAL_ACCOUNT_PARAMETERS]) },
      responses: { 200: answer('A page of accounts.', internalAccountPageSchema), ...failures() },
    },
  },
  '/customers/external-accounts': {
    get: {
      operationId: 'listCustomerExternalAccounts',
      summary: 'List external accounts of customers',
      tags,
      requestParams: { query: filterQuery(ExternalAccountFilterInput, ['customerId', ...EXTERNAL_ACCOUNT_PARAMETERS]) },
      responses: { 200: answer('A page of accounts.', externalAccountPageSchema), ...failures() },
    },
  },
  '/customers/external-accounts/{id}': {
    get: {
      operationId: 'getCustomerExternalAccount',
      summary: 'Get an external account of a customer',
      tags,
      requestParams: { path: pathId('ExternalAccount') },
      responses: { 200: answer('The account.', externalAccountSchema), ...failures(404) },
    },
  },
  '/platform/internal-accounts': {
    get: {
      operationId: 'listPlatformInternalAccounts',
      summary: "List the platform's own internal accounts",
      tags,
      requestParams: { query: conditionQuery(InternalAccountFilterInput, INTERNAL_ACCOUNT_PARAMETERS) },
      responses: {
        200: answer("All of the platform's own internal accounts.", internalAccountListSchema),
        ...failures(),
      },
    },
  },
  '/platform/external-accounts': {
    get: {
      operationId: 'listPlatformExternalAccounts',
      summary: "List the platform's own external accounts",
      tags,
      requestParams: { query: filterQuery(ExternalAccountFilterInput, EXTERNAL_ACCOUNT_PARAMETERS) },
      responses: { 200: answer('A page of accounts.', externalAccountPageSchema), ...failures() },
    },
  },
  '/platform/external-accounts/{id}': {
    get: {
      operationId: 'getPlatformExternalAccount',
      summary: "Get one of the platform's own external accounts",
      tags,
      requestParams: { path: pathId('ExternalAccount') },
      responses: { 200: answer('The account.', externalAccountSchema), ...failures(404) },
    },
  },
}
