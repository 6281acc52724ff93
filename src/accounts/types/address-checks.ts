// Checks blockchain addresses. An address must decode as its network defines, and it must be possible to spend its money.

import { ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32m } from '@scure/base'
import bs58check from 'bs58check'
import { ACCOUNT_SUFFIXES } from '#accounts/external/suffix.ts'
import type { Environment } from '#core/caller.ts'

/** No one holds the keys of these addresses: system programs, and the contracts and mints of the tokens themselves. */
const LOSSES: ReadonlySet<string> = new Set([
  '0x0000000000000000000000000000000000000000',
  // USDC and USDT of Ethereum, Base and Polygon. On the last two there is also a USDC that a bridge has issued.
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0xdac17f958d2ee523a2206206994597c13d831ec7',
  '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca',
  '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2',
  '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  '0x2791bca1f2de4661ed88a30c99a7a9449aa84174',
  '0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
  '11111111111111111111111111111111',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
])

/** The checksum in the case of the letters (EIP-55). An address in a single case has no checksum. */
export const checksummed = (hex: string) => {
  const hash = Buffer.from(keccak_256(Buffer.from(hex, 'ascii'))).toString('hex')
  return [...hex].map((digit, at) => (Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')
}

export const isEvmAddress = (value: string) => {
  const hex = value.slice(2)
  const lower = hex.toLowerCase()
  return !LOSSES.has(`0x${lower}`) && (hex === lower || hex === hex.toUpperCase() || hex === checksummed(lower))
}

const bytesOf = (decode: () => Uint8Array): Uint8Array => {
  try {
    return decode()
  } catch {
    return new Uint8Array()
  }
}

const MAGIC = new RegExp(`^[A-Za-z0-9]{29,41}(?:${ACCOUNT_SUFFIXES.join('|')})$`)

/** Ends in a suffix of `docs/domain/sandbox.md#magic-values`. Base58 has no 0, so a real address cannot end in one. */
const isMagic = (value: string, environment: Environment) => environment === 'SANDBOX' && MAGIC.test(value)

/** 32 bytes, which need not be a point on the curve. */
export const isSolanaAddress = (value: string, environment: Environment) =>
  isMagic(value, environment) || (!LOSSES.has(value) && bytesOf(() => base58.decode(value)).length === 32)

const TRON_PREFIX = 0x41

export const isTronAddress = (value: string, environment: Environment) => {
  if (isMagic(value, environment)) return true
  const bytes = bytesOf(() => bs58check.decode(value))
  return bytes.length === 21 && bytes[0] === TRON_PREFIX && !LOSSES.has(value)
}

const SPARK_MAIN = ['spark', 'sp']
const SPARK_TEST = ['sparkrt', 'sparkt', 'sparks', 'sparkl', 'sprt', 'spt', 'sps', 'spl']
const MAX_SPARK = 1_024

/** A protobuf message whose first field is a compressed public key on secp256k1. */
export const isSparkAddress = (value: string, environment: Environment) => {
  const decoded = bech32m.decodeUnsafe(value, MAX_SPARK)
  if (!decoded) return false
  const networks = environment === 'SANDBOX' ? [...SPARK_MAIN, ...SPARK_TEST] : SPARK_MAIN
  const [field, length, ...key] = bytesOf(() => bech32m.fromWords(decoded.words))
  return networks.includes(decoded.prefix) && field === 0x0a && length === 33 && isPublicKey(key.slice(0, 33))
}

const isPublicKey = (key: readonly number[]) => {
  try {
    return key.length === 33 && ECDH.convertKey(Uint8Array.from(key), 'secp256k1').length > 0
  } catch {
    return false
  }
}
