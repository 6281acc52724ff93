// The start of a verification: a fresh code (EMAIL_OTP, SMS_OTP), or a WebAuthn challenge (PASSKEY).
import { createHash } from 'node:crypto'
import { lockAccounts } from '#accounts/lock.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { canonicalJson } from '#core/canonical-json.ts'
import { invalidInput } from '#core/errors.ts'
import { newUuid, publicId } from '#core/ids.ts'
import { parse } from '#core/input.ts'
import { recipient } from '#credentials/crypto/p256.ts'
import { keepCode, sendCode } from '#credentials/kinds/otp/code.ts'
import { requireTransport } from '#credentials/kinds/otp/delivery.ts'
import { insertRequest } from '#credentials/signed-retry/pending-request.ts'
import { db } from '#database/db.ts'
import { transaction } from '#database/unit-of-work.ts'
import type { AuthMethod } from '#generated/prisma/client.ts'
import {
  type Credential,
  findCredential,
  isOtpType,
  requireLive,
  unknownCredential,
  writtenCredential,
} from './credential.ts'
import { CHALLENGES, giveBack, takeOne } from './limits.ts'

/** `challenge` is lower-case hex; its UTF-8 bytes are what the authenticator signs. */
export interface PasskeyChallenge {
  readonly challenge: string
  readonly requestId: string
  readonly expiresAt: string
}

export type IssuedChallenge =
  | { readonly credential: Credential; readonly otpEncryptionTargetBundle: string }
  | { readonly credential: Credential; readonly passkeyChallenge: PasskeyChallenge }

/** What a passkey's request keeps until its assertion. */
export interface AssertedContent {
  readonly challenge: string
  readonly clientPublicKey: string
}

/**
 * Needs the permission TRANSACT. At most five per credential in five minutes, and ten codes to an address, else 429 `RATE_LIMITED`. Only a
 * passkey reads the input.
 */
export const challengeCredential = async (
  caller: PlatformCaller,
  id: string,
  readInput: () => Promise<unknown>,
): Promise<IssuedChallenge> => {
  requirePermission(caller, 'TRANSACT')
  const credential = await findCredential(caller, id)
  if (!credential) throw unknownCredential()
  if (isOtpType(credential.type)) {
    const otpEncryptionTargetBundle = await challengeOtp(caller, credential)
    return { credential: await writtenCredential(caller, credential.id), otpEncryptionTargetBundle }
  }
  if (credential.type === 'OAUTH') throw invalidInput('id', 'An OAUTH credential is verified without a challenge')
  const { clientPublicKey } = parse(recipient, await readInput())
  await takeOne(CHALLENGES, credential)
  const passkeyChallenge = await challengePasskey(caller, credential, clientPublicKey)
  return { credential: await writtenCredential(caller, credential.id), passkeyChallenge }
}

const challengeOtp = async (caller: PlatformCaller, credential: AuthMethod): Promise<string> => {
  const { platformId, accountId, type } = credential
  if (isOtpType(type)) requireTransport(caller.environment, type)
  const account = await db.internalAccount.findUniqueOrThrow({
    where: { platformId_id: { platformId, id: accountId } },
  })
  await takeOne(CHALLENGES, credential)
  const sent = await sendCode(caller, credential).catch(async (error: unknown) => {
    // A code that was not sent is not counted.
    await giveBack(CHALLENGES, credential)
    throw error
  })
  return keepCode(caller, credential, account.customerId ?? '', sent)
}

const challengePasskey = async (
  caller: PlatformCaller,
  { id: authMethodId, accountId }: AuthMethod,
  clientPublicKey: string,
): Promise<PasskeyChallenge> => {
  const id = newUuid()
  const requestId = publicId('Request', id)
  const target = publicId('AuthMethod', authMethodId)
  const body = canonicalJson({ credentialId: target, requestId, clientPublicKey, timestampMs: String(Date.now()) })
  const fingerprint = createHash('sha256').update(body, 'utf8').digest()
  const challenge = fingerprint.toString('hex')
  const content: AssertedContent = { challenge, clientPublicKey }
  const expiresAt = await transaction(async (tx) => {
    await lockAccounts(tx, caller, [accountId])
    await requireLive(tx, caller, authMethodId)
    return insertRequest(tx, caller, { id, accountId, operation: 'ASSERT_PASSKEY', target, fingerprint, content })
  })
  return { challenge, requestId, expiresAt }
}
