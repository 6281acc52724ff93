// `/invitations` in the REST contract.
import { z } from 'zod'
import { answer, body, failures, type Operations } from '#rest/operation.ts'
import { newInvitation } from './create.ts'
import { invitationClaim } from './decide.ts'
import { InvitationRecord } from './invitation.ts'
import { invitationSchema } from './rest-schema.ts'

const tags = ['Invitations']
const pathCode = z.object({ invitationCode: z.string().describe(InvitationRecord.texts.code) })

export const invitationOperations: Operations = {
  '/invitations': {
    post: {
      operationId: 'createInvitation',
      'x-graphql': ['Mutation.createInvitation'],
      summary: 'Create an invitation',
      description:
        'One of your customers invites someone on another platform. 400 `INVITATIONS_NOT_CONFIGURED` without a `umaDomain`.',
      tags,
      requestBody: body(newInvitation.meta({ id: 'InvitationRequest', description: 'The invitation.' }), {
        inviterUma: '$ada@acme.example',
        firstName: 'Ada',
        amountToSend: 2_500,
      }),
      responses: { 201: answer('The invitation.', invitationSchema), ...failures(404) },
    },
  },
  '/invitations/{invitationCode}': {
    get: {
      operationId: 'getInvitation',
      'x-graphql': ['Query.invitation'],
      summary: 'Get an invitation',
      description: 'Any platform may read an invitation by its code. 429 after too many unknown codes.',
      tags,
      requestParams: { path: pathCode },
      responses: { 200: answer('The invitation.', invitationSchema), ...failures(404) },
    },
  },
  '/invitations/{invitationCode}/claim': {
    post: {
      operationId: 'claimInvitation',
      'x-graphql': ['Mutation.claimInvitation'],
      summary: 'Claim an invitation',
      description:
        'Claims it for one of your customers. The inviting platform receives the event `INVITATION.CLAIMED`.',
      tags,
      requestParams: { path: pathCode },
      requestBody: body(invitationClaim.meta({ id: 'InvitationClaim', description: 'Who claims it.' }), {
        inviteeUma: '$grace@acme.example',
      }),
      responses: { 200: answer('The invitation.', invitationSchema), ...failures(404) },
    },
  },
  '/invitations/{invitationCode}/cancel': {
    post: {
      operationId: 'cancelInvitation',
      'x-graphql': ['Mutation.cancelInvitation'],
      summary: 'Cancel an invitation',
      description: '403 for an invitation of another platform.',
      tags,
      requestParams: { path: pathCode },
      responses: { 200: answer('The invitation.', invitationSchema), ...failures(404) },
    },
  },
}
