// `/agents/me`: the operations of agents.

import { ownAccountRequest } from '#accounts/external/rest-schema.ts'
import {
  EXTERNAL_ACCOUNT_PARAMETERS,
  ExternalAccountFilterInput,
  INTERNAL_ACCOUNT_PARAMETERS,
  InternalAccountFilterInput,
} from '#accounts/list.ts'
import { externalAccountPageSchema, externalAccountSchema, internalAccountPageSchema } from '#accounts/rest-schema.ts'
import { ActionFilterInput } from '#agents/actions/list.ts'
import { actionPageSchema, actionSchema, agentSchema } from '#agents/rest-schema.ts'
import { onceHeader, signedOnceHeader } from '#idempotency/rest.ts'
import { createdQuote, executionBody, quoteBody } from '#quotes/rest-operations.ts'
import { quoteSchema } from '#quotes/rest-schema.ts'
import { answer, body, emptyAnswer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { OWN_TRANSACTION_PARAMETERS, TransactionFilterInput } from '#transactions/list/filter.ts'
import { transactionPageSchema, transactionSchema } from '#transactions/rest-schema.ts'
import { transferInBody, transferOutBody } from '#transfers/rest-operations.ts'

const ofAgents = { tags: ['Calls by agents'], security: [{ AgentAuth: [] }] }
const acted = 'The action. Its status says whether it was approved at once or waits for approval.'

export const ownOperations: Operations = {
  '/agents/me': {
    get: {
      operationId: 'getOwnAgent',
      'x-graphql': ['Viewer.agent'],
      summary: 'Get the calling agent',
      ...ofAgents,
      responses: { 200: answer('The agent.', agentSchema), ...failures(404) },
    },
  },
  '/agents/me/actions': {
    get: {
      operationId: 'listOwnActions',
      'x-graphql': ['Query.agentActions'],
      summary: "List the agent's actions",
      ...ofAgents,
      requestParams: { query: filterQuery(ActionFilterInput, ['status']) },
      responses: { 200: answer('A page of actions.', actionPageSchema), ...failures() },
    },
  },
  '/agents/me/actions/{actionId}': {
    get: {
      operationId: 'getOwnAction',
      'x-graphql': ['Query.node ... on AgentAction'],
      summary: "Get one of the agent's actions",
      ...ofAgents,
      requestParams: { path: pathId('actionId', 'AgentAction') },
      responses: { 200: answer('The action.', actionSchema), ...failures(404) },
    },
  },
  '/agents/me/transactions': {
    get: {
      operationId: 'listOwnTransactions',
      'x-graphql': ['Query.transactions'],
      summary: "List the transactions of the agent's customer",
      ...ofAgents,
      requestParams: { query: filterQuery(TransactionFilterInput, OWN_TRANSACTION_PARAMETERS) },
      responses: { 200: answer('A page of transactions.', transactionPageSchema), ...failures() },
    },
  },
  '/agents/me/transactions/{transactionId}': {
    get: {
      operationId: 'getOwnTransaction',
      'x-graphql': ['Query.transaction'],
      summary: "Get a transaction of the agent's customer",
      ...ofAgents,
      requestParams: { path: pathId('transactionId', 'Transaction', 'CardTransaction') },
      responses: { 200: answer('The transaction.', transactionSchema), ...failures(404) },
    },
  },
  '/agents/me/internal-accounts': {
    get: {
      operationId: 'listOwnInternalAccounts',
      'x-graphql': ['Query.internalAccounts'],
      summary: "List the internal accounts of the agent's customer",
      ...ofAgents,
      requestParams: {
        query: filterQuery(InternalAccountFilterInput, INTERNAL_ACCOUNT_PARAMETERS),
      },
      responses: { 200: answer('A page of accounts.', internalAccountPageSchema), ...failures() },
    },
  },
  '/agents/me/external-accounts': {
    get: {
      operationId: 'listOwnExternalAccounts',
      'x-graphql': ['Query.externalAccounts'],
      summary: "List the external accounts of the agent's customer",
      ...ofAgents,
      requestParams: {
        query: filterQuery(ExternalAccountFilterInput, EXTERNAL_ACCOUNT_PARAMETERS),
      },
      responses: { 200: answer('A page of accounts.', externalAccountPageSchema), ...failures() },
    },
    post: {
      operationId: 'createOwnExternalAccount',
      'x-graphql': ['Mutation.agentCreateExternalAccount'],
      summary: "Add an external account of the agent's customer",
      description:
        'If the policy asks for approval, the account is PENDING until the platform approves the action. 409 with the reason `ACCOUNT_EXISTS` for an account that the customer already has.',
      ...ofAgents,
      requestBody: body(ownAccountRequest, {
        currency: 'MXN',
        accountInfo: {
          accountType: 'MXN_ACCOUNT',
          clabeNumber: '032180000118359719',
          beneficiary: { beneficiaryType: 'BUSINESS', legalName: 'Transportes Regios S.A. de C.V.' },
        },
      }),
      responses: { 201: answer('The new account.', externalAccountSchema), ...failures(409) },
    },
  },
  '/agents/me/external-accounts/{externalAccountId}': {
    get: {
      operationId: 'getOwnExternalAccount',
      'x-graphql': ['Query.node ... on ExternalAccount'],
      summary: "Get an external account of the agent's customer",
      ...ofAgents,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      responses: { 200: answer('The account.', externalAccountSchema), ...failures(404) },
    },
    delete: {
      operationId: 'deleteOwnExternalAccount',
      'x-graphql': ['Mutation.agentDeleteExternalAccount'],
      summary: "Delete an external account of the agent's customer",
      ...ofAgents,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      responses: {
        202: answer('The action, which waits for approval.', actionSchema),
        204: emptyAnswer('Deleted.'),
        ...failures(404),
      },
    },
  },
  '/agents/me/quotes': {
    post: {
      operationId: 'createOwnQuote',
      'x-graphql': ['Mutation.createQuote'],
      summary: 'Create a quote',
      ...ofAgents,
      requestParams: { header: onceHeader },
      requestBody: quoteBody,
      responses: createdQuote,
    },
  },
  '/agents/me/quotes/{quoteId}': {
    get: {
      operationId: 'getOwnQuote',
      'x-graphql': ['Query.node ... on Quote'],
      summary: "Get one of the agent's quotes",
      ...ofAgents,
      requestParams: { path: pathId('quoteId', 'Quote') },
      responses: { 200: answer('The quote.', quoteSchema), ...failures(404) },
    },
  },
  '/agents/me/quotes/{quoteId}/execute': {
    post: {
      operationId: 'executeOwnQuote',
      'x-graphql': ['Mutation.agentExecuteQuote'],
      summary: "Execute the agent's quote",
      ...ofAgents,
      requestParams: { path: pathId('quoteId', 'Quote'), header: signedOnceHeader },
      requestBody: executionBody,
      responses: { 200: answer(acted, actionSchema), ...failures(404, 409, 423, 501) },
    },
  },
  '/agents/me/transfer-out': {
    post: {
      operationId: 'transferOutAsAgent',
      'x-graphql': ['Mutation.agentTransferOut'],
      summary: 'Transfer to an external account in the same currency',
      ...ofAgents,
      requestParams: { header: onceHeader },
      requestBody: transferOutBody,
      responses: { 201: answer(acted, actionSchema), ...failures(404, 409, 501) },
    },
  },
  '/agents/me/transfer-in': {
    post: {
      operationId: 'transferInAsAgent',
      'x-graphql': ['Mutation.agentTransferIn'],
      summary: 'Transfer from an external account in the same currency',
      ...ofAgents,
      requestParams: { header: onceHeader },
      requestBody: transferInBody,
      responses: { 201: answer(acted, actionSchema), ...failures(404, 409, 501) },
    },
  },
}
