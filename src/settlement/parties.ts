// The two ends of a payment: accounts that exist, are the caller's to use, and can send or receive.
import type { Caller } from '#core/caller.ts'
import { CURRENCIES } from '#core/currencies.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { UMA_ADDRESS } from '#core/uma-address.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Customer, ExternalAccount, InternalAccount, PaymentRail, Transaction } from '#generated/prisma/client.ts'
import { CRYPTO_NETWORKS, type PartiesInput } from './party-input.ts'
import { railsOf } from './rails.ts'

type CryptoNetwork = (typeof CRYPTO_NETWORKS)[number]

/** Without an account the money is pushed to the service in real time. */
export interface Sender {
  readonly account: InternalAccount | null
  readonly currency: string
  readonly network: CryptoNetwork | null
}

export interface Receiver {
  readonly internal: InternalAccount | null
  readonly external: ExternalAccount | null
  readonly currency: string
  /** As the platform wants it; null leaves the choice to the service. */
  readonly rail: PaymentRail | null
}

export interface Ends {
  readonly sender: Sender
  readonly receiver: Receiver
  /** Whose payment it is; null for the platform's own. */
  readonly customer: Customer | null
}

export const findEnds = async (caller: Caller, { source, destination, lookupId }: PartiesInput): Promise<Ends> => {
  if (destination.destinationType === 'UMA_ADDRESS') {
    if (!UMA_ADDRESS.test(destination.umaAddress)) {
      throw new ApiError('INVALID_UMA_ADDRESS', 'A UMA address reads $name@domain', { field: 'destination.umaAddress' })
    }
    if (!lookupId) throw invalidInput('lookupId', 'lookupId is needed for a UMA address')
    throw new ApiError('LOOKUP_REQUEST_NOT_FOUND', 'There is no such look-up')
  }
  const sender = source.sourceType === 'ACCOUNT' ? await senderOf(caller, source.accountId) : fundedBy(source)
  const receiver = await receiverOf(caller, destination.accountId, destination.paymentRail ?? null)
  if (sender.account && sender.account.id === receiver.internal?.id) {
    throw new ApiError('SELF_PAYMENT', 'The source and the destination are the same account')
  }
  const named = source.customerId ? await findCustomer(caller, uuidOf(source.customerId)) : null
  const ownerId = sender.account ? sender.account.customerId : (named?.id ?? ownerOf(receiver))
  if (named && named.id !== ownerId) {
    throw invalidInput('source.customerId', 'The account is not one of this customer')
  }
  return { sender, receiver, customer: await payerOf(caller, ownerId) }
}

export const uuidOf = (id: string) => parseId(id)?.uuid ?? ''

/** An internal account that money can leave. Others of the platform's customers are unknown to an agent. */
const senderOf = async (caller: Caller, accountId: string): Promise<Sender> => {
  if (parseId(accountId)?.kind !== 'InternalAccount') {
    throw invalidInput('source.accountId', 'A payment comes from an internal account')
  }
  const account = await findInternalAccount(caller, uuidOf(accountId))
  return { account, currency: account.currency, network: null }
}

/** What each network carries (docs/domain/account-types.md#payment-instructions). */
const STABLECOINS_ON: Readonly<Record<CryptoNetwork, readonly string[]>> = {
  SOLANA: ['USDC', 'USDT'],
  TRON: ['USDT'],
  POLYGON: ['USDC'],
  BASE: ['USDC'],
  ETHEREUM: ['USDC'],
}

const fundedBy = ({ currency, cryptoNetwork }: Extract<PartiesInput['source'], { sourceType: 'REALTIME_FUNDING' }>) => {
  if (!CURRENCIES.has(currency))
    throw new ApiError('INVALID_CURRENCY', 'The currency is not known', { field: 'source.currency' })
  const networks = CRYPTO_NETWORKS.filter((network) => STABLECOINS_ON[network].includes(currency))
  const network = cryptoNetwork ?? null
  if (networks.length > 0 ? network === null || !networks.includes(network) : network !== null) {
    const message = networks.length > 0 ? `must be one of ${networks.join(', ')}` : 'is for stablecoins only'
    throw invalidInput('source.cryptoNetwork', `source.cryptoNetwork ${message}`, { enum: networks })
  }
  return { account: null, currency, network }
}

const receiverOf = async (caller: Caller, accountId: string, rail: PaymentRail | null): Promise<Receiver> => {
  if (parseId(accountId)?.kind === 'InternalAccount') {
    const internal = await findInternalAccount(caller, uuidOf(accountId))
    return { internal, external: null, currency: internal.currency, rail: null }
  }
  const external = await findExternalAccount(caller, uuidOf(accountId))
  requireRail(external, rail)
  return { internal: null, external, currency: external.currency, rail }
}

