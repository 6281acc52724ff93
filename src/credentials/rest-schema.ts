import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { SESSION_KEY_TEXT, SessionRecord } from '#credentials/sessions/session.ts'
import { RETRY_TEXTS } from '#credentials/signed-retry/signed-retry.ts'
import { ENCRYPTED_WALLET_TEXT } from '#credentials/wallet/wallet.ts'
import { listSchema, timeSchema } from '#rest/schema.ts'
import { CREDENTIAL_TYPES, CredentialRecord, OTP_BUNDLE_TEXT } from './credential.ts'

const type = z.enum(CREDENTIAL_TYPES)
const credential = CredentialRecord.texts
const session = SessionRecord.texts

export const credentialSchema = z
  .object({
    id: idOf('AuthMethod').describe(credential.id),
    accountId: idOf('InternalAccount').describe(credential.accountId),
    type: type.describe(credential.type),
    credentialId: z.string().describe(credential.credentialId).optional(),
    nickname: z.string().describe(credential.nickname),
    createdAt: timeSchema(credential.createdAt),
    updatedAt: timeSchema(credential.updatedAt),
  })
  .meta({ id: 'AuthMethod', description: 'A credential of a wallet.' })

export const otpCredentialSchema = credentialSchema
  .extend({
    otpEncryptionTargetBundle: z.string().optional().describe(OTP_BUNDLE_TEXT),
  })
  .meta({ id: 'AuthMethodWithBundle', description: 'A credential, with the key to encrypt its one-time code to.' })

export const retryChallengeSchema = z
  .object({
    type: type.optional().describe(RETRY_TEXTS.type),
    payloadToSign: z.string().describe(RETRY_TEXTS.payloadToSign),
    requestId: idOf('Request').describe(RETRY_TEXTS.requestId),
    expiresAt: timeSchema(RETRY_TEXTS.expiresAt),
  })
  .meta({
    id: 'SignedRetryChallenge',
    description: `${RETRY_TEXTS.challenge} Repeat the identical request with the headers \`Request-Id\` and \`Service-Wallet-Signature\`, the stamp over \`payloadToSign\`.`,
  })

export const sessionSchema = z
  .object({
    id: idOf('Session').describe(session.id),
    accountId: idOf('InternalAccount').describe(session.accountId),
    type: type.describe(session.type),
    credentialId: z.string().optional().describe(session.credentialId),
    nickname: z.string().describe(session.nickname),
    createdAt: timeSchema(session.createdAt),
    updatedAt: timeSchema(session.updatedAt),
    expiresAt: timeSchema(session.expiresAt),
  })
  .meta({ id: 'Session', description: 'A wallet session. While it is active, its key signs operations on the wallet.' })

export const issuedSessionSchema = sessionSchema
  .extend({
    encryptedSessionSigningKey: z.string().optional().describe(SESSION_KEY_TEXT),
  })
  .meta({ id: 'AuthSession', description: 'A new session.' })

export const walletExportSchema = z
  .object({
    id: idOf('InternalAccount').describe(session.accountId),
    encryptedWalletCredentials: z.string().describe(ENCRYPTED_WALLET_TEXT),
  })
  .meta({ id: 'WalletExport', description: 'The encrypted seed phrase of a wallet.' })

export const credentialListSchema = listSchema('AuthMethodList', credentialSchema)
export const sessionListSchema = listSchema('SessionList', sessionSchema)
