import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { listSchema, timeSchema } from '#rest/schema.ts'
import { CREDENTIAL_TYPES } from './credential.ts'

const type = z.enum(CREDENTIAL_TYPES).describe('Kind of credential.')
const credentialId = z.string().describe('The WebAuthn credential id, base64url. Only of a PASSKEY.')

export const credentialSchema = z
  .object({
    id: idOf('AuthMethod'),
    accountId: idOf('InternalAccount').describe('The wallet.'),
    type,
    credentialId: credentialId.optional(),
    nickname: z.string().describe('The e-mail address, phone number or identity behind it, or a passkey’s name.'),
    createdAt: timeSchema('When it was registered.'),
    updatedAt: timeSchema('When it last changed.'),
  })
  .meta({ id: 'AuthMethod', description: 'A credential of a wallet.' })

export const otpCredentialSchema = credentialSchema
  .extend({
    otpEncryptionTargetBundle: z
      .string()
      .optional()
      .describe(
        'JSON text with `version`, `data`, `dataSignature` and `enclaveQuorumPublic`: the key to seal a one-time code to (HPKE).',
      ),
  })
  .meta({ id: 'AuthMethodWithBundle', description: 'A credential, with the key that its one-time code is sealed to.' })

export const retryChallengeSchema = z
  .object({
    type: type.optional().describe('Of the credential that this is about; absent when it is about none.'),
    payloadToSign: z.string().describe('Opaque. To be stamped byte for byte with the key of a session.'),
    requestId: idOf('Request').describe(
      'Goes into the header `Request-Id` of the repeated call. Good for one success.',
    ),
    expiresAt: timeSchema('Until when the call can be repeated: five minutes.'),
  })
  .meta({
    id: 'SignedRetryChallenge',
    description:
      'Nothing has changed yet. Repeat the identical call with `Request-Id`, and the stamp over `payloadToSign` as `Service-Wallet-Signature`.',
  })

export const sessionSchema = z
  .object({
    id: idOf('Session'),
    accountId: idOf('InternalAccount').describe('The wallet.'),
    type: type.describe('Of the credential that issued it.'),
    credentialId: credentialId.optional(),
    nickname: z.string().describe('Of the credential.'),
    createdAt: timeSchema('When it was issued.'),
    updatedAt: timeSchema('When it last changed.'),
    expiresAt: timeSchema('When it ends: 15 minutes after its beginning.'),
  })
  .meta({ id: 'Session', description: 'A session of a wallet. While it is active, its key signs.' })

export const issuedSessionSchema = sessionSchema
  .extend({
    encryptedSessionSigningKey: z
      .string()
      .optional()
      .describe(
        'The key of the session, sealed to `clientPublicKey`, base58check of 81 bytes. Given out this once. Absent where the device made the key itself.',
      ),
  })
  .meta({ id: 'AuthSession', description: 'A new session.' })

export const walletExportSchema = z
  .object({
    id: idOf('InternalAccount'),
    encryptedWalletCredentials: z.string().describe('JSON text: the seed phrase, sealed to `clientPublicKey`.'),
  })
  .meta({ id: 'WalletExport', description: 'The wallet’s seed, for its owner alone.' })

export const credentialListSchema = listSchema('AuthMethodList', credentialSchema)
export const sessionListSchema = listSchema('SessionList', sessionSchema)
