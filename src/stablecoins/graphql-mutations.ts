// Mutations of stablecoins. Each needs an idempotency key.
import type { Caller } from '#core/caller.ts'
import { selectWritten } from '#database/record.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { addMutation, type Success, withoutNulls } from '#graphql/mutation.ts'
import { IDEMPOTENCY_KEY_DESCRIPTION, makeOnce } from '#idempotency/graphql.ts'
import { executeStablecoinQuote, stablecoinExecution } from './execute.ts'
import { ProviderAccountNode, StablecoinNode, StablecoinOperationNode, StablecoinQuoteNode } from './graphql.ts'
import { StablecoinOperationRecord } from './operation.ts'
import { linkProviderAccount, newProviderAccount, ProviderAccountRecord } from './provider-account.ts'
import {
  burnRequest,
  createStablecoinQuote,
  mintRequest,
  type StablecoinQuote,
  writtenStablecoinQuote,
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
    const written = (by: Caller, id: string) => selectWritten(by, ProviderAccountRecord, id)
    return {
      link: await makeOnce(caller, call, (record) => linkProviderAccount(caller, input, record), written),
    }
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
    const written = (by: Caller, id: string) => selectWritten(by, StablecoinRecord, id)
    return {
      coin: await makeOnce(caller, call, (record) => registerStablecoin(caller, input, record), written),
    }
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

const mintInput = mintRequest
  .omit({ source: true, destination: true })
  .extend({
    internalAccountId: mintRequest.shape.source.shape.accountId.describe(
      '`InternalAccount:<uuid>` that pays, in US dollars.',
    ),
  })
  .extend({
    externalAccountId: mintRequest.shape.destination.shape.accountId.describe(
      '`ExternalAccount:<uuid>` of the Spark wallet that receives the tokens.',
    ),
  })
const burnInput = burnRequest
  .omit({ source: true, destination: true })
  .extend({
    externalAccountId: burnRequest.shape.source.shape.accountId.describe(
      '`ExternalAccount:<uuid>` of the Spark wallet that provides the tokens.',
    ),
  })
  .extend({
    internalAccountId: burnRequest.shape.destination.shape.accountId.describe(
      '`InternalAccount:<uuid>` that is paid, in US dollars.',
    ),
  })

addMutation('createMintQuote', {
  description: `Creates a quote to issue tokens. Errors: ${QUOTE_ERRORS}. REST: \`POST /stablecoins/{id}/mint-quotes\`.`,
  input: schemaInput(mintInput, (t) => ({
    idempotencyKey: t.string({ required: true, description: IDEMPOTENCY_KEY_DESCRIPTION }),
  })),
  statuses: STATUSES,
  placeOf: (_input, field) =>
    `input.${field.replace(/^source\.accountId$/, 'internalAccountId').replace(/^destination\.accountId$/, 'externalAccountId')}`,
  resolve: async ({ idempotencyKey: key, id, amount, internalAccountId, externalAccountId }, { caller }) => {
    const input = {
      id,
      amount,
      source: { accountId: internalAccountId },
      destination: { accountId: externalAccountId },
    }
    const call = { operation: 'createMintQuote', key, input, schema: mintRequest } as const
    const quote = await makeOnce(
      caller,
      call,
      (record) => createStablecoinQuote(caller, id, 'MINT', input, record),
      writtenStablecoinQuote,
    )
    return { quote }
  },
  success: quoteSuccess,
})

addMutation('createBurnQuote', {
  description: `Creates a quote to redeem tokens. Errors: ${QUOTE_ERRORS}. REST: \`POST /stablecoins/{id}/burn-quotes\`.`,
  input: schemaInput(burnInput, (t) => ({
    idempotencyKey: t.string({ required: true, description: IDEMPOTENCY_KEY_DESCRIPTION }),
  })),
  statuses: STATUSES,
  placeOf: (_input, field) =>
    `input.${field.replace(/^source\.accountId$/, 'externalAccountId').replace(/^destination\.accountId$/, 'internalAccountId')}`,
  resolve: async ({ idempotencyKey: key, id, amount, internalAccountId, externalAccountId }, { caller }) => {
    const input = {
      id,
      amount,
      source: { accountId: externalAccountId },
      destination: { accountId: internalAccountId },
    }
    const call = { operation: 'createBurnQuote', key, input, schema: burnRequest } as const
    const quote = await makeOnce(
      caller,
      call,
      (record) => createStablecoinQuote(caller, id, 'BURN', input, record),
      writtenStablecoinQuote,
    )
    return { quote }
  },
  success: quoteSuccess,
})

addMutation('executeStablecoinQuote', {
  description: `Executes the quote of a mint or a burn. Errors: \`QUOTE_NOT_FOUND\`, \`CONFLICT\` with the reason \`QUOTE_ALREADY_EXECUTED\` or \`QUOTE_EXPIRED\`, \`INVALID_AMOUNT\` if the balance is short for a mint, \`AMOUNT_OUT_OF_RANGE\` if the account cannot hold the dollars of a burn, \`USER_NOT_READY\`, ${LINK_ERRORS}. REST: \`POST /stablecoin-quotes/{id}/execute\`.`,
  input: schemaInput(stablecoinExecution, (t) => ({
    idempotencyKey: t.string({ required: true, description: IDEMPOTENCY_KEY_DESCRIPTION }),
  })),
  statuses: STATUSES,
  resolve: async ({ idempotencyKey: key, id }, { caller }) => {
    const call = { operation: 'executeStablecoinQuote', key, input: { id }, schema: stablecoinExecution } as const
    const written = (by: Caller, made: string) => selectWritten(by, StablecoinOperationRecord, made)
    return {
      operation: await makeOnce(caller, call, (record) => executeStablecoinQuote(caller, id, record), written),
    }
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
