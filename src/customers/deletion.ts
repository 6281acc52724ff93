// Deletes customers, and ends everything that acts for them (docs/domain/customers.md#deletion). The SQL is here, because this folder cannot
// import those of the cards, credentials and agents.
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { publicId } from '#core/ids.ts'
import { forgetCallers } from '#core/known-callers.ts'
import { type Sql, sql } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { sendIn } from '#database/round-trips.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { customerUuid } from './change.ts'
import { type Customer, CustomerRecord } from './customer.ts'
import { lockCustomer } from './provisioning.ts'

/**
 * Deletes the customer, closes its accounts and cards, revokes its credentials, deletes its second factors, codes and agents, and rejects its
 * open verification. Everything else that belonged to it stays readable. Needs the permission MANAGE. 404 `USER_NOT_FOUND`, 410 `CUSTOMER_DELETED`,
 * 409 `CONFLICT` while an account holds money, or a payment, a card transaction or a refund is open.
 */
export const deleteCustomer = async (caller: PlatformCaller, id: string): Promise<Customer> => {
  requirePermission(caller, 'MANAGE')
  const uuid = customerUuid(id)
  await inTransaction(async (tx) => {
    await lockEmptyAccounts(tx, caller, uuid)
    await refuseOpenPayments(tx, caller, uuid)
    await sendIn(tx, ...endings(caller, uuid))
  })
  forgetCallers()
  return selectWritten(caller, CustomerRecord, uuid)
}

/** Locks in the order of those who use them: cards, accounts, agents, and the customer last. Nothing can be opened for it from then on. */
const lockEmptyAccounts = async (tx: Tx, caller: PlatformCaller, id: string): Promise<void> => {
  const ofCustomer = sql`platform_id = ${caller.platformId}::uuid and customer_id = ${id}::uuid`
  const lockAccounts = sql`select total_balance > 0 from internal_accounts where ${ofCustomer} order by id for no key update`
  await sendIn(
    tx,
    sql`select 1 from cards where ${ofCustomer} and state <> 'CLOSED' order by id for no key update`,
    lockAccounts,
    sql`select 1 from agents where ${ofCustomer} and deleted_at is null order by id for no key update`,
  )
  await lockCustomer(tx, caller, id)
  // Again, because an approval may have opened accounts until the customer was locked.
  const [accounts] = await sendIn(tx, lockAccounts)
  if (accounts.some(([hasMoney]) => hasMoney === 't')) {
    throw new ApiError('CONFLICT', 'An account of the customer holds money', { reason: 'ACCOUNT_NOT_EMPTY' })
  }
}

const refuseOpenPayments = async (tx: Tx, { platformId }: PlatformCaller, id: string): Promise<void> => {
  const ofCustomer = sql`platform_id = ${platformId}::uuid and customer_id = ${id}::uuid`
  const [open] = await sendIn(
    tx,
    sql`
      select 1 from transactions where ${ofCustomer}
        and status in ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'AUTHORIZED', 'PARTIALLY_SETTLED')
      union all
      select 1 from transactions where ${ofCustomer} and refund_status = 'PENDING'
      union all
      select 1 from internal_accounts account join stablecoin_operations operation
        on operation.platform_id = account.platform_id and operation.internal_account_id = account.id
      where account.platform_id = ${platformId}::uuid and account.customer_id = ${id}::uuid
        and operation.status not in ('COMPLETED', 'FAILED', 'EXPIRED')
      limit 1`,
  )
  if (open.length > 0) throw new ApiError('CONFLICT', 'The customer has an open payment', { reason: 'PAYMENT_OPEN' })
}

const endings = ({ platformId }: PlatformCaller, id: string): readonly Sql[] => {
  const ofPlatform = sql`platform_id = ${platformId}::uuid`
  const ofCustomer = sql`${ofPlatform} and customer_id = ${id}::uuid`
  const ofAccounts = sql`${ofPlatform} and account_id in (select id from internal_accounts where ${ofCustomer})`
  const errors = [
    { resourceId: publicId('Customer', id), type: 'APPLICANT_REJECTED', reason: 'The customer is deleted.' },
  ]
  return [
    sql`update customers set is_deleted = true, updated_at = now() where ${ofPlatform} and id = ${id}::uuid`,
    sql`update internal_accounts set status = 'CLOSED', updated_at = now() where ${ofCustomer} and status <> 'CLOSED'`,
    sql`
      delete from otp_challenges where ${ofPlatform}
        and auth_method_id in (select id from auth_methods where ${ofAccounts} and revoked_at is null)`,
    sql`update auth_methods set revoked_at = now(), updated_at = now() where ${ofAccounts} and revoked_at is null`,
    sql`
      update wallet_sessions set revoked_at = now(), updated_at = now()
      where ${ofAccounts} and revoked_at is null and expires_at > now()`,
    sql`delete from signed_requests where ${ofAccounts} and consumed_at is null`,
    sql`update delegated_keys set status = 'REVOKED', updated_at = now() where ${ofAccounts} and status <> 'REVOKED'`,
    sql`
      update cards set state = 'CLOSED', state_reason = 'CLOSED_BY_PLATFORM', updated_at = now()
      where ${ofCustomer} and state <> 'CLOSED'`,
    sql`
      update verifications set verification_status = 'REJECTED', updated_at = now(), errors = ${JSON.stringify(errors)}::jsonb
      where ${ofCustomer} and verification_status not in ('APPROVED', 'REJECTED')`,
    sql`delete from sca_factors where ${ofCustomer}`,
    sql`delete from sca_recovery_codes where ${ofCustomer}`,
    sql`delete from sca_enrolments where ${ofCustomer}`,
    sql`delete from contact_codes where ${ofCustomer}`,
    sql`update sca_customers set authenticated_until = null where ${ofPlatform} and id = ${id}::uuid`,
    sql`
      delete from trusted_accounts
      where ${ofPlatform} and external_account_id in (select id from external_accounts where ${ofCustomer})`,
    sql`
      update agent_device_codes set voided_at = now() where ${ofPlatform} and redeemed_at is null and voided_at is null
        and agent_id in (select id from agents where ${ofCustomer} and deleted_at is null)`,
    sql`
      update agents set deleted_at = now(), updated_at = now(), access_token_hash = null
      where ${ofCustomer} and deleted_at is null`,
    // Actions that wait for a payment keep the customer from being deleted, unless its quote has expired.
    sql`
      with rejected as (
        update agent_actions set status = 'REJECTED', rejection_reason = 'customer deleted', updated_at = now()
        where ${ofCustomer} and status = 'PENDING_APPROVAL' returning type, external_account_id)
      update external_accounts set deleted_at = now(), updated_at = now(), status = 'INACTIVE'
      where ${ofPlatform} and deleted_at is null
        and id in (select external_account_id from rejected where type = 'CREATE_EXTERNAL_ACCOUNT')`,
  ]
}
