// The ids of a transaction and of its owner as callers see them.
import { publicId } from '#core/ids.ts'
import type { Transaction } from './transaction.ts'

export const transactionId = ({ type, id }: Transaction) =>
  publicId(type === 'CARD' ? 'CardTransaction' : 'Transaction', id)

/** The customer's id, or for a transaction of the platform itself the id of its configuration. */
export const ownerId = ({ customerId, platformId }: Pick<Transaction, 'customerId' | 'platformId'>) =>
  customerId === null ? publicId('PlatformConfig', platformId) : publicId('Customer', customerId)

/** The customer's id in the platform's own system, or for a transaction of the platform itself the id of its configuration. */
export const platformOwnerId = (
  transaction: Pick<Transaction, 'platformCustomerId' | 'customerId' | 'platformId'>,
): string => transaction.platformCustomerId ?? ownerId(transaction)

/** The internal account that funded a card transaction. */
export const cardAccountId = ({ sourceInternalAccountId, destinationInternalAccountId }: Transaction): string =>
  sourceInternalAccountId ?? destinationInternalAccountId ?? ''
