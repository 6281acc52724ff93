// Lightning invoices (BOLT 11). Their keys and hashes are derived from the master key and the quote's id.
import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bech32 } from '@scure/base'
import { deriveKey } from '#core/keys.ts'

export interface LightningPayment {
  readonly quoteId: string
  readonly satoshis: bigint
  readonly createdAt: Date
  readonly expiresAt: Date
}

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

/** The invoice of this payment and of no other, on the test network of sandboxes (`lnbcrt…`). */
export const lightningInvoice = ({ quoteId, satoshis, createdAt, expiresAt }: LightningPayment): string => {
  const prefix = `lnbcrt${amountOf(satoshis)}`
  const seconds = Math.floor(createdAt.getTime() / 1_000)
  const data = [
    ...wordsOf(seconds, 7),
    ...field('p', bech32.toWords(sha256(deriveKey(`lightning preimage ${quoteId}`)))),
    ...field('s', bech32.toWords(deriveKey(`lightning secret ${quoteId}`))),
    ...field('d', bech32.toWords(Buffer.from(quoteId, 'utf8'))),
    ...field('x', wordsOf(Math.floor(expiresAt.getTime() / 1_000) - seconds, 4)),
    ...field('9', wordsOf(FEATURES, 3)),
  ]
  return bech32.encode(prefix, [...data, ...bech32.toWords(signatureOf(prefix, data))], false)
}

/** Bit 8 requires onions of variable length, bit 14 the payment secret (BOLT 9). */
const FEATURES = 2 ** 8 + 2 ** 14

/** Multipliers of a bitcoin, as BOLT 11 writes them: milli, micro and nano. */
const UNITS = [
  ['', 10n ** 8n],
  ['m', 10n ** 5n],
  ['u', 10n ** 2n],
] as const

/** The shortest form of an amount. One satoshi is ten nano-bitcoins. */
const amountOf = (satoshis: bigint): string => {
  const unit = UNITS.find(([, size]) => satoshis % size === 0n)
  return unit ? `${satoshis / unit[1]}${unit[0]}` : `${satoshis * 10n}n`
}

const WORD_BITS = 5
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** A number as this many words of five bits, the highest first. */
const wordsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => Math.floor(value / 2 ** (WORD_BITS * (length - 1 - index))) % 2 ** WORD_BITS)

/** A tagged field: its type, its length in words, its words. */
const field = (type: string, words: readonly number[]) => [
  ALPHABET.indexOf(type),
  ...wordsOf(words.length, 2),
  ...words,
]

/** Signs the prefix and the data, padded to whole bytes. The recovery id stands last. */
const signatureOf = (prefix: string, data: readonly number[]): Uint8Array => {
  const hash = sha256(Buffer.from(prefix, 'utf8'), bytesOf(data))
  const options = { prehash: false, format: 'recovered' } as const
  const [recovery = 0, ...signature] = secp256k1.sign(hash, deriveKey('lightning node'), options)
  return Uint8Array.from([...signature, recovery])
}

const bytesOf = (words: readonly number[]): Buffer => {
  const bits = words.map((word) => word.toString(2).padStart(WORD_BITS, '0')).join('')
  return Buffer.from(Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
}
