// `/customers/external-accounts/{externalAccountId}/trust` and `/untrust`.
import { z } from 'zod'
import { answer, body, failures, type Operations, pathId } from '#rest/operation.ts'
import { scaChallengeSchema } from '#sca/challenge/rest-schema.ts'
import { TRUST_TEXTS, trustConfirmation, trustRequest } from './trust.ts'

const tags = ['Strong Customer Authentication']

const started = z
  .object({ scaChallenge: scaChallengeSchema.optional().describe(TRUST_TEXTS.scaChallenge) })
  .meta({ id: 'TrustChallenge', description: 'The challenge of a change of trust.' })

const confirmed = z
  .object({ trusted: z.boolean().describe(TRUST_TEXTS.trusted) })
  .meta({ id: 'Trust', description: 'Trust in an external account.' })

const request = body(trustRequest.meta({ id: 'TrustRequest', description: 'Optional.' }), {}, false)
const confirmation = body(
  trustConfirmation.meta({ id: 'TrustConfirmationRequest', description: 'The proof that the challenge asks for.' }),
  { code: '123456' },
)

const pairOf = (path: string, operation: string, effect: string): Operations => ({
  [`/customers/external-accounts/{externalAccountId}/${path}`]: {
    post: {
      operationId: `${path}ExternalAccount`,
      'x-graphql': [`Mutation.${path}ExternalAccount`],
      summary: `Ask the customer to ${effect} an external account`,
      description: 'Only in SCA regions. Payments to a trusted account raise no challenge.',
      tags,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      requestBody: request,
      responses: { 200: answer('The challenge, if one is needed.', started), ...failures(404, 409, 410, 423) },
    },
  },
  [`/customers/external-accounts/{externalAccountId}/${path}/confirm`]: {
    post: {
      operationId: `confirmExternalAccount${operation}`,
      'x-graphql': [`Mutation.confirmExternalAccount${operation}`],
      summary: `Pass the challenge to ${effect} an external account`,
      tags,
      requestParams: { path: pathId('externalAccountId', 'ExternalAccount') },
      requestBody: confirmation,
      responses: {
        200: answer('Whether the customer trusts the account after the change.', confirmed),
        ...failures(404, 409, 410, 423),
      },
    },
  },
})

export const trustOperations: Operations = {
  ...pairOf('trust', 'Trust', 'trust'),
  ...pairOf('untrust', 'Untrust', 'stop trusting'),
}
