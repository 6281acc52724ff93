// Secrets that clients and the gateway encrypt for each other, in the wire formats of @turnkey/crypto.
import bs58check from 'bs58check'
import { z } from 'zod'
import type { Environment } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { parseStrictJson, parseStrictJsonBytes } from '#core/json/strict-json.ts'
import { seal } from './hpke.ts'
import { compressKey, parsePublicKey } from './p256.ts'
import { signData, signingPublicKey } from './signing-key.ts'

const VERSION = 'v1.0.0'
const FIELD = 'encryptedOtpBundle'
const MAX_LENGTH = 4096

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** `otpEncryptionTargetBundle`: the key to encrypt the code to, signed by this deployment. */
export const otpTargetBundle = (target: {
  readonly targetPublic: Uint8Array
  readonly organizationId: string
  readonly userId: string
}): string => {
  const data = Buffer.from(JSON.stringify({ ...target, targetPublic: toHex(target.targetPublic) }))
  return JSON.stringify({
    version: VERSION,
    data: toHex(data),
    dataSignature: signData(data),
    enclaveQuorumPublic: signingPublicKey,
  })
}

const otpBundle = z.strictObject({
  encappedPublic: z.string().regex(/^04[0-9a-fA-F]{128}$/),
  ciphertext: z.string().regex(/^(?:[0-9a-fA-F]{2})+$/),
})

export interface OtpBundle {
  readonly encapsulatedKey: Uint8Array
  readonly box: Uint8Array
}

/** `encryptedOtpBundle`, or 400 `INVALID_INPUT`. */
export const parseOtpBundle = (text: string): OtpBundle => {
  if (text.length > MAX_LENGTH) {
    throw invalidInput(FIELD, `${FIELD} must be at most ${MAX_LENGTH} characters`, { maxLength: MAX_LENGTH })
  }
  const { data } = otpBundle.safeParse(parseStrictJson(text))
  if (data === undefined) {
    throw invalidInput(
      FIELD,
      `${FIELD} must be JSON text with exactly encappedPublic (130 hex digits) and ciphertext (hex)`,
    )
  }
  const encapsulatedKey = parsePublicKey(data.encappedPublic)
  if (encapsulatedKey === undefined) {
    throw invalidInput(FIELD, `${FIELD} has an encappedPublic that is not a point on P-256`)
  }
  return { encapsulatedKey, box: Buffer.from(data.ciphertext, 'hex') }
}

const otpProof = z.strictObject({ otp_code: z.string().min(1), public_key: z.string() })

/** The code, and the public key of the new session as 65 bytes. 401 `UNAUTHORIZED` when the plaintext has a different form. */
export const readOtpProof = (plain: Uint8Array): { code: string; publicKey: Uint8Array } => {
  const { data } = otpProof.safeParse(parseStrictJsonBytes(plain))
  if (data === undefined) throw refused('must encrypt JSON with exactly the strings otp_code and public_key')
  const publicKey = parsePublicKey(data.public_key)
  if (publicKey === undefined) throw refused('must encrypt a public_key on P-256')
  return { code: data.otp_code, publicKey }
}

const refused = (problem: string) => new ApiError('UNAUTHORIZED', `${FIELD} ${problem}`, { reason: 'OTP_BUNDLE' })

/** `encryptedSessionSigningKey`: base58check of the encapsulated key (33 bytes) and the ciphertext (48 bytes). */
export const sealSessionKey = async (clientPublicKey: Uint8Array, privateKey: Uint8Array): Promise<string> => {
  const { encapsulatedKey, box } = await seal(clientPublicKey, privateKey)
  return bs58check.encode(Buffer.concat([compressKey(encapsulatedKey), box]))
}

/** `encryptedWalletCredentials`, which is not signed in the sandbox. */
export const sealWallet = async (
  mnemonic: string,
  clientPublicKey: Uint8Array,
  organizationId: string,
  environment: Environment,
): Promise<string> => {
  const { encapsulatedKey, box } = await seal(clientPublicKey, Buffer.from(mnemonic))
  const data = Buffer.from(
    JSON.stringify({ encappedPublic: toHex(encapsulatedKey), ciphertext: toHex(box), organizationId }),
  )
  const isSigned = environment === 'PRODUCTION'
  return JSON.stringify({
    version: VERSION,
    data: toHex(data),
    dataSignature: isSigned ? signData(data) : '',
    enclaveQuorumPublic: isSigned ? signingPublicKey : '',
  })
}
