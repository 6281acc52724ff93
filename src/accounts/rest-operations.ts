// `/customers/…-accounts` and `/platform/…-accounts`.
import { answer, conditionQuery, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { ExternalAccountFilterInput, InternalAccountFilterInput } from './list.ts'
import {
  externalAccountPageSchema,
  externalAccountSchema,
  internalAccountListSchema,
  internalAccountPageSchema,
} from './rest-schema.ts'

const tags = ['Accounts']
const customerId = 'Of this customer.'
const currency = 'Code of the currency, exact.'
const type = 'Of this type.'

export const accountOperations: Operations = {
  '/customers/internal-accounts': {
    get: {
      operationId: 'listCustomerInternalAccounts',
      summary: 'List the accounts of customers',
      tags,
      requestParams: { query: filterQuery(InternalAccountFilterInput, { customerId, currency, type }) },
      responses: { 200: answer('A page of accounts.', internalAccountPageSchema), ...failures() },
    },
  },
  '/customers/external-accounts': {
    get: {
      operationId: 'listCustomerExternalAccounts',
      summary: 'List the accounts of customers outside',
      tags,
      requestParams: { query: filterQuery(ExternalAccountFilterInput, { customerId, currency }) },
      responses: { 200: answer('A page of accounts.', externalAccountPageSchema), ...failures() },
    },
  },
  '/customers/external-accounts/{id}': {
    get: {
      operationId: 'getCustomerExternalAccount',
      summary: 'Read an account of a customer outside',
      tags,
      requestParams: { path: pathId('ExternalAccount') },
      responses: { 200: answer('The account.', externalAccountSchema), ...failures(404) },
    },
  },
  '/platform/internal-accounts': {
    get: {
      operationId: 'listPlatformInternalAccounts',
      summary: 'List the accounts of the platform itself',
      tags,
      requestParams: { query: conditionQuery(InternalAccountFilterInput, { currency, type }) },
      responses: { 200: answer('All of them.', internalAccountListSchema), ...failures() },
    },
  },
  '/platform/external-accounts': {
    get: {
      operationId: 'listPlatformExternalAccounts',
      summary: 'List the accounts of the platform itself outside',
      tags,
      requestParams: { query: filterQuery(ExternalAccountFilterInput, { currency }) },
      responses: { 200: answer('A page of accounts.', externalAccountPageSchema), ...failures() },
    },
  },
  '/platform/external-accounts/{id}': {
    get: {
      operationId: 'getPlatformExternalAccount',
      summary: 'Read an account of the platform itself outside',
      tags,
      requestParams: { path: pathId('ExternalAccount') },
      responses: { 200: answer('The account.', externalAccountSchema), ...failures(404) },
    },
  },
}
