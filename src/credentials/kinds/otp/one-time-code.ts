// What one-time codes of every kind have in common: how they are made and compared, and how tries are counted.
import { randomInt, timingSafeEqual } from 'node:crypto'
import { deriveSecretKey, mac } from '#core/keys.ts'
import { db, type Sql, sql } from '#database/db.ts'

/** A code is void after this many wrong tries. */
export const MAX_TRIES = 3

const DIGITS = '0123456789'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

const codeKey = deriveSecretKey('one-time code')

export const newCode = (length = 6, isAlphanumeric = false): string => {
  const alphabet = isAlphanumeric ? DIGITS + LETTERS : DIGITS
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** What is stored of the code: an HMAC that is valid for the row with this id only. */
export const macOfCode = (id: string, code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(mac(codeKey, `${id} ${code}`))

/** Compares in constant time. */
export const isCode = (id: string, code: string, codeMac: Uint8Array): boolean =>
  timingSafeEqual(macOfCode(id, code), codeMac)

/**
 * Counts a try, and commits it before the code is compared, so that concurrent guesses get at most three answers in all. False when the
 * code is void or expired.
 */
export const consumeCodeAttempt = async (codes: Sql, platformId: string, id: string): Promise<boolean> => {
  const taken = await db.$executeRaw(sql`
    update ${codes} set tries = tries + 1
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and expires_at > now() and tries < ${MAX_TRIES}`)
  return taken === 1
}

/** Gives a try back whose code was right, but whose effect failed. */
export const giveBackCodeAttempt = async (codes: Sql, platformId: string, id: string): Promise<void> => {
  await db.$executeRaw(sql`
    update ${codes} set tries = greatest(0, tries - 1) where platform_id = ${platformId}::uuid and id = ${id}::uuid`)
}
