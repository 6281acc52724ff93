// Whether the accounts and the customer of a payment may still pay and be paid, just before money moves.
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { type Sql, sql } from '#database/db.ts'
import { sendIn } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Customer, ExternalAccount, InternalAccount, Transaction } from '#generated/prisma/client.ts'

interface Found {
  readonly status: AccountStatus
}

type Ends = Pick<
  Transaction,
  | 'customerId'
  | 'sourceInternalAccountId'
  | 'sourceExternalAccountId'
  | 'destinationInternalAccountId'
  | 'destinationExternalAccountId'
>

/** The accounts and the customer of a payment, as they are now. */
export interface PartiesNow {
  readonly internal: readonly Found[]
  readonly external: readonly Found[]
  /** Of the external account. A payment has at most one. */
  readonly accountInfo: object | null
  readonly customer: Pick<Customer, 'isDeleted' | 'verificationStatus' | 'region'> | undefined
}

/**
 * Re-checks the accounts and the customer just before money moves: they may have changed since the payment was created. 403
 * `USER_NOT_READY`, as `partiesOf` answers it. Locks nothing: an account that the caller has not locked may change a moment later.
 */
export const requireReady = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  payment: Ends,
): Promise<PartiesNow> => {
  const parties = await findPartiesNow(tx, { platformId }, payment)
  requireReadyParties(parties)
  return parties
}

export const findPartiesNow = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  payment: Ends,
): Promise<PartiesNow> => {
  const [rows] = await sendIn(tx, selectingPartiesNow(platformId, payment))
  return readPartiesNow(rows)
}

/** The statement whose rows `readPartiesNow` reads. */
export const selectingPartiesNow = (platformId: string, ends: Ends): Sql => sql`
  select 'INTERNAL', status::text, null::jsonb, null::boolean, null from internal_accounts
  where platform_id = ${platformId}::uuid
    and id in (${ends.sourceInternalAccountId}::uuid, ${ends.destinationInternalAccountId}::uuid)
  union all select 'EXTERNAL', status::text, account_info, null, null from external_accounts
  where platform_id = ${platformId}::uuid
    and id in (${ends.sourceExternalAccountId}::uuid, ${ends.destinationExternalAccountId}::uuid)
  union all select 'CUSTOMER', verification_status::text, null, is_deleted, region from customers
  where platform_id = ${platformId}::uuid and id = ${ends.customerId}::uuid`

export const readPartiesNow = (rows: readonly Row[]): PartiesNow => {
  const those = (kind: string) => rows.filter(([of]) => of === kind)
  const accounts = (kind: string) => those(kind).map(([, status]) => ({ status: status as AccountStatus }))
  const [[, , accountInfo] = []] = those('EXTERNAL')
  const [customer] = those('CUSTOMER').map(([, status, , isDeleted, region]) => ({
    verificationStatus: status as Customer['verificationStatus'],
    isDeleted: isDeleted === 't',
    region: region ?? null,
  }))
  return {
    internal: accounts('INTERNAL'),
    external: accounts('EXTERNAL'),
    accountInfo: accountInfo ? JSON.parse(accountInfo) : null,
    customer,
  }
}

/** Throws the errors of `requireReady`. */
export const requireReadyParties = ({ internal, external, customer }: PartiesNow): void => {
  requireActive(internal, 'The account is not active')
  requireActive(external, 'The external account is not active')
  if (customer) requireApproved(customer)
}

/** 403 `USER_NOT_READY` unless the customer is approved. */
export const requireApproved = <C extends Pick<Customer, 'isDeleted' | 'verificationStatus'>>(customer: C): C => {
  const { isDeleted, verificationStatus } = customer
  if (isDeleted) throw notReady('The customer is deleted')
  if (verificationStatus !== 'APPROVED') {
    const isUnderReview = verificationStatus === 'HOLD' || verificationStatus === 'PENDING'
    throw notReady('The customer is not approved', isUnderReview ? 'CUSTOMER_UNDER_REVIEW' : undefined)
  }
  return customer
}

export type AccountStatus = (InternalAccount | ExternalAccount)['status']

/** The states that may pass by themselves. The others are final, and give no reason. */
const PASSING: Partial<Record<AccountStatus, string>> = {
  FROZEN: 'ACCOUNT_FROZEN',
  PENDING: 'ACCOUNT_PENDING',
  PENDING_OWNERSHIP_VERIFICATION: 'ACCOUNT_PENDING',
  UNDER_REVIEW: 'ACCOUNT_PENDING',
}

export const requireActive = (accounts: readonly { readonly status: AccountStatus }[], message: string): void => {
  const idle = accounts.filter(({ status }) => status !== 'ACTIVE').map(({ status }) => PASSING[status])
  if (idle.length > 0) throw notReady(message, idle.includes(undefined) ? undefined : idle[0])
}

const notReady = (message: string, reason?: string) =>
  new ApiError('USER_NOT_READY', message, reason === undefined ? undefined : { reason })
