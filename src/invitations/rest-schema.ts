import { z } from 'zod'
import { currencyAmountSchema, timeSchema } from '#rest/schema.ts'
import { INVITATION_STATUSES, InvitationRecord } from './invitation.ts'

const { texts } = InvitationRecord

export const invitationSchema = z
  .object({
    code: z.string().describe(texts.code),
    url: z.string().describe(texts.url),
    inviterUma: z.string().describe(texts.inviterUma),
    inviteeUma: z.string().optional().describe(texts.inviteeUma),
    status: z.enum(INVITATION_STATUSES).describe(texts.status),
    firstName: z.string().optional().describe(texts.firstName),
    amountToSend: currencyAmountSchema
      .optional()
      .describe('The amount that the inviter intends to send. No payment is made automatically.'),
    createdAt: timeSchema(texts.createdAt),
    claimedAt: timeSchema(texts.claimedAt).optional(),
    expiresAt: timeSchema(texts.expiresAt).optional(),
  })
  .meta({ id: 'UmaInvitation', description: 'An invitation from a customer to someone on another platform.' })
