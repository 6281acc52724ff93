// Owners, verifications and links over both faces. Answers have the shape of REST in either case.
import { randomUUID } from 'node:crypto'
import { app } from '#app.ts'
import { ask, basic, type RestAnswer, rest } from '#test/setup/faces.ts'
import type { Platform } from '#test/setup/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
export type Json = any
export type Reply = Pick<RestAnswer<Json>, 'status' | 'body'>

interface Face {
  readonly name: string
  createOwner(platform: Platform, input: object): Promise<Reply>
  updateOwner(platform: Platform, id: string, input: object): Promise<Reply>
  submit(platform: Platform, customerId: string): Promise<Reply>
  createLink(platform: Platform, customerId: string, input?: object, key?: string): Promise<Reply>
  deleteDocument(platform: Platform, id: string): Promise<Reply>
}

const send = (platform: Platform, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  rest<Json>(platform, path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
  })

const FAILURE = '... on ApiError { status code message details { field reason } }'
const OWNER =
  'beneficialOwner { id customerId roles ownershipPercentage personalInfo { firstName lastName idType } kycStatus }'
const VERIFICATION =
  'verification { id customerId verificationStatus: verificationState errors { resourceId type field acceptedDocumentTypes reason } }'

const mutate = async (
  platform: Platform,
  name: string,
  input: object,
  selection: string,
  status: number,
): Promise<Reply> => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const query = `mutation ($input: ${type}Input!) { answer: ${name}(input: $input) { ... on ${type}Success { ${selection} } ${FAILURE} } }`
  const answer = await ask<Json, Json>(platform, query, { input })
  if (answer.errors) {
    const { status, code, details } = answer.errors[0]?.extensions ?? { status: 0, code: '', details: {} }
    return { status, body: { code, details } }
  }
  const { answer: body } = answer.data
  return body.code ? { status: body.status, body } : { status, body: Object.values(body)[0] }
}

export const verificationFaces: readonly Face[] = [
  {
    name: 'REST',
    createOwner: (platform, input) => send(platform, 'POST', '/beneficial-owners', input),
    updateOwner: (platform, id, input) => send(platform, 'PATCH', `/beneficial-owners/${id}`, input),
    submit: (platform, customerId) => send(platform, 'POST', '/verifications', { customerId }),
    createLink: (platform, id, input = {}, key = randomUUID()) =>
      send(platform, 'POST', `/customers/${id}/kyc-link`, input, { 'idempotency-key': key }),
    deleteDocument: async (platform, id) => {
      const response = await app.fetch(
        new Request(`http://test/2025-10-13/documents/${id}`, {
          method: 'DELETE',
          headers: { authorization: basic(platform) },
        }),
      )
      const text = await response.text()
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
    },
  },
  {
    name: 'GraphQL',
    createOwner: (platform, input) => mutate(platform, 'createBeneficialOwner', input, OWNER, 201),
    updateOwner: (platform, id, input) => mutate(platform, 'updateBeneficialOwner', { id, ...input }, OWNER, 200),
    submit: (platform, customerId) => mutate(platform, 'submitVerification', { customerId }, VERIFICATION, 200),
    createLink: (platform, customerId, input = {}, idempotencyKey = randomUUID()) =>
      mutate(
        platform,
        'createKycLink',
        { customerId, idempotencyKey, ...input },
        'kycLink { kycUrl expiresAt provider token }',
        201,
      ),
    deleteDocument: (platform, id) => mutate(platform, 'deleteDocument', { id }, 'deletedDocumentId', 204),
  },
]
