// Keys of wallets outside, and their signatures as wallets make them.
import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

export const newEvmWallet = () => {
  const privateKey = new Uint8Array(randomBytes(32))
  const account = keccak_256(secp256k1.getPublicKey(privateKey, false).subarray(1)).subarray(-20)
  return { privateKey, address: `0x${hexOf(account)}` }
}

/** `personal_sign` of EIP-191. */
export const signAsEvm = (privateKey: Uint8Array, message: string, firstV = 27): string => {
  const text = Buffer.from(message, 'utf8')
  const hash = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]))
  const [recovery = 0, ...signature] = secp256k1.sign(hash, privateKey, { prehash: false, format: 'recovered' })
  return `0x${hexOf(Uint8Array.from([...signature, recovery + firstV]))}`
}

export const newSolanaWallet = () => {
  const privateKey = new Uint8Array(randomBytes(32))
  return { privateKey, address: base58.encode(ed25519.getPublicKey(privateKey)) }
}

export const signAsSolana = (privateKey: Uint8Array, message: string): string =>
  base58.encode(ed25519.sign(new TextEncoder().encode(message), privateKey))
