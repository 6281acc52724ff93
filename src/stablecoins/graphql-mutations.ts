// Mutations of stablecoins. Each needs an idempotency key.
import { schemaInput } from '#graphql/input-of.ts'
import { addMutation, type Success, withoutNulls } from '#graphql/mutation.ts'
import { IDEMPOTENCY_KEY_DESCRIPTION, makeOnce } from '#idempotency/graphql.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { executeStablecoinQuote, stablecoinExecution } from './execute.ts'
import { ProviderAccountNode, StablecoinNode, StablecoinOperationNode, StablecoinQuoteNode } from './graphql.ts'
import { StablecoinOperationRecord } from './operation.ts'
import { linkProviderAccount, newProviderAccount, ProviderAccountRecord } from './provider-account.ts'
import {
  burnRequest,
  createStablecoinQuote,
  mintRequest,
  type OperationType,
  type StablecoinQuote,
  StablecoinQuoteRecord,
} from './quote.ts'
import { newStablecoin, registerStablecoin, StablecoinRecord } from './stablecoin.ts'

const STATUSES = [400, 403, 404, 409] as const
const LINK_ERRORS =
  '`STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND`, `STABLECOIN_PROVIDER_ACCOUNT_INVALID`, `STABLECOIN_PROVIDER_ACCOUNT_REVOKED`'

addMutation('createStablecoinProviderAccount', {
  description:
    'Links an account at a stablecoin provider. Errors: `CONFLICT` with the reason `ACCOUNT_EXISTS`. REST: `POST /stablecoin-provider-accounts`.',
  input: schemaInput(newProviderAccount, (t) => ({
    idempotencyKey: t.string({ required: true, description: IDEMPOTENCY_KEY_DESCRIPTION }),
  })),
  statuses: [400, 403, 409],
  resolve: async ({ idempotencyKey: key, ...given }, { caller }) => {
    const input = withoutNulls(given)
    const call = { operation: 'createStablecoinProviderAccount', key, input, schema: newProviderAccount } as const
    const link = (record: RecordResult) => linkProviderAccount(caller, input, record)
    return { link: await makeOnce(caller, call, ProviderAccountRecord, link) }
  },
  success: {
    description: 'The account is linked. REST: 201.',
    fields: (t) => ({
      stablecoinProviderAccount: t.expose('link', {
        type: ProviderAccountNode,
        nullable: false,
        description: 'The new link. It is `INVALID` if the provider does not accept the credentials.',
      }),
    }),
  },
})

addMutation('registerStablecoin', {
  description: `Registers a token that a provider account issues. Errors: ${LINK_ERRORS}, \`STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED\`, and \`CONFLICT\` with the reason \`STABLECOIN_EXISTS\`. REST: \`POST /stablecoins\`.`,
  input: schemaInput(newStablecoin, (t) => ({
    idempotencyKey: t.string({ required: true, description: IDEMPOTENCY_KEY_DESCRIPTION }),
  })),
  statuses: STATUSES,
  resolve: async ({ idempotencyKey: key, ...given }, { caller }) => {
    const input = withoutNulls(given)
    const call = { operation: 'registerStablecoin', key, input, schema: newStablecoin } as const
    const register = (record: RecordResult) => registerStablecoin(caller, input, record)
    return { coin: await makeOnce(caller, call, StablecoinRecord, register) }
  },
  success: {
    description: 'The stablecoin is registered. REST: 201.',
    fields: (t) => ({
      stablecoin: t.expose('coin', { type: StablecoinNode, nullable: false, description: 'The stablecoin.' }),
    }),
  },
})

interface Quoted {
  readonly quote: StablecoinQuote
}

const quoteSuccess: Success<Quoted> = {
  description: 'The quote is created. REST: 201.',
  fields: (t) => ({
    stablecoinQuote: t.expose('quote', { type: StablecoinQuoteNode, nullable: false, description: 'The quote.' }),
  }),
}

const QUOTE_ERRORS = `\`INVALID_CURRENCY\`, \`AMOUNT_OUT_OF_RANGE\`, \`USER_NOT_READY\`, \`REFERENCE_NOT_FOUND\`, ${LINK_ERRORS}`

