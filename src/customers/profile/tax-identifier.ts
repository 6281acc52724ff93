// Tax numbers of persons: stored encrypted, never returned.
import { invalidInput } from '#core/errors.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import type { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Profile } from './profile.ts'

/** The forms of tax numbers of the United States. Others may have any form. */
export const TAX_NUMBERS: Readonly<Record<string, RegExp>> = {
  SSN: /^\d{3}-?\d{2}-?\d{4}$/,
  ITIN: /^9\d{2}-?\d{2}-?\d{4}$/,
  EIN: /^\d{2}-?\d{7}$/,
}

/** 400 `INVALID_INPUT` if the number does not have the form of its type. */
export const checkTaxIdentifier = (type: Profile['taxIdType'], identifier: string | null | undefined): void => {
  const pattern = type && TAX_NUMBERS[type]
  if (!pattern || !identifier || pattern.test(identifier)) return
  throw invalidInput('taxIdentifier', `taxIdentifier must be an ${type}`, { pattern: pattern.source })
}

/** Authenticated with the ciphertext, so that it cannot be moved to another customer. */
const ownerOf = (platformId: string, customerId: string) => `tax identifier ${platformId} ${customerId}`

export const sealTaxIdentifier = (identifier: string, platformId: string, customerId: string) =>
  sealSecret(identifier, ownerOf(platformId, customerId))

/** Throws if the number was encrypted with another master key, or for another customer. */
export const openTaxIdentifier = (sealed: Uint8Array, platformId: string, customerId: string): string =>
  openSecret(sealed, ownerOf(platformId, customerId)).toString('utf8')

/** The stored tax number, or null. No API returns it. */
export const readTaxIdentifier = async (
  reader: Tx | typeof db,
  platformId: string,
  customerId: string,
): Promise<string | null> => {
  const found = await reader.customerSecrets.findUnique({
    where: { platformId_customerId: { platformId, customerId } },
  })
  return found && openTaxIdentifier(found.taxIdentifierSealed, platformId, customerId)
}
