// Recovery codes replace the codes of a lost authenticator app. Each can be used once (docs/domain/sca.md#recovery-codes).
import { randomBytes } from 'node:crypto'
import { deriveSecretKey, mac } from '#core/keys.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Place } from '#sca/lockout.ts'

const COUNT = 10
/** 80 bits cannot be guessed, so a fast HMAC protects the codes as well as a slow hash. */
const BYTES = 10
/** Crockford's base 32: no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const key = deriveSecretKey('recovery code')

const newCode = (): string => {
  const bits = [...randomBytes(BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

/** Null for text that is not a recovery code. People write O for 0, and I and L for 1. */
const canonical = (text: string): string | null => {
  const letters = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return letters.length === 16 && [...letters].every((letter) => ALPHABET.includes(letter)) ? letters : null
}

/** Bound to the customer. */
const macOf = ({ platformId, id }: Place, letters: string) => new Uint8Array(mac(key, `${platformId} ${id} ${letters}`))

/** Replaces the codes of the customer with ten new ones, which are never shown again. */
export const issueRecoveryCodes = async (tx: Tx, customer: Place): Promise<string[]> => {
  const { platformId, id } = customer
  const codes = Array.from({ length: COUNT }, newCode)
  await deleteRecoveryCodes(tx, customer)
  for (const code of codes) {
    const codeMac = macOf(customer, code.replaceAll('-', ''))
    await tx.$executeRaw`
      insert into sca_recovery_codes (platform_id, customer_id, code_mac) values (${platformId}::uuid, ${id}::uuid, ${codeMac})`
  }
  return codes
}

export const deleteRecoveryCodes = (tx: Tx, { platformId, id }: Place) =>
  tx.$executeRaw`delete from sca_recovery_codes where platform_id = ${platformId}::uuid and customer_id = ${id}::uuid`

/** Uses the code up in the transaction, and returns false if it was used before. Null if it is not one of the customer's codes. */
export const findRecoveryCode = async (
  customer: Place,
  text: string,
): Promise<((tx: Tx) => Promise<boolean>) | null> => {
  const letters = canonical(text)
  if (letters === null) return null
  const { platformId, id } = customer
  const codeMac = macOf(customer, letters)
  const found = await db.$queryRaw<object[]>`
    select from sca_recovery_codes
    where platform_id = ${platformId}::uuid and customer_id = ${id}::uuid and code_mac = ${codeMac}`
  if (found.length === 0) return null
  return async (tx) => {
    const used = await tx.$executeRaw`
      delete from sca_recovery_codes
      where platform_id = ${platformId}::uuid and customer_id = ${id}::uuid and code_mac = ${codeMac}`
    return used === 1
  }
}
