// The two ends of a payment: accounts that exist, are the caller's to use, and can send or receive.
import type { Caller } from '#core/caller.ts'
import { CURRENCIES } from '#core/currencies.ts'
import { db } from '#core/db.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import type { Customer, ExternalAccount, InternalAccount, PaymentRail } from '#generated/prisma/client.ts'
import type { QuoteRequest } from './quote-request.ts'

/** Without an account the money is pushed to the service in real time. */
export interface Sender {
  readonly account: InternalAccount | null
  readonly currency: string
  readonly network: string | null
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

const STABLECOINS = ['USDC', 'USDT']

export const findEnds = async (caller: Caller, { source, destination, lookupId }: QuoteRequest): Promise<Ends> => {
  if (destination.destinationType === 'UMA_ADDRESS') {
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
  if (named && named.id !== ownerId) throw unknown('customer')
  const customer = ownerId === null ? null : await findCustomer(caller, ownerId)
  if (customer && customer.verificationStatus !== 'APPROVED') throw notReady('The customer is not approved')
  return { sender, receiver, customer }
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

const fundedBy = ({ currency, cryptoNetwork }: Extract<QuoteRequest['source'], { sourceType: 'REALTIME_FUNDING' }>) => {
  if (!CURRENCIES.has(currency))
    throw new ApiError('INVALID_CURRENCY', 'The currency is not known', { field: 'source.currency' })
  if (STABLECOINS.includes(currency) && !cryptoNetwork) {
    throw invalidInput('source.cryptoNetwork', 'source.cryptoNetwork is needed for a stablecoin')
  }
  return { account: null, currency, network: cryptoNetwork ?? null }
}

const receiverOf = async (caller: Caller, accountId: string, rail: PaymentRail | null): Promise<Receiver> => {
  if (parseId(accountId)?.kind === 'InternalAccount') {
    const internal = await findInternalAccount(caller, uuidOf(accountId))
    return { internal, external: null, currency: internal.currency, rail: null }
  }
  const external = await findExternalAccount(caller, uuidOf(accountId))
  if (rail && !railsOf(external).includes(rail)) {
    throw invalidInput('destination.paymentRail', 'The account cannot be paid over this rail', {
      enum: railsOf(external),
    })
  }
  return { internal: null, external, currency: external.currency, rail }
}

/** The rails of an external account, the preferred one first. */
export const railsOf = ({ accountInfo }: ExternalAccount): PaymentRail[] => {
  const { paymentRails } = accountInfo as { paymentRails?: PaymentRail[] }
  return paymentRails ?? []
}

const ownerOf = ({ internal, external }: Receiver) => (internal ?? external)?.customerId ?? null

/** What an agent may name: what is its customer's. */
const visibleTo = (caller: Caller) => (caller.scheme === 'AGENT' ? { customerId: caller.customerId } : {})

export const findInternalAccount = async (caller: Caller, id: string): Promise<InternalAccount> => {
  const { platformId } = caller
  const account = await db.internalAccount.findFirst({ where: { platformId, id, ...visibleTo(caller) } })
  if (!account) throw unknown('account')
  if (account.status !== 'ACTIVE') throw notReady('The account is not active')
  return account
}

export const findExternalAccount = async (caller: Caller, id: string): Promise<ExternalAccount> => {
  const { platformId } = caller
  const account = await db.externalAccount.findFirst({ where: { platformId, id, ...visibleTo(caller) } })
  if (!account) throw unknown('account')
  if (account.status !== 'ACTIVE') throw notReady('The external account is not active')
  return account
}

const findCustomer = async (caller: Caller, id: string): Promise<Customer> => {
  const { platformId } = caller
  const isOther = caller.scheme === 'AGENT' && caller.customerId !== id
  const customer = isOther ? null : await db.customer.findFirst({ where: { platformId, id, isDeleted: false } })
  if (!customer) throw unknown('customer')
  return customer
}

const unknown = (what: string) => new ApiError('REFERENCE_NOT_FOUND', `There is no such ${what}`)
const notReady = (message: string) => new ApiError('USER_NOT_READY', message)
