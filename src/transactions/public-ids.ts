// The ids of the owner of a transaction as callers see them.
import { publicId } from '#core/ids.ts'
import type { Transaction } from './transaction.ts'

/** The customer's id, or for a transaction of the platform itself the id of its configuration. */
const ownerId = ({ customerId, platformId }: Pick<Transaction, 'customerId' | 'platformId'>) =>
  customerId === null ? publicId('PlatformConfig', platformId) : publicId('Customer', customerId)

/** The customer's id in the platform's own system, or for a transaction of the platform itself the id of its configuration. */
export const platformOwnerId = (
  transaction: Pick<Transaction, 'platformCustomerId' | 'customerId' | 'platformId'>,
): string => transaction.platformCustomerId ?? ownerId(transaction)
