import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf, moneyOf } from '#graphql/compiled/field.ts'
import { enumOf } from '#graphql/enums.ts'
import { fieldsInput, schemaInput } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { MoneyType } from '#graphql/money.ts'
import { addMutation, type Success } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { createInvitation, newInvitation } from './create.ts'
import { cancelInvitation, claimInvitation, invitationClaim } from './decide.ts'
import { INVITATION_STATUSES, type Invitation, InvitationRecord, readInvitation } from './invitation.ts'

const { texts } = InvitationRecord

const InvitationStatusEnum = enumOf('InvitationStatus', 'State of an invitation.', INVITATION_STATUSES, {
  PENDING: 'It can be claimed.',
  CLAIMED: 'Someone has claimed it.',
  EXPIRED: 'It was not claimed in time.',
  CANCELLED: 'The inviting platform cancelled it.',
})

export const InvitationNode = builder.objectRef<Invitation>('Invitation').implement({
  description: 'An invitation from a customer to someone on another platform.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('Invitation', 'id') }),
    code: t.exposeString('code', { nullable: false, description: texts.code }),
    url: t.exposeString('url', { nullable: false, description: texts.url }),
    inviterUma: t.exposeString('inviterUma', { nullable: false, description: texts.inviterUma }),
    inviteeUma: t.exposeString('inviteeUma', { description: texts.inviteeUma }),
    invitationStatus: t.expose('status', { type: InvitationStatusEnum, nullable: false, description: texts.status }),
    firstName: t.exposeString('firstName', { description: texts.firstName }),
    amountToSend: t.field({
      type: MoneyType,
      description: 'The amount that the inviter intends to send. No payment is made automatically.',
      ...moneyOf('amountToSend', 'currency'),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    claimedAt: t.expose('claimedAt', { type: 'DateTime', description: texts.claimedAt }),
    claimableUntil: t.expose('expiresAt', { type: 'DateTime', description: texts.expiresAt }),
  }),
})

registerRecord(InvitationRecord, 'Invitation')

builder.queryField('invitation', (t) =>
  t.field({
    type: InvitationNode,
    description:
      'The invitation with this code, of any platform. Errors: `FORBIDDEN` for an agent, `INVITATION_NOT_FOUND`, and `RATE_LIMITED` after too many unknown codes. REST: `GET /invitations/{invitationCode}`.',
    args: { code: t.arg.string({ required: true, description: texts.code }) },
    extensions: costing({ rows: 1 }),
    resolve: (_root, { code }, { caller }) => readInvitation(caller, code),
  }),
)

interface Changed {
  readonly invitation: Invitation
}

const successOf = (description: string): Success<Changed> => ({
  description,
  fields: (t) => ({
    invitation: t.expose('invitation', { type: InvitationNode, nullable: false, description: 'The invitation.' }),
  }),
})

addMutation('createInvitation', {
  description:
    'Invites someone on another platform, on behalf of one of your customers. Errors: `INVITATIONS_NOT_CONFIGURED`, `INVALID_UMA_ADDRESS`, `USER_NOT_FOUND`, `INVALID_CURRENCY`, `AMOUNT_OUT_OF_RANGE`. REST: `POST /invitations`.',
  input: schemaInput(newInvitation),
  statuses: [400, 403, 404],
  resolve: async (input, { caller }) => ({ invitation: await createInvitation(caller, input) }),
  success: successOf('The invitation is created. REST: 201.'),
})

addMutation('claimInvitation', {
  description:
    'Claims an invitation of any platform for one of your customers. The inviting platform receives the event `INVITATION_CLAIMED`. Errors: `INVITATION_NOT_FOUND`, `INVITATION_ALREADY_CLAIMED`, `INVITATION_CANCELLED`, `INVALID_UMA_ADDRESS`, `USER_NOT_FOUND`, and `INVALID_INPUT` with the reason `INVITATION_EXPIRED`. REST: `POST /invitations/{invitationCode}/claim`.',
  input: schemaInput(invitationClaim, (t) => ({
    code: t.string({ required: true, description: texts.code }),
  })),
  // An attacker can guess the code, as with a credential.
  usesCredential: true,
  statuses: [400, 403, 404, 429],
  resolve: async ({ code, ...input }, { caller }) => ({ invitation: await claimInvitation(caller, code, input) }),
  success: successOf('The invitation is claimed.'),
})

addMutation('cancelInvitation', {
  description:
    'Cancels an invitation of your own. Errors: `INVITATION_NOT_FOUND`, `FORBIDDEN` for an invitation of another platform, `INVITATION_ALREADY_CLAIMED`, `INVITATION_CANCELLED`. REST: `POST /invitations/{invitationCode}/cancel`.',
  input: fieldsInput((t) => ({ code: t.string({ required: true, description: texts.code }) })),
  usesCredential: true,
  statuses: [400, 403, 404, 429],
  resolve: async ({ code }, { caller }) => ({ invitation: await cancelInvitation(caller, code) }),
  success: successOf('The invitation is cancelled.'),
})
