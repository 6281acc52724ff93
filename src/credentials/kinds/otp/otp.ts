// The kinds EMAIL_OTP and SMS_OTP: one-time codes (docs/domain/credentials.md#one-time-codes). `code.ts` makes and checks
// the codes, `delivery.ts` sends them.
import { z } from 'zod'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { rawText } from '#core/input.ts'
import { CHALLENGES, giveBackAttempt } from '#credentials/attempt-limits.ts'
import { parseOtpBundle } from '#credentials/crypto/bundles.ts'
import { compressKey } from '#credentials/crypto/p256.ts'
import type { CredentialKind, Reader } from '#credentials/kinds/kind.ts'
import type { WalletAccount } from '#credentials/wallet/wallet-account.ts'
import { lockAddresses } from '#customers/provisioning.ts'
import { db } from '#database/db.ts'
import type { AuthMethod } from '#generated/prisma/client.ts'
import { ADDRESSES, type OtpType } from './address.ts'
import { checkCode, giveBackTry, keepCode, type SentCode, sendCode, spendCode } from './code.ts'
import { requireTransport } from './delivery.ts'
import { refuseTaken } from './taken.ts'

const registration = z.object({}).describe('One-time codes by email or SMS.')

const proof = z.object({
  encryptedOtpBundle: rawText.describe(
    'The code and the public key of the new session, encrypted to the bundle (HPKE): JSON text with `encappedPublic` and `ciphertext` in hex.',
  ),
})

/** The key that the client encrypts the code to, signed by the gateway. */
export interface OtpChallenge {
  readonly otpEncryptionTargetBundle: string
}

const otp = (
  type: OtpType,
  description: string,
): CredentialKind<typeof registration, null, typeof proof, OtpChallenge> => {
  const { column, name, activityOf } = ADDRESSES[type]

  const addressOf = async (reader: Reader, { platformId }: PlatformCaller, { customerId }: WalletAccount) => {
    const where = { platformId_id: { platformId, id: customerId } }
    return (await reader.customer.findUniqueOrThrow({ where }))[column]
  }

  const alreadyExists = () =>
    new ApiError(`${type}_CREDENTIAL_ALREADY_EXISTS`, `The account already has an ${type} credential`)

  const refuseDuplicate = async (reader: Reader, { platformId }: PlatformCaller, { id }: WalletAccount) => {
    const same = { platformId, accountId: id, type, revokedAt: null }
    if ((await reader.authMethod.count({ where: same })) > 0) throw alreadyExists()
  }

  return {
    description,
    registration,
    alreadyExists,
    columns: () => ({}),
    draft: async (caller, wallet) => {
      const address = await addressOf(db, caller, wallet)
      await refuseDuplicate(db, caller, wallet)
      if (address === null) throw new ApiError('MISSING_MANDATORY_USER_INFO', `The customer has no ${name}`)
      await refuseTaken(db, caller, { customerId: wallet.customerId, type, value: address })
      requireTransport(caller.environment, type)
      return { nickname: address, facts: null }
    },
    recheck: async (tx, caller, wallet, { nickname }) => {
      await refuseDuplicate(tx, caller, wallet)
      // The lock makes the registration and a change of the address wait for each other.
      await tx.$queryRaw`select id from customers where platform_id = ${caller.platformId}::uuid and id = ${wallet.customerId}::uuid for no key update`
      if ((await addressOf(tx, caller, wallet)) !== nickname) {
        throw invalidInput('accountId', 'The address of the customer has changed since the first call')
      }
      await lockAddresses(tx, caller.platformId)
      await refuseTaken(tx, caller, { customerId: wallet.customerId, type, value: nickname })
    },
    activity: (_registration, nickname, userId) => activityOf(nickname, userId),
    sendFirstCode: async (caller, credential) => keep(caller, credential, await sendCode(caller, credential)),
    prepareChallenge: async (caller, credential) => {
      requireTransport(caller.environment, type)
      return async () => {
        const sent = await sendCode(caller, credential).catch(async (error: unknown) => {
          // A challenge does not count when its code was not sent.
          await giveBackAttempt(CHALLENGES, credential)
          throw error
        })
        return { otpEncryptionTargetBundle: await keep(caller, credential, sent) }
      }
    },
    sessionKey: 'DEVICE',
    proof,
    prepareCheck: async ({ platformId }, credential, { encryptedOtpBundle }) => {
      const bundle = parseOtpBundle(encryptedOtpBundle)
      return async () => {
        const { otpId, publicKey } = await checkCode(credential, bundle)
        return {
          clientPublicKey: Buffer.from(compressKey(publicKey)).toString('hex'),
          spend: (tx) => spendCode(tx, platformId, otpId),
          giveBack: () => giveBackTry(platformId, otpId),
        }
      }
    },
  }
}

const keep = async (caller: PlatformCaller, credential: AuthMethod, sent: SentCode): Promise<string> => {
  const { platformId, accountId } = credential
  const account = await db.internalAccount.findUniqueOrThrow({
    where: { platformId_id: { platformId, id: accountId } },
  })
  return keepCode(caller, credential, account.customerId ?? '', sent)
}

export const emailOtp = otp('EMAIL_OTP', 'One-time codes to the email address of the customer. One per account.')
export const smsOtp = otp('SMS_OTP', 'One-time codes to the phone number of the customer. One per account.')
