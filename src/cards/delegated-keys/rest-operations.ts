// `/auth/delegated-keys`.
import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { toBeSigned } from '#credentials/rest-operations.ts'
import { ADA } from '#rest/examples.ts'
import {
  answer,
  body,
  conditionQuery,
  emptyAnswer,
  failures,
  type Operations,
  pathId,
  retryHeaders,
} from '#rest/operation.ts'
import { listSchema, timeSchema } from '#rest/schema.ts'
import { delegatedKeyRequest } from './create.ts'
import { DELEGATED_KEY_STATUSES, DelegatedKeyFilterInput, DelegatedKeyRecord } from './delegated-key.ts'
import { spendingLimit } from './spending-limit.ts'

const { texts } = DelegatedKeyRecord
const tags = ['Delegated keys']

export const delegatedKeySchema = z
  .object({
    id: idOf('DelegatedKey').describe(texts.id),
    cardId: idOf('Card').describe(texts.cardId),
    fundingSourceId: idOf('CardFundingSource').describe(texts.fundingSourceId),
    accountId: idOf('InternalAccount').describe(texts.accountId),
    publicKey: z.string().describe(texts.publicKey),
    nickname: z.string().describe(texts.nickname),
    status: z.enum(DELEGATED_KEY_STATUSES).describe(texts.status),
    spendingLimits: z.array(spendingLimit).optional().describe(texts.spendingLimits),
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'DelegatedKey', description: 'A key that lets a card pull money from a wallet.' })

export const delegatedKeyOperations: Operations = {
  '/auth/delegated-keys': {
    post: {
      operationId: 'createDelegatedKey',
      'x-graphql': ['Mutation.createDelegatedKey'],
      summary: 'Create a delegated key',
      description:
        'Takes three calls with the same body: the wallet signs the key, then its policy. The second call answers 202 with a new `requestId`.',
      tags,
      requestParams: { header: retryHeaders },
      requestBody: body(delegatedKeyRequest.meta({ id: 'DelegatedKeyRequest', description: 'The new key.' }), {
        cardId: 'Card:00000000-0000-7000-8000-000000000000',
        internalAccountId: ADA.wallet,
        nickname: 'Travel card',
        spendingLimits: [{ currencyCode: 'USDB', maxPerTransaction: 50_000_000 }],
      }),
      responses: {
        201: answer('The key, which is active.', delegatedKeySchema),
        202: toBeSigned,
        ...failures(404, 409),
      },
    },
    get: {
      operationId: 'listDelegatedKeys',
      'x-graphql': ['Query.delegatedKeys'],
      summary: 'List the delegated keys of a wallet or of a funding source',
      description: 'At least one of the parameters is required.',
      tags,
      requestParams: { query: conditionQuery(DelegatedKeyFilterInput, ['accountId', 'fundingSourceId']) },
      responses: {
        200: answer('The keys, newest first.', listSchema('DelegatedKeyList', delegatedKeySchema)),
        ...failures(),
      },
    },
  },
  '/auth/delegated-keys/{id}': {
    get: {
      operationId: 'getDelegatedKey',
      'x-graphql': ['Query.node ... on DelegatedKey'],
      summary: 'Get a delegated key',
      tags,
      requestParams: { path: pathId('id', 'DelegatedKey') },
      responses: { 200: answer('The key.', delegatedKeySchema), ...failures(404) },
    },
    delete: {
      operationId: 'revokeDelegatedKey',
      'x-graphql': ['Mutation.revokeDelegatedKey'],
      summary: 'Revoke a delegated key',
      description: 'Needs no signature.',
      tags,
      requestParams: { path: pathId('id', 'DelegatedKey') },
      responses: { 204: emptyAnswer('The key is revoked.'), ...failures(404) },
    },
  },
}