const mintInput = mintRequest.omit({ source: true, destination: true }).extend({
  internalAccountId: mintRequest.shape.source.shape.accountId.describe(
    '`InternalAccount:<uuid>` that pays, in US dollars.',
  ),
  externalAccountId: mintRequest.shape.destination.shape.accountId.describe(
    '`ExternalAccount:<uuid>` of the Spark wallet that receives the tokens.',
  ),
})
const burnInput = burnRequest.omit({ source: true, destination: true }).extend({
  externalAccountId: burnRequest.shape.source.shape.accountId.describe(
    '`ExternalAccount:<uuid>` of the Spark wallet that provides the tokens.',
  ),
  internalAccountId: burnRequest.shape.destination.shape.accountId.describe(
    '`InternalAccount:<uuid>` that is paid, in US dollars.',
  ),
})

/** `source` and `destination` are the fields of the input that the request has at these places. */
const addQuoteMutation = (
  name: 'createMintQuote' | 'createBurnQuote',
  type: OperationType,
  what: string,
  fields: typeof mintInput | typeof burnInput,
  request: typeof mintRequest | typeof burnRequest,
  [source, destination]: readonly [
    'internalAccountId' | 'externalAccountId',
    'internalAccountId' | 'externalAccountId',
  ],
) =>
  addMutation(name, {
    description: `Creates a quote to ${what} tokens. Errors: ${QUOTE_ERRORS}. REST: \`POST /stablecoins/{stablecoinId}/${type.toLowerCase()}-quotes\`.`,
    input: schemaInput(fields, (t) => ({
      idempotencyKey: t.string({ required: true, description: IDEMPOTENCY_KEY_DESCRIPTION }),
    })),
    statuses: STATUSES,
    placeOf: (_input, field) =>
      `input.${field.replace(/^source\.accountId$/, source).replace(/^destination\.accountId$/, destination)}`,
    resolve: async ({ idempotencyKey: key, id, amount, ...accounts }, { caller }) => {
      const input = {
        id,
        amount,
        source: { accountId: accounts[source] },
        destination: { accountId: accounts[destination] },
      }
      const call = { operation: name, key, input, schema: request } as const
      const create = (record: RecordResult) => createStablecoinQuote(caller, id, type, input, record)
      return { quote: await makeOnce(caller, call, StablecoinQuoteRecord, create) }
    },
    success: quoteSuccess,
  })

addQuoteMutation('createMintQuote', 'MINT', 'issue', mintInput, mintRequest, ['internalAccountId', 'externalAccountId'])
addQuoteMutation('createBurnQuote', 'BURN', 'redeem', burnInput, burnRequest, [
  'externalAccountId',
  'internalAccountId',
])

addMutation('executeStablecoinQuote', {
  description: `Executes the quote of a mint or a burn. Errors: \`QUOTE_NOT_FOUND\`, \`CONFLICT\` with the reason \`QUOTE_ALREADY_EXECUTED\` or \`QUOTE_EXPIRED\`, \`INVALID_AMOUNT\` if the balance is short for a mint, \`AMOUNT_OUT_OF_RANGE\` if the account cannot hold the dollars of a burn, \`USER_NOT_READY\`, ${LINK_ERRORS}. REST: \`POST /stablecoin-quotes/{quoteId}/execute\`.`,
  input: schemaInput(stablecoinExecution, (t) => ({
    idempotencyKey: t.string({ required: true, description: IDEMPOTENCY_KEY_DESCRIPTION }),
  })),
  statuses: STATUSES,
  resolve: async ({ idempotencyKey: key, id }, { caller }) => {
    const call = { operation: 'executeStablecoinQuote', key, input: { id }, schema: stablecoinExecution } as const
    const execute = (record: RecordResult) => executeStablecoinQuote(caller, id, record)
    return { operation: await makeOnce(caller, call, StablecoinOperationRecord, execute) }
  },
  success: {
    description: 'The mint or the burn has begun. REST: 201.',
    fields: (t) => ({
      stablecoinOperation: t.expose('operation', {
        type: StablecoinOperationNode,
        nullable: false,
        description: 'The operation.',
      }),
    }),
  },
})
