// `/auth/credentials` and `/auth/sessions`.
import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { recipient } from '#credentials/crypto/p256.ts'
import { challengeSchema } from '#credentials/kinds/rest-table.ts'
import { ADA, OTP_BUNDLE, PUBLIC_KEY } from '#rest/examples.ts'
import { answer, body, emptyAnswer, failures, type Operations, pathId, retryHeaders } from '#rest/operation.ts'
import { registrationRequest } from './register.ts'
import {
  credentialListSchema,
  issuedSessionSchema,
  otpCredentialSchema,
  retryChallengeSchema,
  sessionListSchema,
} from './rest-schema.ts'
import { verificationRequest } from './verify.ts'

export const toBeSigned = answer('To be signed, then repeated.', retryChallengeSchema)
export const recipientBody = body(
  recipient.meta({ id: 'RecipientRequest', description: 'The key that the answer is sealed to: P-256, hex.' }),
  { clientPublicKey: PUBLIC_KEY },
)

const ofAccount = z.object({ accountId: idOf('InternalAccount').describe('The wallet. Of an unknown one none.') })
const credentials = ['Credentials']
const sessions = ['Sessions']

export const credentialOperations: Operations = {
  '/auth/credentials': {
    post: {
      operationId: 'registerCredential',
      summary: 'Register a credential',
      description: 'Signed by a session of the wallet, unless it has no credential yet.',
      tags: credentials,
      requestParams: { header: retryHeaders },
      requestBody: body(
        registrationRequest.meta({ id: 'RegistrationRequest', description: 'What becomes a credential, by its type.' }),
        { type: 'SMS_OTP', accountId: ADA.wallet },
      ),
      responses: {
        201: answer('The credential. Of one-time codes the first was sent.', otpCredentialSchema),
        202: toBeSigned,
        ...failures(404),
      },
    },
    get: {
      operationId: 'listCredentials',
      summary: 'List the credentials of a wallet',
      tags: credentials,
      requestParams: { query: ofAccount },
      responses: { 200: answer('All of them.', credentialListSchema), ...failures() },
    },
  },
  '/auth/credentials/{id}': {
    delete: {
      operationId: 'revokeCredential',
      summary: 'Revoke a credential, and end its sessions',
      description: 'Signed by a session of another credential of the wallet. The last one stays.',
      tags: credentials,
      requestParams: { path: pathId('AuthMethod'), header: retryHeaders },
      responses: { 204: emptyAnswer('Revoked.'), 202: toBeSigned, ...failures(404) },
    },
  },
  '/auth/credentials/{id}/challenge': {
    post: {
      operationId: 'challengeCredential',
      summary: 'Begin a verification',
      description: 'Sends a fresh one-time code, or answers what a passkey is to sign. OAUTH goes without.',
      tags: credentials,
      requestParams: { path: pathId('AuthMethod') },
      requestBody: body(
        recipient.partial().meta({ id: 'ChallengeRequest', description: 'Needed for a PASSKEY, else not read.' }),
        { clientPublicKey: PUBLIC_KEY },
        false,
      ),
      responses: {
        200: answer('What the proof is made with.', challengeSchema),
        ...failures(404),
      },
    },
  },
  '/auth/credentials/{id}/verify': {
    post: {
      operationId: 'verifyCredential',
      summary: 'Verify a credential, and get a session',
      description:
        'OAUTH and PASSKEY in one call, a PASSKEY with the `Request-Id` of its challenge. A one-time code in two: the key that came with it signs.',
      tags: credentials,
      requestParams: { path: pathId('AuthMethod'), header: retryHeaders },
      requestBody: body(
        verificationRequest.meta({ id: 'VerificationRequest', description: 'The proof, by the credential’s type.' }),
        { type: 'EMAIL_OTP', encryptedOtpBundle: OTP_BUNDLE },
      ),
      responses: { 200: answer('The session.', issuedSessionSchema), 202: toBeSigned, ...failures(404) },
    },
  },
  '/auth/sessions': {
    get: {
      operationId: 'listSessions',
      summary: 'List the active sessions of a wallet',
      tags: sessions,
      requestParams: { query: ofAccount },
      responses: { 200: answer('All of them.', sessionListSchema), ...failures() },
    },
  },
  '/auth/sessions/{id}/refresh': {
    post: {
      operationId: 'refreshSession',
      summary: 'Get a new session from an active one',
      description: 'Signed by the session itself, which keeps its own end.',
      tags: sessions,
      requestParams: { path: pathId('Session'), header: retryHeaders },
      requestBody: recipientBody,
      responses: { 201: answer('The new session.', issuedSessionSchema), 202: toBeSigned, ...failures(404) },
    },
  },
  '/auth/sessions/{id}': {
    delete: {
      operationId: 'revokeSession',
      summary: 'End a session',
      description: 'Signed by any session of the wallet, this one included.',
      tags: sessions,
      requestParams: { path: pathId('Session'), header: retryHeaders },
      responses: { 204: emptyAnswer('Ended.'), 202: toBeSigned, ...failures(404) },
    },
  },
}
