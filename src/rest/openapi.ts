// Builds the OpenAPI 3.1 contract. `npm run generate` writes it to `openapi.json`, which the gateway serves.
import type { z } from 'zod'
import { createDocument } from 'zod-openapi'
import { API_VERSION } from '#core/api-version.ts'
import { writeAmounts } from '#core/input.ts'
import type { Operations, Schemas, Webhooks } from './operation.ts'

interface Written {
  readonly zodSchema: z.core.$ZodTypes
  readonly jsonSchema: z.core.JSONSchema.BaseSchema
}

/** Fields may be added without a new version, because clients ignore unknown ones. */
const openToMore = ({ jsonSchema }: Written) => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

/**
 * zod-openapi adds `additionalProperties: false` beside a `$ref` that has its own description; overrides do not see it, so strip it
 * here.
 */
const openReferences = <D>(document: D): D =>
  JSON.parse(
    JSON.stringify(document, (_name, part) => {
      if (part?.$ref !== undefined) delete part.additionalProperties
      return part
    }),
  )

/** The format makes zod's pattern redundant. */
const writeTimes = ({ jsonSchema }: Written) => {
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
}

/** Text that is trimmed before it is measured may be longer when it is sent. */
const writeTrimmed = ({ zodSchema, jsonSchema }: Written) => {
  if (!zodSchema._zod.def.checks?.some(({ _zod }) => _zod.def.check === 'overwrite')) return
  delete jsonSchema.maxLength
  delete jsonSchema.pattern
}

const VISIBLE = String.raw`[\p{L}\p{N}\p{P}\p{S}]`
const CONTROL = String.raw`\x00-\x1f\x7f-\x9f`

/** Parts of patterns with Unicode classes or look-ahead, and what every client's language reads in their place. It never refuses more. */
const PORTABLE = [
  [`(?=.*${VISIBLE})`, ''],
  [VISIBLE, String.raw`\S`],
  [String.raw`\p{Cc}\u2028-\u202e\u2066-\u2069`, CONTROL],
  [String.raw`\u0000-\u001f\u007f-\u009f`, CONTROL],
] as const

const writePatterns = ({ jsonSchema }: Written) => {
  for (const [strict, loose] of PORTABLE) {
    if (jsonSchema.pattern) jsonSchema.pattern = jsonSchema.pattern.replace(strict, () => loose)
  }
}

/** Generators of clients that know OpenAPI 3.0 read no `const`, and then find no discriminator. */
const writeConstants = ({ jsonSchema }: Written) => {
  if (typeof jsonSchema.const !== 'string') return
  jsonSchema.enum = [jsonSchema.const]
  delete jsonSchema.const
}

const MAX_INT32 = 2 ** 31 - 1

/** Without a format, many generated clients hold 32 bits of an integer and single precision of any other number. */
const writeFormats = ({ jsonSchema }: Written) => {
  const { type, format, maximum = MAX_INT32 + 1 } = jsonSchema
  if (format !== undefined) return
  if (type === 'number') jsonSchema.format = 'double'
  if (type === 'integer' && maximum > MAX_INT32) jsonSchema.format = 'int64'
}

/** `webhooks` are the requests that platforms receive, with references to `schemas`. `tagTexts` describes further tags by their names. */
export const createContract = (
  operations: Operations,
  webhooks: Webhooks,
  schemas: Schemas,
  tagTexts: Readonly<Record<string, string>>,
) =>
  openReferences(
    createDocument(
      {
        openapi: '3.1.0',
        info: {
          title: 'Paygraph',
          version: API_VERSION,
          description:
            'Transactions, quotes, transfers, wallet credentials, and agents whose actions people approve. Ids have the form `<Kind>:<uuid>`. Amounts are integers in the smallest unit of their currency. Times are ISO 8601; responses use UTC with milliseconds, requests may use any offset. Unknown fields are ignored. An unknown path gets 404, a wrong method 405 with `Allow`. The same domain is available as GraphQL at `/graphql`.',
        },
        servers: [
          { url: `/${API_VERSION}`, description: 'Sandbox and production. The credentials select the environment.' },
        ],
        security: [{ platform: [] }],
        tags: [
          { name: 'Transactions', description: 'Incoming and outgoing payments, and card transactions.' },
          { name: 'Quotes', description: 'Prices that are locked for a few minutes, and payments at those prices.' },
          { name: 'Transfers', description: 'Payments in one currency between internal and external accounts.' },
          { name: 'UMA', description: 'Institutions whose customers receive payments at UMA addresses.' },
          { name: 'Credentials', description: 'Credentials that open sessions of a wallet.' },
          { name: 'Sessions', description: 'An active session holds a key that signs for the wallet.' },
          { name: 'Wallets', description: 'Operations that only the wallet’s owner can authorize.' },
          { name: 'Customers', description: 'The people and businesses that a platform acts for.' },
          {
            name: 'Contact verification',
            description: 'One-time codes that verify email addresses and phone numbers.',
          },
          {
            name: 'Strong Customer Authentication',
            description: 'Factors, logins and trusted accounts of customers in SCA regions, such as the EEA.',
          },
          { name: 'Verification', description: 'Checks of who customers are, and of who owns businesses.' },
          { name: 'Documents', description: 'Files that prove facts about customers and owners.' },
          {
            name: 'Accounts',
            description: 'Accounts of customers and of the platform, inside and outside the service.',
          },
          { name: 'Cards', description: 'Debit cards that customers use to pay merchants.' },
          { name: 'Delegated keys', description: 'Keys with which a card pulls money from a wallet.' },
          { name: 'Agents', description: 'Software that acts for a customer, under a policy.' },
          { name: 'Device codes', description: 'Codes that agents redeem for an access token.' },
          { name: 'Approvals', description: 'Agent actions that wait for a person’s decision.' },
          { name: 'Webhooks', description: 'Events, and their delivery to the endpoint of the platform.' },
          { name: 'Platform', description: 'The settings of the platform.' },
          { name: 'API tokens', description: 'Credentials of the platform, with their permissions.' },
          { name: 'Corridors', description: 'Exchange rates, fees, and the banks and rails that reach a country.' },
          { name: 'Invitations', description: 'Invitations that customers send to people on other platforms.' },
          { name: 'Stablecoins', description: 'Stablecoins of the platform, and quotes that mint and burn them.' },
          { name: 'Calls by agents', description: 'Operations that agents call with their own access tokens.' },
          ...Object.entries(tagTexts).map(([name, description]) => ({ name, description })),
        ],
        components: {
          schemas,
          securitySchemes: {
            platform: {
              type: 'http',
              scheme: 'basic',
              description: 'For platforms: the client id and secret of an API token.',
            },
            AgentAuth: {
              type: 'http',
              scheme: 'bearer',
              description: 'For agents: the access token from redeeming a device code.',
            },
          },
        },
        paths: operations,
        webhooks,
      },
      {
        override: (written) => {
          for (const write of [
            writeAmounts,
            openToMore,
            writeTimes,
            writeTrimmed,
            writePatterns,
            writeConstants,
            writeFormats,
          ])
            write(written as Written)
        },
      },
    ),
  )
