// Invitations: a customer invites someone on another platform, who claims the invitation with a UMA address (docs/domain/invitations.md#operations).
import { type Caller, requirePermission, requirePlatform } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { lookUp, sql } from '#database/db.ts'
import { amount, nullable, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { findDirectoryEntry } from '#platforms/directory.ts'
import { consumeGuess, giveBackGuess } from './guesses.ts'

export const INVITATION_STATUSES = ['PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED'] as const

/** Any platform that has the code can read the invitation. Only its own platform sees it by id. Agents see none. */
export const InvitationRecord = record(
  'current_invitations',
  {
    id: text.describe('`Invitation:<uuid>`.'),
    code: text.describe('Eight hexadecimal digits. Anyone who has them can claim the invitation.'),
    url: text.describe("The page where the invited person claims the invitation, on the platform's UMA domain."),
    inviterUma: text.describe('UMA address of the customer who invites.'),
    inviteeUma: nullable(text).describe('UMA address of the person who claimed the invitation.'),
    status: oneOf(INVITATION_STATUSES).describe('State of the invitation.'),
    firstName: nullable(text).describe('First name of the person who invites, for display.'),
    amountToSend: nullable(amount).describe(
      'The amount that the inviter intends to send, in the smallest unit of the currency. No payment is made automatically.',
    ),
    currency: nullable(text),
    createdAt: time.describe('When the invitation was created.'),
    claimedAt: nullable(time).describe('When it was claimed.'),
    expiresAt: nullable(time).describe('When the invitation expires, if it does.'),
  },
  'REFUSED',
)
export type Invitation = RecordOf<typeof InvitationRecord>

const CODE = /^[0-9a-f]{8}$/

/** Its key in the directory. */
export const codeKey = (code: string) => new TextEncoder().encode(code)

export const unknownInvitation = () => new ApiError('INVITATION_NOT_FOUND', 'There is no such invitation')

/**
 * Needs the permission VIEW. Any platform of the same environment may read an invitation by its code. Throws 404 `INVITATION_NOT_FOUND`, and
 * 429 `RATE_LIMITED` after too many unknown codes.
 */
export const readInvitation = async (caller: Caller, code: string): Promise<Invitation> => {
  const platform = requirePlatform(caller)
  requirePermission(platform, 'VIEW')
  return findByCode(platform, code)
}

type Reader = Pick<Caller, 'platformId' | 'environment'>

/** Checks no permission. */
export const findByCode = async (caller: Reader, code: string): Promise<Invitation> => {
  if (!CODE.test(code)) throw unknownInvitation()
  await consumeGuess(caller)
  const invitation = await selectByCode(caller, code)
  await giveBackGuess(caller)
  return invitation
}

/** Counts no guess, so the code must be known. */
export const selectByCode = async ({ environment }: Reader, code: string): Promise<Invitation> => {
  const place = await findDirectoryEntry('INVITATION', codeKey(code))
  const [row] = place
    ? await lookUp(sql`
        select ${InvitationRecord.columns} from ${InvitationRecord.table} t
        join platforms owner on owner.id = t.platform_id
        where t.platform_id = ${place.platformId}::uuid and t.id = ${place.id}::uuid
          and owner.environment = ${environment}::environment`)
    : []
  if (!row) throw unknownInvitation()
  return InvitationRecord.read(row)
}
