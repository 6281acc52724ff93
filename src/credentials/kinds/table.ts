// Every kind of credential.
import { z } from 'zod'
import { CREDENTIAL_TYPES, type CredentialType } from '#credentials/credential.ts'
import type { CredentialKind } from './kind.ts'
import { oidc } from './oidc/oidc.ts'
import { emailOtp, smsOtp } from './otp/otp.ts'
import { passkey } from './passkey/passkey.ts'

export const CREDENTIAL_KINDS: Readonly<Record<CredentialType, CredentialKind>> = {
  PASSKEY: passkey,
  OAUTH: oidc,
  EMAIL_OTP: emailOtp,
  SMS_OTP: smsOtp,
}

/** The types whose kind meets the condition, as the texts of both faces name them. */
const typesThat = (meet: (kind: CredentialKind) => boolean) =>
  CREDENTIAL_TYPES.filter((type) => meet(CREDENTIAL_KINDS[type]))
    .map((type) => `\`${type}\``)
    .join(' and ')

export const DEVICE_KEY_TYPES = typesThat(({ sessionKey }) => sessionKey === 'DEVICE')
export const GATEWAY_KEY_TYPES = typesThat(({ sessionKey }) => sessionKey === 'GATEWAY')
export const UNCHALLENGED_TYPES = typesThat(({ prepareChallenge }) => prepareChallenge === undefined)
/** The challenge of these types names the key to which the session's key will be encrypted. */
export const KEYED_CHALLENGE_TYPES = typesThat(
  ({ prepareChallenge, sessionKey }) => prepareChallenge !== undefined && sessionKey === 'GATEWAY',
)

/** Undefined for anything that is not a credential type. */
export const kindOf = (type: unknown): CredentialKind | undefined => {
  const known = CREDENTIAL_TYPES.find((credentialType) => credentialType === type)
  return known && CREDENTIAL_KINDS[known]
}

/** The bodies of all kinds as one union by `type`. */
export const bodiesByType = <Body extends z.ZodObject>(
  part: 'registration' | 'proof',
  bodyOf: (schema: z.ZodObject, type: z.ZodLiteral<CredentialType>) => Body,
) => {
  const schemas = new Set(CREDENTIAL_TYPES.map((type) => CREDENTIAL_KINDS[type][part]))
  const [first, ...others] = [...schemas].map((schema) =>
    bodyOf(schema, z.literal(CREDENTIAL_TYPES.filter((type) => CREDENTIAL_KINDS[type][part] === schema))),
  )
  return z.discriminatedUnion('type', [first as Body, ...others])
}
