// Signatures by which the owner of a wallet proves that it holds the key (docs/domain/customers.md#ownership-of-wallets).
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import type { AccountType } from '#accounts/account-info.ts'

type Verify = (address: string, message: string, signature: string) => boolean

const bytes = (text: string) => new TextEncoder().encode(text)

/**
 * Ed25519 over the message. The signature is base58, as wallets write it. Like Solana, it refuses keys of small order: anyone can make
 * signatures that verify with them.
 */
const bySolana: Verify = (address, message, signature) =>
  ed25519.verify(base58.decode(signature), bytes(message), base58.decode(address), { zip215: false })

const EVM_SIGNATURE = /^0x[0-9a-fA-F]{130}$/

/** `personal_sign` (EIP-191): r, s and v, which is 0, 1, 27 or 28, in hexadecimal. */
const byEthereum: Verify = (address, message, signature) => {
  if (!EVM_SIGNATURE.test(signature)) return false
  const signed = Buffer.from(signature.slice(2), 'hex')
  const v = signed[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  if (recovery > 1) return false
  const text = bytes(message)
  const hash = keccak_256(Buffer.concat([bytes(`\x19Ethereum Signed Message:\n${text.length}`), text]))
  const recovered = secp256k1.Signature.fromBytes(
    Buffer.concat([Uint8Array.of(recovery), signed.subarray(0, 64)]),
    'recovered',
  )
  const key = recovered.recoverPublicKey(hash).toBytes(false)
  const account = Buffer.from(keccak_256(key.subarray(1)).subarray(-20)).toString('hex')
  return `0x${account}` === address.toLowerCase()
}

const VERIFIERS: Readonly<Partial<Record<AccountType, Verify>>> = {
  SOLANA_WALLET: bySolana,
  POLYGON_WALLET: byEthereum,
  BASE_WALLET: byEthereum,
  ETHEREUM_WALLET: byEthereum,
}

/** Whether wallets of this type can prove ownership by a signature. */
export const canSign = (type: AccountType): boolean => VERIFIERS[type] !== undefined

/** False also for a malformed signature and an address without a key. */
export const isSignedBy = (type: AccountType, ...[address, message, signature]: Parameters<Verify>): boolean => {
  try {
    return VERIFIERS[type]?.(address, message, signature) ?? false
  } catch {
    return false
  }
}
