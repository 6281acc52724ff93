// Registers an announced payment from a UMA address, which waits for the platform's approval (docs/domain/transactions.md#incoming-uma-payments).
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import { type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Customer, Transaction } from '#generated/prisma/client.ts'
import { counterpartyFieldsOf, customerFieldsOf } from '#platforms/settings/customer-fields.ts'
import type { CustomerInfoField } from '#platforms/settings/customer-info-fields.ts'
import { movePayment } from '#settlement/payment-status.ts'
import { newReference } from '#settlement/reference.ts'
import { counterpartyColumn } from '#transactions/rate-details.ts'

export interface Announced {
  readonly senderUmaAddress: string
  readonly receiver: Customer
  /** What the receiver gets, in the smallest unit of the currency. */
  readonly amount: bigint
  readonly currency: string
  /** The facts that the sender gives about itself, by the names of `counterpartyInformation`. */
  readonly senderInfo: Readonly<Record<string, string>>
}

/**
 * Writes the payment, first CREATED and then PENDING. Throws 400 `INVALID_CURRENCY` if the receiver has no account in the currency, and 400
 * `SELF_PAYMENT` if it is the sender.
 */
export const announceUmaPayment = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  { senderUmaAddress, receiver, amount, currency, senderInfo }: Announced,
): Promise<Transaction> => {
  if (receiver.umaAddress.toLowerCase() === senderUmaAddress.toLowerCase()) {
    throw new ApiError('SELF_PAYMENT', 'The sender and the receiver have the same UMA address', {
      field: 'senderUmaAddress',
    })
  }
  const destination = await destinationOf(tx, platformId, receiver, currency)
  const createdAt = await timeOf(tx)
  const requested = await requestedOf(tx, receiver, currency)
  const payment = await tx.transaction.create({
    data: {
      platformId,
      id: newUuid(),
      type: 'INCOMING',
      direction: 'CREDIT',
      status: 'CREATED',
      customerId: receiver.id,
      platformCustomerId: receiver.platformCustomerId,
      createdAt,
      updatedAt: createdAt,
      sourceType: 'UMA_ADDRESS',
      sourceUmaAddress: senderUmaAddress,
      destinationType: 'ACCOUNT',
      ...destination,
      destinationCurrency: currency,
      receivedAmount: amount,
      receivedCurrency: currency,
      ...counterpartyColumn(senderInfo),
      ...(requested.length > 0 && { requestedReceiverCustomerInfoFields: requested }),
    },
  })
  await movePayment(tx, platformId, payment, 'PENDING', { reconciliationReference: newReference() })
  return payment
}

/** The customer's deposit account for UMA payments if it has the currency, otherwise its internal account. */
const destinationOf = async (tx: Tx, platformId: PlatformId, { id: customerId }: Customer, currency: string) => {
  const deposits = await tx.externalAccount.findFirst({
    where: { platformId, customerId, currency, defaultUmaDepositAccount: true, deletedAt: null, status: 'ACTIVE' },
  })
  if (deposits) return { destinationExternalAccountId: deposits.id }
  const account = await tx.internalAccount.findFirst({
    where: { platformId, customerId, currency, status: 'ACTIVE' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  if (account) return { destinationInternalAccountId: account.id }
  throw new ApiError('INVALID_CURRENCY', 'The customer has no active account in this currency', {
    field: 'receivingCurrencyCode',
  })
}

/**
 * What the sender's provider needs to know about the receiver and the service does not know. The platform must supply it (see
 * `receiverCustomerInfo`).
 */
const requestedOf = async (tx: Tx, receiver: Customer, currency: string) => {
  const known = await knownFactsOf(tx, receiver)
  return [...new Set([...customerFieldsOf(currency), ...counterpartyFieldsOf(currency)])]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, mandatory: true }))
}

interface Profile {
  readonly birthDate?: string
  readonly nationality?: string
  readonly address?: object
  readonly businessInfo?: { readonly incorporatedOn?: string; readonly country?: string; readonly taxId?: string }
}

const knownFactsOf = async (tx: Tx, { platformId, id, name, profile }: Customer): Promise<Set<CustomerInfoField>> => {
  const { birthDate, nationality, address, businessInfo } = (profile ?? {}) as Profile
  const secrets = await tx.customerSecrets.count({ where: { platformId, customerId: id } })
  const facts: readonly (readonly [CustomerInfoField, unknown])[] = [
    ['FULL_NAME', name],
    ['BIRTH_DATE', birthDate ?? businessInfo?.incorporatedOn],
    ['NATIONALITY', nationality ?? businessInfo?.country],
    ['POSTAL_ADDRESS', address],
    ['TAX_ID', businessInfo?.taxId ?? (secrets > 0 ? 'sealed' : null)],
  ]
  return new Set(facts.flatMap(([fact, value]) => (value === null || value === undefined ? [] : [fact])))
}

export interface RequestedField {
  readonly name: string
  readonly mandatory: boolean
}

/** 400 `MISSING_MANDATORY_USER_INFO` unless the platform supplies what the sender of the payment must know. */
export const requireReceiverInfo = (
  { requestedReceiverCustomerInfoFields: requested }: Transaction,
  supplied: Readonly<Record<string, string>> | null | undefined,
): void => {
  const missing = ((requested ?? []) as unknown as readonly RequestedField[])
    .filter(({ name, mandatory }) => mandatory && !supplied?.[name]?.trim())
    .map(({ name }) => name)
  if (missing.length === 0) return
  const field = 'receiverCustomerInfo'
  const message = `${field} must contain ${missing.join(', ')}`
  throw new ApiError('MISSING_MANDATORY_USER_INFO', message, { field, requiredFields: missing })
}