export const requireRail = (account: ExternalAccount, rail: PaymentRail | null | undefined): void => {
  const rails = railsOf(account)
  if (!rail || rails.includes(rail)) return
  throw invalidInput('destination.paymentRail', 'The account cannot be paid over this rail', { enum: rails })
}

const ownerOf = ({ internal, external }: Receiver) => (internal ?? external)?.customerId ?? null

/** What an agent may name: what is its customer's. */
const visibleTo = (caller: Caller) => (caller.scheme === 'AGENT' ? { customerId: caller.customerId } : {})

export const findInternalAccount = async (caller: Caller, id: string): Promise<InternalAccount> => {
  const { platformId } = caller
  const account = await db.internalAccount.findFirst({ where: { platformId, id, ...visibleTo(caller) } })
  if (!account) throw unknown('account')
  requireActive([account], 'The account is not active')
  return account
}

export const findExternalAccount = async (caller: Caller, id: string): Promise<ExternalAccount> => {
  const { platformId } = caller
  const account = await db.externalAccount.findFirst({ where: { platformId, id, ...visibleTo(caller) } })
  if (!account) throw unknown('account')
  requireActive([account], 'The external account is not active')
  return account
}

const findCustomer = async (caller: Caller, id: string): Promise<Customer> => {
  const { platformId } = caller
  const isOther = caller.scheme === 'AGENT' && caller.customerId !== id
  const customer = isOther ? null : await db.customer.findFirst({ where: { platformId, id, isDeleted: false } })
  if (!customer) throw new ApiError('USER_NOT_FOUND', 'There is no such customer')
  return customer
}

/** The customer whose payment it is: approved, or 403 `USER_NOT_READY`. Null for one of the platform itself. */
export const payerOf = async (
  { platformId }: Pick<Caller, 'platformId'>,
  id: string | null,
  on: Tx | typeof db = db,
) => {
  if (id === null) return null
  const customer = await on.customer.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  const { isDeleted, verificationStatus } = customer
  if (isDeleted) throw notReady('The customer is deleted')
  if (verificationStatus !== 'APPROVED') {
    const isUnderReview = verificationStatus === 'HOLD' || verificationStatus === 'PENDING'
    throw notReady('The customer is not approved', isUnderReview ? 'CUSTOMER_UNDER_REVIEW' : undefined)
  }
  return customer
}

/**
 * When it leaves, or is asked for outside: what was so when it was made may have changed. 403 `USER_NOT_READY`, as `findEnds` says it.
 * It locks nothing: an account that the caller has not locked may change a moment later.
 */
export const requireReady = async (tx: Tx, caller: Pick<Caller, 'platformId'>, payment: Transaction): Promise<void> => {
  const { platformId } = caller
  const here = [payment.sourceInternalAccountId, payment.destinationInternalAccountId].filter((id) => id !== null)
  const outside = [payment.sourceExternalAccountId, payment.destinationExternalAccountId].filter((id) => id !== null)
  const statusesOf = (ids: readonly string[]) => ({
    where: { platformId, id: { in: [...ids] } },
    select: { status: true },
  })
  requireActive(await tx.internalAccount.findMany(statusesOf(here)), 'The account is not active')
  if (outside.length > 0) {
    requireActive(await tx.externalAccount.findMany(statusesOf(outside)), 'The external account is not active')
  }
  await payerOf(caller, payment.customerId, tx)
}

const unknown = (what: string) => new ApiError('REFERENCE_NOT_FOUND', `There is no such ${what}`)

type AccountStatus = (InternalAccount | ExternalAccount)['status']

/** The states that may pass by themselves. The others are final, and give no reason. */
const PASSING: Partial<Record<AccountStatus, string>> = {
  FROZEN: 'ACCOUNT_FROZEN',
  PENDING: 'ACCOUNT_PENDING',
  UNDER_REVIEW: 'ACCOUNT_PENDING',
}

const requireActive = (accounts: readonly { readonly status: AccountStatus }[], message: string): void => {
  const idle = accounts.filter(({ status }) => status !== 'ACTIVE').map(({ status }) => PASSING[status])
  if (idle.length > 0) throw notReady(message, idle.includes(undefined) ? undefined : idle[0])
}

const notReady = (message: string, reason?: string) =>
  new ApiError('USER_NOT_READY', message, reason === undefined ? undefined : { reason })
