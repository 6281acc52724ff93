// Credentials and sessions as the specification writes them. A field without a value is absent (undefined).
import { publicId } from '#core/ids.ts'
import type { IssuedSession, Session } from '#credentials/sessions/session.ts'
import type { SignedRetryChallenge } from '#credentials/signed-retry/signed-retry.ts'
import type { ExportedWallet } from '#credentials/wallet/wallet.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { Credential } from './credential.ts'
import type {
  credentialSchema,
  issuedSessionSchema,
  otpCredentialSchema,
  retryChallengeSchema,
  sessionSchema,
  walletExportSchema,
} from './rest-schema.ts'

export const credentialBody = (credential: Credential): BodyOf<typeof credentialSchema> => ({
  id: publicId('AuthMethod', credential.id),
  accountId: publicId('InternalAccount', credential.accountId),
  type: credential.type,
  credentialId: credential.credentialId ?? undefined,
  nickname: credential.nickname,
  createdAt: credential.createdAt,
  updatedAt: credential.updatedAt,
})

/** Includes the key to encrypt the code to, if a code was sent. */
export const otpCredentialBody = (
  credential: Credential,
  otpEncryptionTargetBundle: string | null,
): BodyOf<typeof otpCredentialSchema> => ({
  ...credentialBody(credential),
  otpEncryptionTargetBundle: otpEncryptionTargetBundle ?? undefined,
})

export const sessionBody = (session: Session): BodyOf<typeof sessionSchema> => ({
  id: publicId('Session', session.id),
  accountId: publicId('InternalAccount', session.accountId),
  type: session.type,
  credentialId: session.credentialId ?? undefined,
  nickname: session.nickname,
  createdAt: session.createdAt,
  updatedAt: session.updatedAt,
  expiresAt: session.expiresAt,
})

export const issuedSessionBody = ({
  session,
  encryptedSessionSigningKey,
}: IssuedSession): BodyOf<typeof issuedSessionSchema> => ({
  ...sessionBody(session),
  encryptedSessionSigningKey: encryptedSessionSigningKey ?? undefined,
})

export const walletExportBody = ({
  id,
  encryptedWalletCredentials,
}: ExportedWallet): BodyOf<typeof walletExportSchema> => ({
  id: publicId('InternalAccount', id),
  encryptedWalletCredentials,
})

export const retryBody = ({
  type,
  payloadToSign,
  requestId,
  expiresAt,
}: SignedRetryChallenge): BodyOf<typeof retryChallengeSchema> => ({
  type: type ?? undefined,
  payloadToSign,
  requestId,
  expiresAt,
})
