// The parties of a payment: accounts that exist, that the caller may use, and that can send or receive.

import { type ExternalAccount, ExternalAccountRecord } from '#accounts/external-account.ts'
import { type FundingNetwork, networksOf } from '#accounts/funding/networks.ts'
import { type InternalAccount, InternalAccountRecord } from '#accounts/internal-account.ts'
import { unknownAccount } from '#accounts/list.ts'
import { requireUmaAddress } from '#core/addresses/uma.ts'
import type { Caller, PlatformCaller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { partsOfId } from '#core/ids.ts'
import { type Customer, CustomerRecord, unknownCustomer } from '#customers/customer.ts'
import { db, type Sql, sql } from '#database/db.ts'
import type { Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { PaymentRail } from '#generated/prisma/client.ts'
import { requireKnownCurrency } from '#platforms/settings/currencies.ts'
import { findLookup, requireSameCustomer, type UmaReceiver } from '#uma/lookup.ts'
import type { PartiesInput } from './party-input.ts'
import { railsOf } from './rails.ts'
import { type AccountStatus, requireActive, requireApproved } from './ready.ts'

/** Without an account, the payment is funded in real time by a push to the service. */
export interface Sender {
  readonly account: Pick<InternalAccount, 'id' | 'type' | 'currency' | 'customerId'> | null
  readonly currency: string
  readonly network: FundingNetwork | null
}

export interface Receiver {
  readonly internal: Pick<InternalAccount, 'id' | 'customerId'> | null
  readonly external: Pick<ExternalAccount, 'id' | 'customerId' | 'accountType'> | null
  readonly currency: string
  /** The rail that the platform chose. Null leaves the choice to the service. */
  readonly rail: PaymentRail | null
  /** Null for an account. */
  readonly uma: UmaReceiver | null
}

export interface Parties {
  readonly sender: Sender
  readonly receiver: Receiver
  /** Null for the platform's own payments. */
  readonly customer: Payer | null
}

/** The customer who pays. */
export type Payer = Pick<
  Customer,
  'id' | 'platformCustomerId' | 'customerType' | 'name' | 'email' | 'phoneNumber' | 'umaAddress' | 'region'
> & { readonly profile: unknown }

/** The receiver that a look-up found. Null for an account. */
export const findUmaReceiver = async (
  caller: Caller,
  { destination, lookupId }: PartiesInput,
): Promise<UmaReceiver | null> => {
  if (destination.destinationType !== 'UMA_ADDRESS') return null
  const { umaAddress, currency } = destination
  requireUmaAddress(umaAddress, 'destination.umaAddress')
  if (!lookupId) throw invalidInput('lookupId', 'lookupId is needed for a UMA address')
  return findLookup(caller, { lookupId, umaAddress, currency })
}

/** The statements whose rows `partiesOf` reads: the accounts that the caller may use, and the customers of whom one pays. */
export const selectingParties = (
  caller: Caller,
  { source, destination }: PartiesInput,
  uma: UmaReceiver | null,
): readonly [Sql, Sql, Sql] => {
  const { platformId } = caller
  const ofPlatform = sql`platform_id = ${platformId}::uuid`
  const from = 'accountId' in source ? partsOfId(source.accountId).uuid : null
  const to = 'accountId' in destination ? partsOfId(destination.accountId).uuid : null
  const named = source.customerId ? partsOfId(source.customerId).uuid : null
  // Lists of single ids: for an array of any length Postgres would plan these statements each time.
  return [
    sql`
      select ${InternalAccountRecord.columns} from internal_accounts t
      where ${InternalAccountRecord.visibleTo(caller)} and t.id in (${from}::uuid, ${to}::uuid)`,
    sql`
      select ${ExternalAccountRecord.columns} from external_accounts t
      where ${ExternalAccountRecord.visibleTo(caller)} and t.id = ${to}::uuid and t.deleted_at is null`,
    sql`
      select ${CustomerRecord.columns} from customers t
      where t.${ofPlatform} and t.id in (${named}::uuid, ${uma?.customerId ?? null}::uuid,
        (select customer_id from internal_accounts where ${ofPlatform} and id = ${from}::uuid),
        (select customer_id from internal_accounts where ${ofPlatform} and id = ${to}::uuid),
        (select customer_id from external_accounts where ${ofPlatform} and id = ${to}::uuid))`,
  ]
}

type Rows = readonly [internal: readonly Row[], external: readonly Row[], customers: readonly Row[]]

/** The checked parties, or the error that the caller gets. It refuses unknown, inactive and foreign accounts. */
export const partiesOf = (
  caller: Caller,
  { source, destination }: PartiesInput,
  uma: UmaReceiver | null,
  [internal, external, customers]: Rows,
): Parties => {
  const found: Known = {
    internal: internal.map((row) => InternalAccountRecord.read(row)),
    external: external.map((row) => ExternalAccountRecord.read(row)),
    customers: customers.map((row) => CustomerRecord.read(row)),
  }
  const sender = source.sourceType === 'ACCOUNT' ? senderOf(found, source.accountId) : fundedBy(source)
  const receiver = uma ? umaReceiver(uma) : receiverOf(found, destination)
  if (uma?.provider && !sender.account) {
    throw invalidInput(
      'source',
      'A payment to this UMA address needs an internal account, because the demand for it expires after a minute',
    )
  }
  if (sender.account && sender.account.id === receiver.internal?.id) {
    throw new ApiError('SELF_PAYMENT', 'The source and the destination are the same account', {
      field: 'destination.accountId',
    })
  }
  const named = source.customerId ? customerOf(caller, found, partsOfId(source.customerId).uuid) : null
  const ownerId = sender.account ? sender.account.customerId : (named?.id ?? uma?.customerId ?? ownerOf(receiver))
  if (named && named.id !== ownerId) {
    throw invalidInput('source.customerId', 'The account does not belong to this customer')
  }
  if (uma) requireSameCustomer(uma, ownerId)
  return { sender, receiver, customer: ownerId === null ? null : requireApproved(withId(found.customers, ownerId)) }
}

interface Known {
  readonly internal: readonly InternalAccount[]
  readonly external: readonly ExternalAccount[]
  readonly customers: readonly Customer[]
}

const withId = <T extends { readonly id: string }>(rows: readonly T[], id: string): T => {
  const row = rows.find((one) => one.id === id)
  if (!row) throw new Error(`The row ${id} was not read`)
  return row
}

const umaReceiver = (uma: UmaReceiver): Receiver => ({
  internal: null,
  external: null,
  currency: uma.offered.code,
  rail: null,
  uma,
})

/** An internal account that can send money. To an agent, accounts of other customers are unknown. */
const senderOf = (found: Known, accountId: string): Sender => {
  const { kind, uuid } = partsOfId(accountId)
  if (kind !== 'InternalAccount') throw invalidInput('source.accountId', 'The source must be an internal account')
  const account = requireActiveAccount(
    found.internal.find(({ id }) => id === uuid),
    'source.accountId',
  )
  return { account, currency: account.currency, network: null }
}

const fundedBy = ({ currency, cryptoNetwork }: Extract<PartiesInput['source'], { sourceType: 'REALTIME_FUNDING' }>) => {
  requireKnownCurrency(currency, 'source.currency')
  const networks = networksOf(currency)
  const network = cryptoNetwork ?? (currency === 'BTC' ? 'LIGHTNING' : null)
  if (networks.length > 0 ? network === null || !networks.includes(network) : network !== null) {
    const message = networks.length > 0 ? `must be one of ${networks.join(', ')}` : 'is for stablecoins and BTC only'
    throw invalidInput('source.cryptoNetwork', `source.cryptoNetwork ${message}`, { enum: networks })
  }
  return { account: null, currency, network }
}

const receiverOf = (found: Known, destination: PartiesInput['destination']): Receiver => {
  if (destination.destinationType !== 'ACCOUNT') throw new Error('A receiver is missing')
  const { kind, uuid } = partsOfId(destination.accountId)
  if (kind === 'InternalAccount') {
    if (destination.paymentRail) {
      throw invalidInput('destination.paymentRail', 'An internal account has no payment rails')
    }
    const internal = requireActiveAccount(
      found.internal.find(({ id }) => id === uuid),
      'destination.accountId',
    )
    return { internal, external: null, currency: internal.currency, rail: null, uma: null }
  }
  const external = requireActiveExternalAccount(
    found.external.find(({ id }) => id === uuid),
    'destination.accountId',
  )
  const rail = destination.paymentRail ?? null
  requireRail(external, rail)
  return { internal: null, external, currency: external.currency, rail, uma: null }
}

export const requireRail = (account: { readonly accountInfo: unknown }, rail: PaymentRail | null | undefined): void => {
  const rails = railsOf(account)
  if (!rail || rails.includes(rail)) return
  throw invalidInput('destination.paymentRail', 'The account does not accept this rail', { enum: rails })
}

const ownerOf = ({ internal, external }: Receiver) => (internal ?? external)?.customerId ?? null

type Found = { readonly status: AccountStatus }

/** The account that was looked up. 404 `REFERENCE_NOT_FOUND` without one, 403 `USER_NOT_READY` unless it is active. */
export const requireActiveAccount = <A extends Found>(account: A | null | undefined, field?: string): A => {
  if (!account) throw unknownAccount(field)
  requireActive([account], 'The account is not active')
  return account
}

/** Throws the same errors. */
export const requireActiveExternalAccount = <A extends Found>(account: A | null | undefined, field?: string): A => {
  if (!account) throw unknownAccount(field)
  requireActive([account], 'The external account is not active')
  return account
}

export const findInternalAccount = async ({ platformId }: PlatformCaller, id: string, field?: string) =>
  requireActiveAccount(await db.internalAccount.findFirst({ where: { platformId, id } }), field)

export const findExternalAccount = async ({ platformId }: PlatformCaller, id: string, field?: string) =>
  requireActiveExternalAccount(
    await db.externalAccount.findFirst({ where: { platformId, id, deletedAt: null } }),
    field,
  )

const customerOf = (caller: Caller, { customers }: Known, id: string): Customer => {
  const isOther = caller.scheme === 'AGENT' && caller.customerId !== id
  const customer = customers.find((one) => one.id === id && !one.isDeleted)
  if (isOther || !customer) throw unknownCustomer('source.customerId')
  return customer
}

/** The customer who pays. 403 `USER_NOT_READY` unless approved. Null for a payment of the platform itself. */
export const payerOf = async (
  { platformId }: Pick<Caller, 'platformId'>,
  id: string | null,
  on: Tx | typeof db = db,
) => {
  if (id === null) return null
  return requireApproved(await on.customer.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } }))
}
