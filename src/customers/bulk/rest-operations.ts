// `/customers/bulk` in the REST contract.

import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { answer, failures, type Operations } from '#rest/operation.ts'
import { BulkJobRecord } from './job.ts'
import { acceptedImportSchema, bulkJobSchema, importFormSchema } from './rest-schema.ts'

const tags = ['Customers']

export const bulkOperations: Operations = {
  '/customers/bulk/csv': {
    post: {
      operationId: 'importCustomers',
      'x-graphql': ['Mutation.importCustomers'],
      summary: 'Import customers from a CSV file',
      description:
        'The rows are imported in the background, each as `POST /customers` would create it. A file that cannot be read to its end imports nothing. Sending a file again creates no customer twice, because its `platformCustomerId` and `umaAddress` are taken.',
      tags,
      requestBody: {
        description: String(importFormSchema.description),
        required: true,
        content: { 'multipart/form-data': { schema: importFormSchema } },
      },
      responses: { 202: answer('The import that was started.', acceptedImportSchema), ...failures() },
    },
  },
  '/customers/bulk/jobs/{jobId}': {
    get: {
      operationId: 'getBulkJob',
      'x-graphql': ['Query.node ... on BulkJob'],
      summary: 'Get a customer import',
      description: '404 `BULK_UPLOAD_JOB_NOT_FOUND`.',
      tags,
      requestParams: { path: z.object({ jobId: idOf('BulkJob').describe(BulkJobRecord.texts.id) }) },
      responses: { 200: answer('The import.', bulkJobSchema), ...failures(404) },
    },
  },
}
