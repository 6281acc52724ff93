// One-time codes by email and SMS (docs/domain/credentials.md#one-time-codes). The client sends the code encrypted to a key made for it.
// Only an HMAC of the code is stored.
import { lockAccounts } from '#accounts/lock.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import type { MagicTable } from '#core/magic-values.ts'
import { requireLive } from '#credentials/credential.ts'
import { type OtpBundle, otpTargetBundle, readOtpProof } from '#credentials/crypto/bundles.ts'
import { open } from '#credentials/crypto/hpke.ts'
import { generateKeyPair } from '#credentials/crypto/p256.ts'
import { db, identifier } from '#database/db.ts'
import { sending } from '#database/round-trips.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { AuthMethod } from '#generated/prisma/client.ts'
import { isOtpType } from './address.ts'
import { requireQuietAddress } from './codes-to-address.ts'
import { deliverCode } from './delivery.ts'
import { consumeCodeAttempt, giveBackCodeAttempt, isCode, MAX_TRIES, macOfCode, newCode } from './one-time-code.ts'
import { MESSAGE_STYLE } from './settings.ts'

const SANDBOX_CODE = '000000'

export const WALLET_CODES: MagicTable = {
  name: 'WALLET_CODE',
  place: 'The one-time code of an EMAIL_OTP or SMS_OTP credential. Nothing is sent.',
  match: 'CODE',
  values: { [SANDBOX_CODE]: { effect: 'The code is right.', outcome: true } },
  otherwise: { effect: 'The code is wrong.', outcome: false },
}
const CODES = identifier('otp_challenges')

export interface SentCode {
  readonly code: string
  readonly expirationSeconds: number
}

/** Sends a new code. 503 `SERVICE_UNAVAILABLE` unless it was accepted for delivery. 429 `RATE_LIMITED` after too many codes to the address. */
export const sendCode = async ({ environment }: PlatformCaller, credential: AuthMethod): Promise<SentCode> => {
  const { platformId, type, nickname } = credential
  if (!isOtpType(type)) throw new Error('Only one-time codes are sent')
  await requireQuietAddress(credential)
  const { otpLength, otpAlphanumeric, otpExpirationSeconds, ...style } = await db.platform.findUniqueOrThrow({
    where: { id: platformId },
    select: { otpLength: true, otpAlphanumeric: true, otpExpirationSeconds: true, ...MESSAGE_STYLE },
  })
  const code = environment === 'SANDBOX' ? SANDBOX_CODE : newCode(otpLength, otpAlphanumeric)
  await deliverCode(environment, { type, to: nickname, code, expirationSeconds: otpExpirationSeconds, style })
  return { code, expirationSeconds: otpExpirationSeconds }
}

/**
 * Stores the code that was sent; earlier codes become void. Returns the bundle to encrypt it to. When the credential was revoked meanwhile
 * nothing changes and the error is 404 `REFERENCE_NOT_FOUND`; when its address changed, 503 `SERVICE_UNAVAILABLE`.
 */
export const keepCode = async (
  caller: PlatformCaller,
  { id: authMethodId, accountId, nickname }: AuthMethod,
  customerId: string,
  { code, expirationSeconds }: SentCode,
): Promise<string> => {
  const { platformId } = caller
  const target = generateKeyPair()
  const id = newUuid()
  const codeMac = macOfCode(id, code)
  const keySealed = Buffer.from(sealSecret(target.privateKey, ownerOf(platformId, id)))
  await inTransaction(async (tx) => {
    await lockAccounts(tx, caller, [accountId])
    await requireLive(sending(tx), caller, authMethodId)
    const reached = await tx.$executeRaw`
      update auth_methods set updated_at = now()
      where platform_id = ${platformId}::uuid and id = ${authMethodId}::uuid and nickname = ${nickname}`
    if (reached !== 1) {
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'The address changed while the code was being sent. Request another code',
      )
    }
    await tx.$executeRaw`
      insert into otp_challenges (platform_id, auth_method_id, id, code_mac, target_key_sealed, expires_at)
      values (${platformId}::uuid, ${authMethodId}::uuid, ${id}::uuid, ${codeMac}, ${keySealed},
        now() + make_interval(secs => ${expirationSeconds}))
      on conflict (platform_id, auth_method_id) do update set id = excluded.id, code_mac = excluded.code_mac,
        target_key_sealed = excluded.target_key_sealed, expires_at = excluded.expires_at, created_at = excluded.created_at, tries = 0`
  })
  return otpTargetBundle({ targetPublic: target.publicKey, organizationId: accountId, userId: customerId })
}

interface CheckedCode {
  readonly otpId: string
  /** The public key that came with the code, which is that of the new session. Uncompressed. */
  readonly publicKey: Uint8Array
}

/** 401 `UNAUTHORIZED` unless the bundle decrypts to the pending code. The third wrong attempt voids the code. */
export const checkCode = async (
  { platformId, id }: AuthMethod,
  { encapsulatedKey, box }: OtpBundle,
): Promise<CheckedCode> => {
  const [pending] = await db.$queryRaw<{ id: string; code_mac: Uint8Array; target_key_sealed: Uint8Array }[]>`
    select id, code_mac, target_key_sealed from otp_challenges
    where platform_id = ${platformId}::uuid and auth_method_id = ${id}::uuid and expires_at > now() and tries < ${MAX_TRIES}`
  if (!pending) throw notPending()
  const targetKey = openSecret(pending.target_key_sealed, ownerOf(platformId, pending.id))
  const plain = await open(targetKey, encapsulatedKey, box)
  if (!plain) throw new ApiError('UNAUTHORIZED', 'The bundle does not decrypt', { reason: 'OTP_BUNDLE' })
  const { code, publicKey } = readOtpProof(plain)
  if (!(await consumeCodeAttempt(CODES, platformId, pending.id))) throw notPending()
  if (!isCode(pending.id, code, pending.code_mac)) {
    await db.$executeRaw`
      delete from otp_challenges where platform_id = ${platformId}::uuid and id = ${pending.id}::uuid and tries >= ${MAX_TRIES}`
    throw new ApiError('UNAUTHORIZED', 'Invalid OTP code', { reason: 'OTP_CODE' })
  }
  return { otpId: pending.id, publicKey }
}

/** Gives back the try of a code that was right but could not be spent. */
export const giveBackTry = (platformId: string, otpId: string) => giveBackCodeAttempt(CODES, platformId, otpId)

/** Deletes the code and the key that it was encrypted to. */
export const spendCode = async (tx: Tx, platformId: string, otpId: string) => {
  const spent = await tx.$executeRaw`
    delete from otp_challenges where platform_id = ${platformId}::uuid and id = ${otpId}::uuid`
  if (spent !== 1) throw notPending()
}

const notPending = () =>
  new ApiError('UNAUTHORIZED', 'No pending OTP for this credential', { reason: 'OTP_NOT_PENDING' })

/** Authenticated with the ciphertext, so that it cannot be moved to another row. */
const ownerOf = (platformId: string, id: string) => `otp ${platformId} ${id}`
