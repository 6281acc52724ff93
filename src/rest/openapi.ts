// The contract of REST: OpenAPI 3.1, written to `openapi.json` by `npm run generate`. The running gateway only serves that file.
import type { z } from 'zod'
import { createDocument } from 'zod-openapi'
import { API_VERSION } from '#core/api-version.ts'
import { writeAmounts } from '#core/input.ts'
import type { Operations } from './operation.ts'

interface Written {
  readonly zodSchema: z.core.$ZodTypes
  readonly jsonSchema: z.core.JSONSchema.BaseSchema
}

/** Fields may be added without a new version: clients ignore what they do not know. */
const openToMore = ({ jsonSchema }: Written) => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

/** What zod closes although what it names is open: a reference with a text of its own, which no override sees. */
const openReferences = <D>(document: D): D =>
  JSON.parse(
    JSON.stringify(document, (_name, part) => {
      if (part?.$ref !== undefined) delete part.additionalProperties
      return part
    }),
  )

/** The format says it. */
const writeTimes = ({ jsonSchema }: Written) => {
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
}

/** What is trimmed before it is measured may be longer as it is sent. */
const writeTrimmed = ({ zodSchema, jsonSchema }: Written) => {
  if (!zodSchema._zod.def.checks?.some(({ _zod }) => _zod.def.check === 'overwrite')) return
  delete jsonSchema.maxLength
  delete jsonSchema.pattern
}

export const createContract = (operations: Operations) =>
  openReferences(
    createDocument(
      {
        openapi: '3.1.0',
        info: {
          title: 'Paygraph',
          version: API_VERSION,
          description:
            'Transactions, quotes, transfers, credentials of wallets, and agents whose actions people approve. Ids are `<Kind>:<uuid>`; amounts are integers in the smallest unit of their currency; times are ISO 8601, written in UTC with milliseconds and read with any offset. Fields that are not described are ignored. A path that leads nowhere is answered with 404, another method with 405 and `Allow`. The same domain is at `/graphql`.',
        },
        servers: [{ url: `/${API_VERSION}`, description: 'Sandbox and production alike: the credentials decide.' }],
        security: [{ platform: [] }],
        tags: [
          { name: 'Transactions', description: 'Money in, money out, and use of cards.' },
          { name: 'Quotes', description: 'A price that holds for some minutes, and the payment at that price.' },
          { name: 'Transfers', description: 'Payments in one currency, to and from accounts outside.' },
          { name: 'Credentials', description: 'What opens the sessions of a wallet.' },
          { name: 'Sessions', description: 'While one is active, its key signs for the wallet.' },
          { name: 'Wallets', description: 'What only the wallet’s owner may do.' },
          { name: 'Customers', description: 'The people and businesses that a platform acts for.' },
          { name: 'Accounts', description: 'Of customers and of the platform: held here, and outside.' },
          { name: 'Cards', description: 'What customers pay with at merchants.' },
          { name: 'Agents', description: 'Software that acts for a customer, under a policy.' },
          { name: 'Device codes', description: 'How an agent gets its access.' },
          { name: 'Approvals', description: 'What agents want to do, and people decide.' },
          { name: 'Agents themselves', description: 'What agents call, with tokens of their own.' },
        ],
        components: {
          securitySchemes: {
            platform: {
              type: 'http',
              scheme: 'basic',
              description: 'Of platforms: client id and client secret of an API token.',
            },
            agent: { type: 'http', scheme: 'bearer', description: 'Of agents: what redeeming a device code gave.' },
          },
        },
        paths: operations,
      },
      {
        override: (written) => {
          writeAmounts(written as Written)
          openToMore(written as Written)
          writeTimes(written as Written)
          writeTrimmed(written as Written)
        },
      },
    ),
  )
