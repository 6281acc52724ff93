// `/uploads` in the REST contract.
import { z } from 'zod'
import { emptyAnswer, failures, type Operations } from '#rest/operation.ts'

/** It needs no credentials. */
const { 401: _unauthorized, 415: _type, ...publicFailures } = failures(409)

export const uploadOperations: Operations = {
  '/uploads/{token}': {
    put: {
      operationId: 'sendUpload',
      'x-graphql': ['Mutation.createDocumentUpload'],
      summary: 'Send the file of an upload',
      description:
        'The body is the file itself. `createDocumentUpload` of GraphQL returns the address, which needs no credentials. It takes one file, for 15 minutes; after a failure it can be used again. `POST /documents` takes the file itself and needs no address.',
      tags: ['Documents'],
      security: [],
      requestParams: {
        path: z.object({ token: z.string().describe('Identifies the upload, and is its credential.') }),
      },
      requestBody: {
        description: 'The file.',
        required: true,
        content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
      },
      responses: { 204: emptyAnswer('Received.'), ...publicFailures },
    },
  },
}
