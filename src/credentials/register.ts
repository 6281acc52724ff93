// Adding a credential to a wallet. The first one of a wallet needs no signature; every other is signed by a session of it.

import { lockAccounts } from '#accounts/lock.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { newUuid, parseId } from '#core/ids.ts'
import { logFailure } from '#core/log.ts'
import { keepCode, sendCode } from '#credentials/kinds/otp/code.ts'
import { type Activity, payloadOf } from '#credentials/signed-retry/activity.ts'
import { type Outcome, type Proof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import { findWallet, type WalletAccount } from '#credentials/wallet/wallet-account.ts'
import { db } from '#database/db.ts'
import { isDuplicate, type Tx, transaction } from '#database/unit-of-work.ts'
import { type Credential, isOtpType, writtenCredential } from './credential.ts'
import {
  contactOf,
  type Draft,
  draftOf,
  parseRegistration,
  passkeyExists,
  type Registration,
  refuseDuplicate,
} from './registration.ts'

export interface RegisteredCredential {
  readonly credential: Credential
  /** Of the code that was sent along with a signed registration; null when none was. */
  readonly otpEncryptionTargetBundle: string | null
}

/** Needs the permission TRANSACT. */
export const registerCredential = async (
  caller: PlatformCaller,
  input: unknown,
  proof: Proof,
): Promise<Outcome<RegisteredCredential>> => {
  requirePermission(caller, 'TRANSACT')
  const isSigned = !(await isFirstOfItsWallet(caller, input))
  const outcome = await signedRetry<{ wallet: WalletAccount; draft: Draft }, string>(
    caller,
    isSigned ? proof : { requestId: null, signature: null },
    {
      operation: 'ADD_CREDENTIAL',
      target: '',
      input,
      prepare: async () => {
        const registration = parseRegistration(input)
        const wallet = await findWallet(db, caller, registration.accountId, { mustBeActive: true })
        const draft = await draftOf(caller, wallet, registration)
        const first = isSigned ? undefined : await insertFirst(caller, wallet, draft)
        if (first !== undefined) return { done: first }
        return {
          accountIds: [wallet.id],
          signers: {},
          type: draft.type,
          payload: payloadOf(wallet.id, activityOf(wallet, registration, draft.nickname)),
          data: { wallet, draft },
        }
      },
      perform: async (tx, { wallet, draft }) => {
        await findWallet(tx, caller, `InternalAccount:${wallet.id}`, { mustBeActive: true })
        await refuseDuplicate(tx, caller, wallet.id, draft)
        return insertCredential(tx, caller, wallet, draft)
      },
    },
  ).catch((error) => {
    // Registered at the same moment on another account of the platform: no lock of ours sees that, the index does.
    throw isDuplicate(error) ? passkeyExists() : error
  })
  if ('challenge' in outcome) return outcome
  const otpEncryptionTargetBundle = isSigned ? await sendFirstCode(caller, outcome.done) : null
  return { done: { credential: await writtenCredential(caller, outcome.done), otpEncryptionTargetBundle } }
}

/** Once a wallet has had a credential, it has one for ever: the last cannot be revoked. */
const isFirstOfItsWallet = async ({ platformId }: PlatformCaller, input: unknown): Promise<boolean> => {
  const accountId = (input as { accountId?: unknown } | null)?.accountId
  const parsed = typeof accountId === 'string' ? parseId(accountId) : undefined
  if (parsed?.kind !== 'InternalAccount') return false
  const account = await db.internalAccount.findFirst({
    where: { platformId, id: parsed.uuid, authMethods: { none: { revokedAt: null } } },
  })
  return account !== null
}

/** The id of the wallet's first credential; undefined when it has one already. */
const insertFirst = (caller: PlatformCaller, wallet: WalletAccount, draft: Draft): Promise<string | undefined> =>
  transaction(async (tx) => {
    await lockAccounts(tx, caller, [wallet.id])
    const { platformId } = caller
    const others = await tx.authMethod.count({ where: { platformId, accountId: wallet.id, revokedAt: null } })
    return others === 0 ? insertCredential(tx, caller, wallet, draft) : undefined
  })

const insertCredential = async (
  tx: Tx,
  caller: PlatformCaller,
  wallet: WalletAccount,
  { type, nickname, identity, passkey }: Draft,
): Promise<string> => {
  const { platformId } = caller
  if (isOtpType(type)) {
    // Locked, so that the credential and a change of the address do not pass each other.
    await tx.$queryRaw`select id from customers where platform_id = ${platformId}::uuid and id = ${wallet.customerId}::uuid for no key update`
    if ((await contactOf(tx, caller, wallet, type)) !== nickname) {
      throw invalidInput('accountId', 'The address of the customer has changed since it was to be signed')
    }
  }
  const { id } = await tx.authMethod.create({
    data: {
      platformId,
      id: newUuid(),
      accountId: wallet.id,
      type,
      nickname,
      ...(identity && { oidcIssuer: identity.issuer, oidcAudience: identity.audience, oidcSubject: identity.subject }),
      ...(passkey && {
        ...passkey,
        transports: [...passkey.transports],
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64')),
        rpIdHash: new Uint8Array(Buffer.from(passkey.rpIdHash, 'base64')),
      }),
    },
  })
  return id
}

/** The credential stands, sent or not, also when its address has had too many codes: whoever gets no bundle asks for a challenge. */
const sendFirstCode = async (caller: PlatformCaller, id: string): Promise<string | null> => {
  const { account, ...credential } = await db.authMethod.findUniqueOrThrow({
    where: { platformId_id: { platformId: caller.platformId, id } },
    include: { account: true },
  })
  if (!isOtpType(credential.type) || account.customerId === null) return null
  try {
    return await keepCode(caller, credential, account.customerId, await sendCode(caller, credential))
  } catch (error) {
    logFailure({ task: 'first code of a credential' }, error)
    return null
  }
}

/** What is signed (docs/domain/credentials.md#activities). */
const activityOf = ({ customerId: userId }: WalletAccount, registration: Registration, nickname: string): Activity => {
  switch (registration.type) {
    case 'EMAIL_OTP':
      return { type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', parameters: { userEmail: nickname, userId } }
    case 'SMS_OTP':
      return { type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', parameters: { userPhoneNumber: nickname, userId } }
    case 'OAUTH': {
      const oauthProviders = [{ oidcToken: registration.oidcToken, providerName: nickname }]
      return { type: 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS', parameters: { oauthProviders, userId } }
    }
    case 'PASSKEY': {
      const { attestation, challenge } = registration
      const { transports } = attestation
      const authenticators = [{ attestation, authenticatorName: nickname, challenge, transports }]
      return { type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', parameters: { authenticators, userId } }
    }
  }
}
