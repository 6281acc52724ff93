import { type AccountOwner, unknownAccount } from '#accounts/list.ts'
import type { Caller, PlatformCaller } from '#core/caller.ts'
import { requireUuid } from '#core/ids.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { requireAccountWriter } from './create.ts'

/**
 * Needs the permission TRANSACT or MANAGE. The account leaves every list and can no longer receive money. Payments still show it. Throws 404
 * `REFERENCE_NOT_FOUND`. Returns the bare uuid.
 */
export const deleteExternalAccount = async (
  caller: PlatformCaller,
  id: string,
  owner?: AccountOwner,
): Promise<string> => {
  requireAccountWriter(caller)
  return inTransaction((tx) => removeAccount(tx, caller, id, owner))
}

/** Without `owner`, deletes any account of the platform. Agents pass their customer. Throws 404. Returns the bare uuid. */
export const removeAccount = async (tx: Tx, caller: Caller, id: string, owner?: AccountOwner): Promise<string> => {
  const uuid = requireUuid('ExternalAccount', id, unknownAccount)
  const customerId = caller.scheme === 'AGENT' ? caller.customerId : null
  const [removed] = await tx.$queryRaw<object[]>`
    update external_accounts set deleted_at = now(), updated_at = now(), status = 'INACTIVE', default_uma_deposit_account = false,
      challenge = null, challenge_expires_at = null
    where platform_id = ${caller.platformId}::uuid and id = ${uuid}::uuid and deleted_at is null
      and (${customerId}::uuid is null or customer_id = ${customerId}::uuid)
      and (${owner ?? null}::text is null or (customer_id is null) = (${owner ?? null}::text = 'PLATFORM'))
    returning id`
  if (!removed) throw unknownAccount()
  return uuid
}
