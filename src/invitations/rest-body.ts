// Invitations as the specification writes them.
import { currencyOf } from '#core/codes/currencies.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { Invitation } from './invitation.ts'
import type { invitationSchema } from './rest-schema.ts'

export const invitationBody = (invitation: Invitation): BodyOf<typeof invitationSchema> => ({
  code: invitation.code,
  url: invitation.url,
  inviterUma: invitation.inviterUma,
  inviteeUma: invitation.inviteeUma ?? undefined,
  status: invitation.status,
  firstName: invitation.firstName ?? undefined,
  amountToSend: amountOf(invitation),
  createdAt: invitation.createdAt,
  claimedAt: invitation.claimedAt ?? undefined,
  expiresAt: invitation.expiresAt ?? undefined,
})

const amountOf = ({ amountToSend, currency }: Invitation) =>
  amountToSend === null || currency === null
    ? undefined
    : { amount: Number(amountToSend), currency: currencyOf(currency) }
