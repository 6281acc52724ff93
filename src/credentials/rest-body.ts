// Credentials and sessions as the specification writes them. A field without a value is absent (undefined).
import { publicId } from '#core/ids.ts'
import type { Credential } from './credential.ts'
import type { IssuedSession, Session } from './session.ts'
import type { SignedRetryChallenge } from './signed-retry.ts'

export const credentialBody = (credential: Credential) => ({
  id: publicId('AuthMethod', credential.id),
  accountId: publicId('InternalAccount', credential.accountId),
  type: credential.type,
  credentialId: credential.credentialId ?? undefined,
  nickname: credential.nickname,
  createdAt: credential.createdAt,
  updatedAt: credential.updatedAt,
})

/** With the bundle, where codes for the credential are sealed to one. */
export const otpCredentialBody = (credential: Credential, otpEncryptionTargetBundle: string | null) => ({
  ...credentialBody(credential),
  otpEncryptionTargetBundle: otpEncryptionTargetBundle ?? undefined,
})

export const sessionBody = (session: Session) => ({
  id: publicId('Session', session.id),
  accountId: publicId('InternalAccount', session.accountId),
  type: session.type,
  credentialId: session.credentialId ?? undefined,
  nickname: session.nickname,
  createdAt: session.createdAt,
  updatedAt: session.updatedAt,
  expiresAt: session.expiresAt,
})

export const issuedSessionBody = ({ session, encryptedSessionSigningKey }: IssuedSession) => ({
  ...sessionBody(session),
  encryptedSessionSigningKey: encryptedSessionSigningKey ?? undefined,
})

export const retryBody = ({ type, payloadToSign, requestId, expiresAt }: SignedRetryChallenge) => ({
  type: type ?? undefined,
  payloadToSign,
  requestId,
  expiresAt,
})
