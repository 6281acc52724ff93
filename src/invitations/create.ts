// A platform creates an invitation of one of its customers (docs/domain/invitations.md#operations).
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { requireUmaAddress } from '#core/addresses/uma.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { amountOf, parseChanges, textOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { storedEnd } from '#core/time-filters.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, isDuplicate, type Tx } from '#database/unit-of-work.ts'
import { addDirectoryEntry } from '#platforms/directory.ts'
import { findCurrencies, requireSupported } from '#platforms/settings/currencies.ts'
import { codeKey, type Invitation, InvitationRecord } from './invitation.ts'

const { texts } = InvitationRecord

export const newInvitation = z.object({
  inviterUma: textOf(320).describe(texts.inviterUma),
  firstName: textOf(255).nullish().describe(texts.firstName),
  amountToSend: amountOf(1n, MAX_AMOUNT)
    .nullish()
    .describe(`${texts.amountToSend} The currency is the inviter's first one.`),
  expiresAt: storedEnd.nullish().describe(`${texts.expiresAt} It must be in the future.`),
})

export interface Customer {
  readonly id: string
  readonly umaAddress: string
  readonly currency: string | null
}

/** Ignores case. Throws 404 `USER_NOT_FOUND` unless it is the address of a customer of the platform. */
export const customerAt = async (tx: Tx, { platformId }: PlatformCaller, umaAddress: string): Promise<Customer> => {
  const [customer] = await tx.$queryRaw<Customer[]>`
    select id, uma_address as "umaAddress", currencies[1]::text as currency from customers
    where platform_id = ${platformId}::uuid and lower(uma_address) = lower(${umaAddress}) and not is_deleted for share`
  if (!customer) throw new ApiError('USER_NOT_FOUND', 'No customer has this UMA address')
  return customer
}

const CODE_BYTES = 4
const TRIES = 3

/**
 * Needs the permission MANAGE. Throws 400 `INVITATIONS_NOT_CONFIGURED` for a platform without a UMA domain, 400 `INVALID_UMA_ADDRESS`, 404
 * `USER_NOT_FOUND` if no customer has the address, and 400 `AMOUNT_OUT_OF_RANGE` for an amount that the platform cannot send.
 */
export const createInvitation = async (caller: PlatformCaller, input: unknown): Promise<Invitation> => {
  requirePermission(caller, 'MANAGE')
  const given = parseChanges(newInvitation, input, Object.keys(InvitationRecord.shape))
  requireUmaAddress(given.inviterUma, 'inviterUma')
  for (let tries = 1; ; tries++) {
    try {
      const id = await inTransaction((tx) => insert(tx, caller, given))
      return await selectWritten(caller, InvitationRecord, id)
    } catch (error) {
      // Another invitation has the same random code: draw again.
      if (!isDuplicate(error) || tries === TRIES) throw error
    }
  }
}

const insert = async (
  tx: Tx,
  caller: PlatformCaller,
  { inviterUma, firstName, amountToSend, expiresAt }: z.output<typeof newInvitation>,
): Promise<string> => {
  const { platformId } = caller
  const platform = await tx.platform.findUniqueOrThrow({ where: { id: platformId }, select: { umaDomain: true } })
  if (platform.umaDomain === null) {
    throw new ApiError('INVITATIONS_NOT_CONFIGURED', 'The platform has no UMA domain, so it has no invitations')
  }
  const inviter = await customerAt(tx, caller, inviterUma)
  const currency = amountToSend ? await currencyOf(caller, inviter) : null
  if (amountToSend && currency) {
    const payment = { amount: amountToSend, amountField: 'amountToSend', type: 'OUTGOING' } as const
    await requireSupported(caller, [{ currency, field: 'amountToSend', payment }], tx)
  }
  const id = newUuid()
  const code = randomBytes(CODE_BYTES).toString('hex')
  await addDirectoryEntry(tx, 'INVITATION', codeKey(code), { platformId, id })
  const written = await tx.$executeRaw`
    insert into invitations (platform_id, id, code, url, inviter_id, inviter_uma, first_name, amount_to_send, currency, expires_at)
    select ${platformId}::uuid, ${id}::uuid, ${code}, ${`https://${platform.umaDomain}/invitations/${code}`}, ${inviter.id}::uuid, ${inviter.umaAddress},
      ${firstName ?? null}, ${amountToSend ?? null}::bigint, ${currency}, ${expiresAt ?? null}::timestamptz
    where ${expiresAt ?? null}::timestamptz is null or ${expiresAt ?? null}::timestamptz > now()`
  if (written !== 1) throw invalidInput('expiresAt', 'expiresAt must be in the future')
  return id
}

/** The inviter's first currency, or else the first that the platform supports, or else the dollar. */
const currencyOf = async (caller: PlatformCaller, { currency }: Customer): Promise<string> =>
  currency ?? (await findCurrencies(caller))[0]?.currency ?? 'USD'
