// Stablecoins in the REST contract.
import { requiredOnceHeader } from '#idempotency/rest.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, failures, filterQuery, type Operations, pageQuery, pathId } from '#rest/operation.ts'
import { newProviderAccount, PROVIDER_ACCOUNT_PARAMETERS, ProviderAccountFilterInput } from './provider-account.ts'
import { burnRequest, mintRequest } from './quote.ts'
import {
  operationPageSchema,
  operationSchema,
  providerAccountPageSchema,
  providerAccountSchema,
  stablecoinPageSchema,
  stablecoinQuoteSchema,
  stablecoinSchema,
} from './rest-schema.ts'
import { newStablecoin } from './stablecoin.ts'

const tags = ['Stablecoins']
const header = requiredOnceHeader

/** The id of a Spark wallet. */
const WALLET = 'ExternalAccount:3941c6af-f6af-7579-929b-7b0214201417'

export const stablecoinOperations: Operations = {
  '/stablecoin-provider-accounts': {
    post: {
      operationId: 'createStablecoinProviderAccount',
      'x-graphql': ['Mutation.createStablecoinProviderAccount'],
      summary: 'Link an account at a stablecoin provider',
      description:
        'If the provider refuses the credentials, the link is `INVALID`. 409 `CONFLICT` if an active link already has the account.',
      tags,
      requestParams: { header },
      requestBody: body(
        newProviderAccount.meta({ id: 'StablecoinProviderAccountRequest', description: 'The credentials.' }),
        { provider: 'BRALE', apiClientId: 'acme-sandbox', apiClientSecret: 'not-a-secret' },
      ),
      responses: { 201: answer('The link.', providerAccountSchema), ...failures(409, 501) },
    },
    get: {
      operationId: 'listStablecoinProviderAccounts',
      'x-graphql': ['Query.stablecoinProviderAccounts'],
      summary: 'List links to stablecoin providers',
      tags,
      requestParams: { query: filterQuery(ProviderAccountFilterInput, PROVIDER_ACCOUNT_PARAMETERS) },
      responses: { 200: answer('A page of links.', providerAccountPageSchema), ...failures() },
    },
  },
  '/stablecoin-provider-accounts/{stablecoinProviderAccountId}': {
    get: {
      operationId: 'getStablecoinProviderAccount',
      'x-graphql': ['Query.node ... on StablecoinProviderAccount'],
      summary: 'Get a link to a stablecoin provider',
      tags,
      requestParams: { path: pathId('stablecoinProviderAccountId', 'StablecoinProviderAccount') },
      responses: { 200: answer('The link.', providerAccountSchema), ...failures(404) },
    },
  },
  '/stablecoins': {
    post: {
      operationId: 'registerStablecoin',
      'x-graphql': ['Mutation.registerStablecoin'],
      summary: 'Register a stablecoin',
      description:
        'A token that the provider account issues. 400 `STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED` if several links are active and none is named.',
      tags,
      requestParams: { header },
      requestBody: body(newStablecoin.meta({ id: 'StablecoinRequest', description: 'The token.' }), {
        providerTokenIdentifier: 'ACME',
        networkTokenIdentifier: 'btkn1acme',
        network: 'SPARK',
      }),
      responses: { 201: answer('The stablecoin.', stablecoinSchema), ...failures(404, 409, 501) },
    },
    get: {
      operationId: 'listStablecoins',
      'x-graphql': ['Query.stablecoins'],
      summary: 'List stablecoins',
      tags,
      requestParams: { query: pageQuery },
      responses: { 200: answer('A page of stablecoins.', stablecoinPageSchema), ...failures() },
    },
  },
  '/stablecoins/{stablecoinId}': {
    get: {
      operationId: 'getStablecoin',
      'x-graphql': ['Query.node ... on Stablecoin'],
      summary: 'Get a stablecoin',
      tags,
      requestParams: { path: pathId('stablecoinId', 'Stablecoin') },
      responses: { 200: answer('The stablecoin.', stablecoinSchema), ...failures(404) },
    },
  },
  '/stablecoins/{stablecoinId}/operations': {
    get: {
      operationId: 'listStablecoinOperations',
      'x-graphql': ['Stablecoin.operations'],
      summary: 'List the mints and burns of a stablecoin',
      tags,
      requestParams: { path: pathId('stablecoinId', 'Stablecoin'), query: pageQuery },
      responses: { 200: answer('A page of operations.', operationPageSchema), ...failures(404) },
    },
  },
  '/stablecoins/{stablecoinId}/mint-quotes': {
    post: {
      operationId: 'createMintQuote',
      'x-graphql': ['Mutation.createMintQuote'],
      summary: 'Quote a mint',
      description:
        'From an account in US dollars to a Spark wallet of the same owner. The quote is valid for 5 minutes.',
      tags,
      requestParams: { path: pathId('stablecoinId', 'Stablecoin'), header },
      requestBody: body(mintRequest.omit({ id: true }).meta({ id: 'MintQuoteRequest', description: 'The mint.' }), {
        amount: '10.50',
        source: { accountId: ADA.dollars },
        destination: { accountId: WALLET },
      }),
      responses: { 201: answer('The quote.', stablecoinQuoteSchema), ...failures(404, 409, 501) },
    },
  },
  '/stablecoins/{stablecoinId}/burn-quotes': {
    post: {
      operationId: 'createBurnQuote',
      'x-graphql': ['Mutation.createBurnQuote'],
      summary: 'Quote a burn',
      description:
        'From a Spark wallet to an account in US dollars of the same owner. The quote is valid for 5 minutes.',
      tags,
      requestParams: { path: pathId('stablecoinId', 'Stablecoin'), header },
      requestBody: body(burnRequest.omit({ id: true }).meta({ id: 'BurnQuoteRequest', description: 'The burn.' }), {
        amount: '10.50',
        source: { accountId: WALLET },
        destination: { accountId: ADA.dollars },
      }),
      responses: { 201: answer('The quote.', stablecoinQuoteSchema), ...failures(404, 409, 501) },
    },
  },
  '/stablecoin-quotes/{quoteId}/execute': {
    post: {
      operationId: 'executeStablecoinQuote',
      'x-graphql': ['Mutation.executeStablecoinQuote'],
      summary: 'Execute the quote of a mint or a burn',
      description:
        'A mint debits the dollars at once, and refunds them if it fails. A burn pays them when it is completed. 409 with the reason `QUOTE_ALREADY_EXECUTED` or `QUOTE_EXPIRED`.',
      tags,
      requestParams: { path: pathId('quoteId', 'StablecoinQuote'), header },
      responses: { 201: answer('The operation.', operationSchema), ...failures(404, 409, 501) },
    },
  },
  '/stablecoin-operations/{stablecoinOperationId}': {
    get: {
      operationId: 'getStablecoinOperation',
      'x-graphql': ['Query.node ... on StablecoinOperation'],
      summary: 'Get a mint or a burn',
      tags,
      requestParams: { path: pathId('stablecoinOperationId', 'StablecoinOperation') },
      responses: { 200: answer('The operation.', operationSchema), ...failures(404) },
    },
  },
}
