// The parties of a payment: accounts that exist, that the caller may use, and that can send or receive.
import { type FundingNetwork, networksOf } from '#accounts/funding/networks.ts'
import type { Caller } from '#core/caller.ts'
import { CURRENCIES } from '#core/codes/currencies.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { partsOfId } from '#core/ids.ts'
import { UMA_ADDRESS } from '#core/uma-address.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Customer, ExternalAccount, InternalAccount, PaymentRail, Transaction } from '#generated/prisma/client.ts'
import { findLookup, requireSameCustomer, type UmaReceiver } from '#uma/lookup.ts'
import type { PartiesInput } from './party-input.ts'
import { railsOf } from './rails.ts'

/** Without an account, the payment is funded in real time by a push to the service. */
export interface Sender {
  readonly account: InternalAccount | null
  readonly currency: string
  readonly network: FundingNetwork | null
}

export interface Receiver {
  readonly internal: InternalAccount | null
  readonly external: ExternalAccount | null
  readonly currency: string
  /** The rail that the platform chose. Null leaves the choice to the service. */
  readonly rail: PaymentRail | null
  /** Null for an account. */
  readonly uma: UmaReceiver | null
}

export interface Parties {
  readonly sender: Sender
  readonly receiver: Receiver
  /** The customer who pays. Null for the platform's own payments. */
  readonly customer: Customer | null
}

/** The checked parties, or the error that the caller gets. It refuses unknown, inactive and foreign accounts. */
export const findParties = async (
  caller: Caller,
  { source, destination, lookupId }: PartiesInput,
): Promise<Parties> => {
  const isUma = destination.destinationType === 'UMA_ADDRESS'
  const uma = isUma ? await umaReceiver(caller, destination, lookupId) : null
  const sender = source.sourceType === 'ACCOUNT' ? await senderOf(caller, source.accountId) : fundedBy(source)
  const receiver = isUma ? uma : await receiverOf(caller, destination.accountId, destination.paymentRail ?? null)
  if (receiver === null) throw new Error('A receiver is missing')
  if (uma?.uma.provider && !sender.account) {
    throw invalidInput(
      'source',
      'A payment to this UMA address needs an internal account: the demand for it lives a minute',
    )
  }
  if (sender.account && sender.account.id === receiver.internal?.id) {
    throw new ApiError('SELF_PAYMENT', 'The source and the destination are the same account')
  }
  const named = source.customerId ? await findCustomer(caller, partsOfId(source.customerId).uuid) : null
  const ownerId = sender.account ? sender.account.customerId : (named?.id ?? uma?.uma.customerId ?? ownerOf(receiver))
  if (named && named.id !== ownerId) {
    throw invalidInput('source.customerId', 'The account does not belong to this customer')
  }
  if (uma) requireSameCustomer(uma.uma, ownerId)
  return { sender, receiver, customer: await payerOf(caller, ownerId) }
}

const umaReceiver = async (
  { platformId }: Caller,
  { umaAddress, currency }: Extract<PartiesInput['destination'], { destinationType: 'UMA_ADDRESS' }>,
  lookupId: string | null | undefined,
): Promise<Receiver & { readonly uma: UmaReceiver }> => {
  if (!UMA_ADDRESS.test(umaAddress)) {
    throw new ApiError('INVALID_UMA_ADDRESS', 'A UMA address has the form $name@domain', {
      field: 'destination.umaAddress',
    })
  }
  if (!lookupId) throw invalidInput('lookupId', 'lookupId is needed for a UMA address')
  const uma = await findLookup(platformId, { lookupId, umaAddress, currency })
  return { internal: null, external: null, currency: uma.offered.code, rail: null, uma }
}

/** An internal account that can send money. To an agent, accounts of other customers are unknown. */
const senderOf = async (caller: Caller, accountId: string): Promise<Sender> => {
  const { kind, uuid } = partsOfId(accountId)
  if (kind !== 'InternalAccount') throw invalidInput('source.accountId', 'The source must be an internal account')
  const account = await findInternalAccount(caller, uuid)
  return { account, currency: account.currency, network: null }
}

const fundedBy = ({ currency, cryptoNetwork }: Extract<PartiesInput['source'], { sourceType: 'REALTIME_FUNDING' }>) => {
  if (!CURRENCIES.has(currency))
    throw new ApiError('INVALID_CURRENCY', 'The currency is unknown', { field: 'source.currency' })
  const networks = networksOf(currency)
  const network = cryptoNetwork ?? (currency === 'BTC' ? 'LIGHTNING' : null)
  if (networks.length > 0 ? network === null || !networks.includes(network) : network !== null) {
    const message = networks.length > 0 ? `must be one of ${networks.join(', ')}` : 'is for stablecoins and BTC only'
    throw invalidInput('source.cryptoNetwork', `source.cryptoNetwork ${message}`, { enum: networks })
  }
  return { account: null, currency, network }
}

const receiverOf = async (caller: Caller, accountId: string, rail: PaymentRail | null): Promise<Receiver> => {
  const { kind, uuid } = partsOfId(accountId)
  if (kind === 'InternalAccount') {
    const internal = await findInternalAccount(caller, uuid)
    return { internal, external: null, currency: internal.currency, rail: null, uma: null }
  }
  const external = await findExternalAccount(caller, uuid)
  requireRail(external, rail)
  return { internal: null, external, currency: external.currency, rail, uma: null }
}

export const requireRail = (account: { readonly accountInfo: unknown }, rail: PaymentRail | null | undefined): void => {
  const rails = railsOf(account)
  if (!rail || rails.includes(rail)) return
  throw invalidInput('destination.paymentRail', 'The account does not accept this rail', { enum: rails })
}

