// Checks Lightning destinations: invoices (BOLT 11), offers (BOLT 12) and addresses (LUD-16).
import { bech32 } from '@scure/base'
import type { Environment } from '#core/caller.ts'

const PREFIX = /^ln(bc|tb|bcrt|tbs)(?:[1-9]\d*[munp]?)?$/
const TIMESTAMP_WORDS = 7
const SIGNATURE_WORDS = 104
/** Words of a payment hash and of a payment secret. Fields of another length are skipped. */
const HASH_WORDS = 52

const [HASH, SECRET, DESCRIPTION, DESCRIPTION_HASH] = [1, 16, 13, 23]

/** It decodes, belongs to the network, and has a payment hash, a payment secret and a description. */
export const isBolt11 = (value: string, environment: Environment): boolean => {
  const decoded = bech32.decodeUnsafe(value, false)
  const network = decoded && PREFIX.exec(decoded.prefix)?.[1]
  if (!decoded || !network || (environment === 'PRODUCTION' && network !== 'bc')) return false
  const found = tagsOf(decoded.words.slice(TIMESTAMP_WORDS, -SIGNATURE_WORDS))
  return (
    found !== undefined &&
    decoded.words.length >= TIMESTAMP_WORDS + SIGNATURE_WORDS &&
    found.get(HASH) === HASH_WORDS &&
    found.get(SECRET) === HASH_WORDS &&
    (found.has(DESCRIPTION) || found.get(DESCRIPTION_HASH) === HASH_WORDS)
  )
}

/** The tags of the fields with their lengths in words. Undefined if the last one is cut off. */
const tagsOf = (words: readonly number[]): Map<number, number> | undefined => {
  const tags = new Map<number, number>()
  let at = 0
  while (at < words.length) {
    const [tag = 0, high = 0, low = 0] = words.slice(at, at + 3)
    const length = high * 32 + low
    at += 3 + length
    if (at > words.length) return undefined
    const isSkipped = (tag === HASH || tag === SECRET || tag === DESCRIPTION_HASH) && length !== HASH_WORDS
    if (!isSkipped) tags.set(tag, length)
  }
  return tags
}

const OFFER = /^lno1[a-z0-9]+(?:\+\s*[a-z0-9]+)*$/
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** The types of an offer's fields (BOLT 12). */
const isOfferType = (type: bigint) => (type >= 1n && type <= 79n) || (type >= 1_000_000_000n && type <= 1_999_999_999n)

/** Bech32 without a checksum, in parts joined by `+`: fields of rising types whose lengths fit. */
export const isBolt12 = (value: string): boolean => {
  const isOneCase = value === value.toLowerCase() || value === value.toUpperCase()
  const lower = value.toLowerCase()
  if (!isOneCase || !OFFER.test(lower)) return false
  const words = [...lower.replaceAll(/\+\s*/g, '').slice('lno1'.length)].map((letter) => ALPHABET.indexOf(letter))
  if (words.includes(-1)) return false
  const bytes = bech32.fromWordsUnsafe(words)
  return !!bytes && bytes.length > 0 && hasRisingFields(Buffer.from(bytes))
}

const hasRisingFields = (bytes: Buffer): boolean => {
  let at = 0
  let last = -1n
  while (at < bytes.length) {
    const type = bigSizeAt(bytes, at)
    const length = type && bigSizeAt(bytes, type.end)
    if (!type || !length || type.value <= last || !isOfferType(type.value)) return false
    last = type.value
    at = length.end + Number(length.value)
  }
  return at === bytes.length
}

/** The first byte says how many bytes follow. Only the shortest form is valid. */
const BIG_SIZES: Readonly<Record<number, readonly [bytes: number, least: bigint]>> = {
  253: [2, 0xfdn],
  254: [4, 0x1_0000n],
  255: [8, 0x1_0000_0000n],
}

const bigSizeAt = (bytes: Buffer, at: number): { readonly value: bigint; readonly end: number } | undefined => {
  const first = bytes[at]
  if (first === undefined) return undefined
  const form = BIG_SIZES[first]
  if (!form) return { value: BigInt(first), end: at + 1 }
  const [size, least] = form
  const end = at + 1 + size
  if (end > bytes.length) return undefined
  const value = BigInt(`0x${bytes.subarray(at + 1, end).toString('hex')}`)
  return value >= least ? { value, end } : undefined
}

const LIGHTNING_ADDRESS = /^[a-z0-9._+-]{1,64}@(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

export const isLightningAddress = (value: string) => LIGHTNING_ADDRESS.test(value)
