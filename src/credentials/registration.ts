// What is to become a credential: parsed, and checked by its type (docs/domain/credentials.md#registration-decisions).
import { z } from 'zod'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { idOf, labelOf, parse, rawText } from '#core/input.ts'
import { checkToken, readToken } from '#credentials/kinds/oidc/token.ts'
import { requireTransport } from '#credentials/kinds/otp/delivery.ts'
import { checkRegistration, passkeyRegistration } from '#credentials/kinds/passkey/registration.ts'
import { passkeySettingsOf } from '#credentials/kinds/passkey/settings.ts'
import type { WalletAccount } from '#credentials/wallet/wallet-account.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { CREDENTIAL_TYPES, OTP_TYPES, type OtpType } from './credential.ts'

const account = z.object({ accountId: idOf('InternalAccount').describe('`InternalAccount:<uuid>` of the wallet.') })
const oauth = account.extend({ oidcToken: rawText.describe('OIDC identity token.') })
const passkey = account.extend(passkeyRegistration.shape)

export const registrationRequest = z.discriminatedUnion('type', [
  passkey.extend({ type: z.literal('PASSKEY').describe('A WebAuthn credential.') }),
  oauth.extend({ type: z.literal('OAUTH').describe('An OIDC identity.') }),
  account.extend({ type: z.literal(OTP_TYPES).describe('One-time codes by e-mail or SMS.') }),
])
export type Registration = z.output<typeof registrationRequest>

/** 400 `INVALID_INPUT` for a field that is missing or ill-formed. */
export const parseRegistration = (input: unknown): Registration => {
  // The union alone would not say which types there are.
  parse(z.object({ type: labelOf(CREDENTIAL_TYPES) }), input)
  return parse(registrationRequest, input)
}

/** The columns of a credential that it has of its type; bytes as base64. */
export interface Draft {
  readonly type: Registration['type']
  readonly nickname: string
  readonly identity?: { readonly issuer: string; readonly audience: string; readonly subject: string }
  readonly passkey?: {
    readonly credentialId: string
    readonly publicKey: string
    readonly counter: number
    readonly transports: readonly string[]
    readonly origin: string
    readonly rpId: string | null
    readonly rpIdHash: string
  }
}

/** Every check of the first leg, in the order of the decision table. */
export const draftOf = (caller: PlatformCaller, wallet: WalletAccount, registration: Registration): Promise<Draft> => {
  switch (registration.type) {
    case 'OAUTH':
      return draftOAuth(caller, wallet, registration)
    case 'PASSKEY':
      return draftPasskey(caller, registration)
    default:
      return draftOtp(caller, wallet, registration.type)
  }
}

type RegistrationOf<T extends Registration['type']> = Extract<Registration, { type: T }>

const draftOtp = async (caller: PlatformCaller, wallet: WalletAccount, type: OtpType): Promise<Draft> => {
  const contact = await contactOf(db, caller, wallet, type)
  const draft = { type, nickname: contact ?? '' }
  await refuseDuplicate(db, caller, wallet.id, draft)
  if (contact === null) {
    const missing = type === 'EMAIL_OTP' ? 'e-mail address' : 'phone number'
    throw new ApiError('MISSING_MANDATORY_USER_INFO', `The customer has no ${missing}`)
  }
  requireTransport(caller.environment, type)
  return draft
}

const draftOAuth = async (
  caller: PlatformCaller,
  wallet: WalletAccount,
  { oidcToken }: RegistrationOf<'OAUTH'>,
): Promise<Draft> => {
  const token = readToken(oidcToken)
  const { issuer, audience, subject, email } = token
  const draft = { type: 'OAUTH' as const, nickname: email ?? subject, identity: { issuer, audience, subject } }
  await refuseDuplicate(db, caller, wallet.id, draft)
  await checkToken(token, caller.environment, new Date())
  return draft
}

const draftPasskey = async (
  caller: PlatformCaller,
  { nickname, challenge, attestation }: RegistrationOf<'PASSKEY'>,
): Promise<Draft> => {
  const { credentialId } = attestation
  await refusePasskeyTwice(db, caller, credentialId)
  const settings = await passkeySettingsOf(caller)
  const passkey = await checkRegistration({ nickname, challenge, attestation }, settings)
  return {
    type: 'PASSKEY',
    nickname,
    passkey: {
      ...passkey,
      publicKey: Buffer.from(passkey.publicKey).toString('base64'),
      rpIdHash: Buffer.from(passkey.rpIdHash).toString('base64'),
    },
  }
}

type Reader = Tx | typeof db

/** The address that codes go to: the customer's. */
export const contactOf = async (
  reader: Reader,
  { platformId }: PlatformCaller,
  { customerId }: WalletAccount,
  type: OtpType,
): Promise<string | null> => {
  const { email, phoneNumber } = await reader.customer.findUniqueOrThrow({
    where: { platformId_id: { platformId, id: customerId } },
  })
  return type === 'EMAIL_OTP' ? email : phoneNumber
}

/** 400 when there is already one like it: an OTP of the kind or the identity on this account, the passkey anywhere on the platform. */
export const refuseDuplicate = async (
  reader: Reader,
  caller: PlatformCaller,
  accountId: string,
  { type, identity, passkey }: Draft,
): Promise<void> => {
  if (passkey) return refusePasskeyTwice(reader, caller, passkey.credentialId)
  const same: Prisma.AuthMethodWhereInput = identity
    ? { oidcIssuer: identity.issuer, oidcAudience: identity.audience, oidcSubject: identity.subject }
    : {}
  const { platformId } = caller
  const found = await reader.authMethod.count({ where: { platformId, accountId, type, revokedAt: null, ...same } })
  if (found === 0) return
  if (identity) throw invalidInput('oidcToken', 'The account already has a credential of this identity')
  throw type === 'EMAIL_OTP'
    ? new ApiError('EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS', 'The account already has an EMAIL_OTP credential')
    : new ApiError('SMS_OTP_CREDENTIAL_ALREADY_EXISTS', 'The account already has an SMS_OTP credential')
}

const refusePasskeyTwice = async (reader: Reader, { platformId }: PlatformCaller, credentialId: string) => {
  const where = { platformId, type: 'PASSKEY' as const, credentialId, revokedAt: null }
  if ((await reader.authMethod.count({ where })) > 0) throw passkeyExists()
}

export const passkeyExists = () =>
  new ApiError('PASSKEY_CREDENTIAL_ALREADY_EXISTS', 'The passkey is already registered')
