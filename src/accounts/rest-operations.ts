// `/customers/…-accounts` and `/platform/…-accounts`.
import { ADA } from '#rest/examples.ts'
import {
  answer,
  body,
  conditionQuery,
  emptyAnswer,
  failures,
  filterQuery,
  type Operations,
  pathId,
} from '#rest/operation.ts'
import {
  customerAccountRequest,
  ownershipChallengeRequest,
  ownershipChallengeSchema,
  ownershipProofRequest,
  platformAccountRequest,
} from './external/rest-schema.ts'
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
const ADDING =
  '400 `INVALID_BANK_ACCOUNT` for invalid details. 409 with the reason `ACCOUNT_EXISTS` for an account that the owner already has: `details.externalAccountId` names it.'
const DELETING = 'Lists no longer include it, and it can no longer be paid. Payments still show it.'

/** The proof that a wallet belongs to its owner. */
const ownershipOperations = (path: string, of: 'Customer' | 'Platform'): Operations => ({
  [`${path}/{externalAccountId}/challenge`]: {
    post: {
      operationId: `challenge${of}ExternalAccount`,
      'x-graphql': ['Mutation.createOwnershipChallenge'],
      summary: 'Create an ownership challenge',
      description:
        'A new challenge replaces the old one. 409 with the reason `OWNERSHIP_NOT_NEEDED` or `OWNERSHIP_METHOD_NOT_AVAILABLE`. 501 for `LIVENESS`.',
      tags,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      requestBody: body(ownershipChallengeRequest, { method: 'WALLET_SIGNATURE' }),
      responses: { 201: answer('The message to sign.', ownershipChallengeSchema), ...failures(404, 409, 501) },
    },
  },
  [`${path}/{externalAccountId}/verify`]: {
    post: {
      operationId: `verify${of}ExternalAccount`,
      'x-graphql': ['Mutation.verifyOwnership'],
      summary: 'Verify the ownership of a wallet',
      description:
        'The account becomes ACTIVE. A wrong or late signature makes it UNVERIFIED: 400 with the reason `SIGNATURE_INVALID` or `CHALLENGE_EXPIRED`. 409 with the reason `NO_CHALLENGE` if none is outstanding.',
      tags,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      requestBody: body(ownershipProofRequest, { signature: `0x${'00'.repeat(65)}` }),
      responses: { 200: answer('The account.', externalAccountSchema), ...failures(404, 409) },
    },
  },
})

export const accountOperations: Operations = {
  ...ownershipOperations('/customers/external-accounts', 'Customer'),
  ...ownershipOperations('/platform/external-accounts', 'Platform'),
  '/customers/internal-accounts': {
    get: {
      operationId: 'listCustomerInternalAccounts',
      'x-graphql': ['Query.internalAccounts'],
      summary: 'List internal accounts of customers',
      tags,
      requestParams: { query: filterQuery(InternalAccountFilterInput, ['customerId', ...INTERNAL_ACCOUNT_PARAMETERS]) },
      responses: { 200: answer('A page of accounts.', internalAccountPageSchema), ...failures() },
    },
  },
  '/customers/external-accounts': {
    get: {
      operationId: 'listCustomerExternalAccounts',
      'x-graphql': ['Query.externalAccounts'],
      summary: 'List external accounts of customers',
      tags,
      requestParams: { query: filterQuery(ExternalAccountFilterInput, ['customerId', ...EXTERNAL_ACCOUNT_PARAMETERS]) },
      responses: { 200: answer('A page of accounts.', externalAccountPageSchema), ...failures() },
    },
    post: {
      operationId: 'createCustomerExternalAccount',
      'x-graphql': ['Mutation.createExternalAccount'],
      summary: 'Add an external account of a customer',
      description: `${ADDING} 404 \`USER_NOT_FOUND\`.`,
      tags,
      requestBody: body(customerAccountRequest, {
        customerId: ADA.customerId,
        currency: 'MXN',
        platformAccountId: 'supplier-17',
        accountInfo: {
          accountType: 'MXN_ACCOUNT',
          clabeNumber: '032180000118359719',
          beneficiary: { beneficiaryType: 'BUSINESS', legalName: 'Transportes Regios S.A. de C.V.' },
        },
      }),
      responses: { 201: answer('The new account.', externalAccountSchema), ...failures(404, 409) },
    },
  },
  '/customers/external-accounts/{externalAccountId}': {
    get: {
      operationId: 'getCustomerExternalAccount',
      'x-graphql': ['Query.node ... on ExternalAccount'],
      summary: 'Get an external account of a customer',
      tags,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      responses: { 200: answer('The account.', externalAccountSchema), ...failures(404) },
    },
    delete: {
      operationId: 'deleteCustomerExternalAccount',
      'x-graphql': ['Mutation.deleteExternalAccount'],
      summary: 'Delete an external account of a customer',
      description: DELETING,
      tags,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      responses: { 204: emptyAnswer('Deleted.'), ...failures(404) },
    },
  },
  '/platform/internal-accounts': {
    get: {
      operationId: 'listPlatformInternalAccounts',
      'x-graphql': ['Query.internalAccounts'],
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
      'x-graphql': ['Query.externalAccounts'],
      summary: "List the platform's own external accounts",
      tags,
      requestParams: { query: filterQuery(ExternalAccountFilterInput, EXTERNAL_ACCOUNT_PARAMETERS) },
      responses: { 200: answer('A page of accounts.', externalAccountPageSchema), ...failures() },
    },
    post: {
      operationId: 'createPlatformExternalAccount',
      'x-graphql': ['Mutation.createExternalAccount'],
      summary: 'Add an external account for the platform',
      description: ADDING,
      tags,
      requestBody: body(platformAccountRequest, {
        currency: 'USDC',
        accountInfo: { accountType: 'SOLANA_WALLET', address: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' },
      }),
      responses: { 201: answer('The new account.', externalAccountSchema), ...failures(409) },
    },
  },
  '/platform/external-accounts/{externalAccountId}': {
    get: {
      operationId: 'getPlatformExternalAccount',
      'x-graphql': ['Query.node ... on ExternalAccount'],
      summary: "Get one of the platform's own external accounts",
      tags,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      responses: { 200: answer('The account.', externalAccountSchema), ...failures(404) },
    },
    delete: {
      operationId: 'deletePlatformExternalAccount',
      'x-graphql': ['Mutation.deleteExternalAccount'],
      summary: "Delete one of the platform's own external accounts",
      description: DELETING,
      tags,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      responses: { 204: emptyAnswer('Deleted.'), ...failures(404) },
    },
  },
}
