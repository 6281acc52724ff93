// An invitation is claimed by the platform of the invited person, or cancelled by its own (docs/domain/invitations.md#operations).
import { z } from 'zod'
import { requireUmaAddress } from '#core/addresses/uma.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { parse, textOf } from '#core/input.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { findDirectoryEntry } from '#platforms/directory.ts'
import { type Customer, customerAt } from './create.ts'
import {
  codeKey,
  findByCode,
  type Invitation,
  InvitationRecord,
  selectByCode,
  unknownInvitation,
} from './invitation.ts'

export const invitationClaim = z.object({
  inviteeUma: textOf(320).describe(InvitationRecord.texts.inviteeUma),
})

interface Locked {
  readonly platformId: string
  readonly inviterId: string
  readonly inviterUma: string
  readonly status: Invitation['status']
}

/** Locks the invitation, which may expire during the wait. Its platform may be another one. */
const lockInvitation = async (tx: Tx, { environment }: PlatformCaller, code: string): Promise<Locked> => {
  const place = await findDirectoryEntry('INVITATION', codeKey(code))
  if (!place) throw unknownInvitation()
  const [locked] = await tx.$queryRaw<Locked[]>`
    with locked as materialized (
      select t.* from invitations t join platforms owner on owner.id = t.platform_id
      where t.platform_id = ${place.platformId}::uuid and t.id = ${place.id}::uuid and owner.environment = ${environment}::environment
      for no key update of t)
    select platform_id as "platformId", inviter_id as "inviterId", inviter_uma as "inviterUma",
      case when status = 'PENDING' and expires_at <= clock_timestamp() then 'EXPIRED' else status end as status
    from locked`
  if (!locked) throw unknownInvitation()
  return locked
}

const requirePending = ({ status }: Locked): void => {
  if (status === 'CLAIMED') throw new ApiError('INVITATION_ALREADY_CLAIMED', 'The invitation was already claimed')
  if (status === 'CANCELLED') throw new ApiError('INVITATION_CANCELLED', 'The invitation was cancelled')
  if (status === 'EXPIRED') {
    throw new ApiError('INVALID_INPUT', 'The invitation has expired', { reason: 'INVITATION_EXPIRED' })
  }
}

/** On the inviting platform the customer counts, because an address can be changed and then given to another customer. */
const isInviter = ({ platformId }: PlatformCaller, invitee: Customer, invitation: Locked): boolean =>
  invitation.platformId === platformId
    ? invitation.inviterId === invitee.id
    : invitation.inviterUma.toLowerCase() === invitee.umaAddress.toLowerCase()

/**
 * A platform claims the invitation for one of its customers. Needs the permission MANAGE. Throws 404 `INVITATION_NOT_FOUND`, 400
 * `INVALID_UMA_ADDRESS`, 404 `USER_NOT_FOUND` if none of the caller's customers has the address, 400 `INVITATION_ALREADY_CLAIMED`,
 * `INVITATION_CANCELLED`, and `INVALID_INPUT` after the expiry or for the inviter itself.
 */
export const claimInvitation = async (caller: PlatformCaller, code: string, input: unknown): Promise<Invitation> => {
  requirePermission(caller, 'MANAGE')
  const { inviteeUma } = parse(invitationClaim, input)
  requireUmaAddress(inviteeUma, 'inviteeUma')
  await findByCode(caller, code)
  await inTransaction(async (tx) => {
    const invitee = await customerAt(tx, caller, inviteeUma)
    const invitation = await lockInvitation(tx, caller, code)
    requirePending(invitation)
    if (isInviter(caller, invitee, invitation)) {
      throw invalidInput('inviteeUma', 'An invitation must be claimed by someone other than the inviter')
    }
    await tx.$executeRaw`
      update invitations set status = 'CLAIMED', invitee_uma = ${invitee.umaAddress}, claimed_at = now()
      where platform_id = ${invitation.platformId}::uuid and code = ${code}`
  })
  return selectByCode(caller, code)
}

/**
 * Needs the permission MANAGE. Throws 404 `INVITATION_NOT_FOUND`, 403 `FORBIDDEN` for an invitation of another platform, and for one that is
 * not pending the same as `claimInvitation`.
 */
export const cancelInvitation = async (caller: PlatformCaller, code: string): Promise<Invitation> => {
  requirePermission(caller, 'MANAGE')
  await findByCode(caller, code)
  await inTransaction(async (tx) => {
    const invitation = await lockInvitation(tx, caller, code)
    if (invitation.platformId !== caller.platformId) {
      throw new ApiError('FORBIDDEN', 'Only the platform that created an invitation may cancel it')
    }
    requirePending(invitation)
    await tx.$executeRaw`
      update invitations set status = 'CANCELLED' where platform_id = ${caller.platformId}::uuid and code = ${code}`
  })
  return selectByCode(caller, code)
}
