// The blockchain address at which a quote is funded. Each quote has its own address, whose key is derived from the master key and the quote's id.
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32m } from '@scure/base'
import bs58check from 'bs58check'
import { checksummed } from '#accounts/types/address-checks.ts'
import { deriveKey } from '#core/keys.ts'

/** Two quotes never share an address: that would be a collision of SHA-256. */
export const depositAddress = (network: DepositNetwork, quoteId: string): string =>
  addressOf(network, deriveKey(`deposit ${network} ${quoteId}`))

export const addressOf = (network: DepositNetwork, key: Uint8Array): string => ADDRESS_OF[network](key)

/** A Spark address is a protobuf message, whose first field is the compressed public key. This is the prefix of the test network. */
const sparkAddress = (key: Uint8Array) =>
  bech32m.encodeFromBytes('sparkrt', Buffer.from([0x0a, 33, ...secp256k1.getPublicKey(key, true)]))

/** The last 20 bytes of the hashed public key (Ethereum yellow paper, appendix F). */
const accountOf = (key: Uint8Array) => keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(-20)

const ethereumAddress = (key: Uint8Array) => `0x${checksummed(Buffer.from(accountOf(key)).toString('hex'))}`

const TRON_PREFIX = 0x41

const ADDRESS_OF = {
  SOLANA: (key: Uint8Array) => base58.encode(ed25519.getPublicKey(key)),
  TRON: (key: Uint8Array) => bs58check.encode(Buffer.from([TRON_PREFIX, ...accountOf(key)])),
  POLYGON: ethereumAddress,
  BASE: ethereumAddress,
  ETHEREUM: ethereumAddress,
  SPARK: sparkAddress,
} as const

export type DepositNetwork = keyof typeof ADDRESS_OF
