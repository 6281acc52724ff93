// `/documents` in the REST contract.
import type { z } from 'zod'
import { answer, emptyAnswer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { DOCUMENT_PARAMETERS, DocumentFilterInput } from './list.ts'
import { documentForm, documentPageSchema, documentSchema, replacementForm } from './rest-schema.ts'

const tags = ['Documents']

const form = (schema: z.ZodType) => ({
  description: String(schema.description),
  required: true,
  content: { 'multipart/form-data': { schema } },
})

const UNDER_REVIEW = '409 `CONFLICT` with the reason `UNDER_REVIEW` while the customer is under review.'

export const documentOperations: Operations = {
  '/documents': {
    post: {
      operationId: 'createDocument',
      'x-graphql': ['Mutation.createDocument'],
      summary: 'Upload a document',
      description:
        'The file is stored encrypted, and is never returned. 400 `UNSUITABLE_DOCUMENT` unless its bytes are a PDF, JPEG or PNG, 400 `INCOMPLETE` if its end is missing; 413 if it is too large. A platform can send ten uploads at once. Further ones wait up to a minute.',
      tags,
      requestBody: form(documentForm),
      responses: { 201: answer('The new document.', documentSchema), ...failures(404, 410) },
    },
    get: {
      operationId: 'listDocuments',
      'x-graphql': ['Query.documents'],
      summary: 'List documents',
      tags,
      requestParams: { query: filterQuery(DocumentFilterInput, DOCUMENT_PARAMETERS) },
      responses: { 200: answer('A page of documents.', documentPageSchema), ...failures() },
    },
  },
  '/documents/{documentId}': {
    get: {
      operationId: 'getDocument',
      'x-graphql': ['Query.node ... on Document'],
      summary: 'Get a document',
      tags,
      requestParams: { path: pathId('documentId', 'Document') },
      responses: { 200: answer('The document.', documentSchema), ...failures(404) },
    },
    put: {
      operationId: 'replaceDocument',
      'x-graphql': ['Mutation.replaceDocument'],
      summary: 'Replace a document',
      description: `Replaces the file and every field but the holder. ${UNDER_REVIEW}`,
      tags,
      requestParams: { path: pathId('documentId', 'Document') },
      requestBody: form(replacementForm),
      responses: { 200: answer('The document.', documentSchema), ...failures(404, 409, 410) },
    },
    delete: {
      operationId: 'deleteDocument',
      'x-graphql': ['Mutation.deleteDocument'],
      summary: 'Delete a document',
      description: `Also deletes the file. ${UNDER_REVIEW}`,
      tags,
      requestParams: { path: pathId('documentId', 'Document') },
      responses: { 204: emptyAnswer('Deleted.'), ...failures(404, 409, 410) },
    },
  },
}