const ownerOf = ({ internal, external }: Receiver) => (internal ?? external)?.customerId ?? null

/** An agent may only use the accounts of its customer. */
const visibleTo = (caller: Caller) => (caller.scheme === 'AGENT' ? { customerId: caller.customerId } : {})

export const findInternalAccount = async (caller: Caller, id: string): Promise<InternalAccount> => {
  const { platformId } = caller
  return activeAccount(await db.internalAccount.findFirst({ where: { platformId, id, ...visibleTo(caller) } }))
}

type Found = { readonly status: AccountStatus }

/** The account that was looked up. 404 `REFERENCE_NOT_FOUND` without one, 403 `USER_NOT_READY` unless it is active. */
export const activeAccount = <A extends Found>(account: A | null | undefined): A => {
  if (!account) throw unknown('account')
  requireActive([account], 'The account is not active')
  return account
}

/** Throws the same errors. */
export const activeExternalAccount = <A extends Found>(account: A | null | undefined): A => {
  if (!account) throw unknown('account')
  requireActive([account], 'The external account is not active')
  return account
}

export const findExternalAccount = async (caller: Caller, id: string): Promise<ExternalAccount> => {
  const { platformId } = caller
  const where = { platformId, id, deletedAt: null, ...visibleTo(caller) }
  return activeExternalAccount(await db.externalAccount.findFirst({ where }))
}

const findCustomer = async (caller: Caller, id: string): Promise<Customer> => {
  const { platformId } = caller
  const isOther = caller.scheme === 'AGENT' && caller.customerId !== id
  const customer = isOther ? null : await db.customer.findFirst({ where: { platformId, id, isDeleted: false } })
  if (!customer) throw new ApiError('USER_NOT_FOUND', 'There is no such customer')
  return customer
}

/** The customer who pays. 403 `USER_NOT_READY` unless approved. Null for a payment of the platform itself. */
export const payerOf = async (
  { platformId }: Pick<Caller, 'platformId'>,
  id: string | null,
  on: Tx | typeof db = db,
) => {
  if (id === null) return null
  return approved(await on.customer.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } }))
}

/** 403 `USER_NOT_READY` unless the customer is approved. */
export const approved = <C extends Pick<Customer, 'isDeleted' | 'verificationStatus'>>(customer: C): C => {
  const { isDeleted, verificationStatus } = customer
  if (isDeleted) throw notReady('The customer is deleted')
  if (verificationStatus !== 'APPROVED') {
    const isUnderReview = verificationStatus === 'HOLD' || verificationStatus === 'PENDING'
    throw notReady('The customer is not approved', isUnderReview ? 'CUSTOMER_UNDER_REVIEW' : undefined)
  }
  return customer
}

/**
 * Re-checks the accounts and the customer just before money moves: they may have changed since the payment was created. 403
 * `USER_NOT_READY`, as `findParties` answers it. Locks nothing: an account that the caller has not locked may change a moment later.
 */
export const requireReady = async (tx: Tx, caller: Pick<Caller, 'platformId'>, payment: Transaction): Promise<void> => {
  const { platformId } = caller
  const here = [payment.sourceInternalAccountId, payment.destinationInternalAccountId].filter((id) => id !== null)
  const outside = [payment.sourceExternalAccountId, payment.destinationExternalAccountId].filter((id) => id !== null)
  const found = await tx.$queryRaw<FoundParty[]>`
    select 'HERE' as kind, status::text, false as "isDeleted", null as "verificationStatus" from internal_accounts
    where platform_id = ${platformId}::uuid and id = any(${here}::uuid[])
    union all select 'OUTSIDE', status::text, false, null from external_accounts
    where platform_id = ${platformId}::uuid and id = any(${outside}::uuid[])
    union all select 'CUSTOMER', null, is_deleted, verification_status::text from customers
    where platform_id = ${platformId}::uuid and id = ${payment.customerId}::uuid`
  const those = (kind: FoundParty['kind']) => found.filter((party) => party.kind === kind)
  requireActive(those('HERE'), 'The account is not active')
  requireActive(those('OUTSIDE'), 'The external account is not active')
  those('CUSTOMER').forEach(approved)
}

interface FoundParty extends Pick<Customer, 'isDeleted' | 'verificationStatus'> {
  readonly kind: 'HERE' | 'OUTSIDE' | 'CUSTOMER'
  /** Of an account. */
  readonly status: AccountStatus
}

const unknown = (what: string) => new ApiError('REFERENCE_NOT_FOUND', `There is no such ${what}`)

type AccountStatus = (InternalAccount | ExternalAccount)['status']

/** The states that may pass by themselves. The others are final, and give no reason. */
const PASSING: Partial<Record<AccountStatus, string>> = {
  FROZEN: 'ACCOUNT_FROZEN',
  PENDING: 'ACCOUNT_PENDING',
  PENDING_OWNERSHIP_VERIFICATION: 'ACCOUNT_PENDING',
  UNDER_REVIEW: 'ACCOUNT_PENDING',
}

const requireActive = (accounts: readonly { readonly status: AccountStatus }[], message: string): void => {
  const idle = accounts.filter(({ status }) => status !== 'ACTIVE').map(({ status }) => PASSING[status])
  if (idle.length > 0) throw notReady(message, idle.includes(undefined) ? undefined : idle[0])
}

const notReady = (message: string, reason?: string) =>
  new ApiError('USER_NOT_READY', message, reason === undefined ? undefined : { reason })
