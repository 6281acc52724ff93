// `/auth/credentials` and `/auth/sessions`.
import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { recipient } from '#credentials/crypto/p256.ts'
import { challengeSchema } from '#credentials/kinds/rest-table.ts'
import { DEVICE_KEY_TYPES, GATEWAY_KEY_TYPES, UNCHALLENGED_TYPES } from '#credentials/kinds/table.ts'
import { ADA, OTP_BUNDLE, PUBLIC_KEY } from '#rest/examples.ts'
import { answer, body, emptyAnswer, failures, type Operations, pathId, retryHeaders } from '#rest/operation.ts'
import { challengeRequest } from './challenge.ts'
import { registrationRequest } from './register.ts'
import {
  credentialListSchema,
  issuedSessionSchema,
  otpCredentialSchema,
  retryChallengeSchema,
  sessionListSchema,
} from './rest-schema.ts'
import { verificationRequest } from './verify.ts'

export const toBeSigned = answer('The request must be repeated with a signature.', retryChallengeSchema)
export const recipientBody = body(
  recipient.meta({ id: 'RecipientRequest', description: 'The key that the secret in the response is encrypted to.' }),
  { clientPublicKey: PUBLIC_KEY },
)

const ofAccount = z.object({
  accountId: idOf('InternalAccount').describe(
    'The wallet: `InternalAccount:<uuid>`. An unknown wallet yields an empty list.',
  ),
})
const credentials = ['Credentials']
const sessions = ['Sessions']

export const credentialOperations: Operations = {
  '/auth/credentials': {
    post: {
      operationId: 'registerCredential',
      'x-graphql': ['Mutation.registerCredential'],
      summary: 'Register a credential',
      description: 'The first credential of a wallet needs no signature. A session of the wallet signs every other.',
      tags: credentials,
      requestParams: { header: retryHeaders },
      requestBody: body(
        registrationRequest.meta({
          id: 'RegistrationRequest',
          description: 'The new credential. Its `type` determines the fields.',
        }),
        { type: 'SMS_OTP', accountId: ADA.wallet },
      ),
      responses: {
        201: answer(
          'The new credential. If its first code was sent, it comes with the bundle to encrypt that code to.',
          otpCredentialSchema,
        ),
        202: toBeSigned,
        ...failures(404, 409),
      },
    },
    get: {
      operationId: 'listCredentials',
      'x-graphql': ['Query.authMethods'],
      summary: 'List the credentials of a wallet',
      tags: credentials,
      requestParams: { query: ofAccount },
      responses: { 200: answer('The credentials, newest first.', credentialListSchema), ...failures() },
    },
  },
  '/auth/credentials/{id}': {
    delete: {
      operationId: 'revokeCredential',
      'x-graphql': ['Mutation.revokeCredential'],
      summary: 'Revoke a credential and its sessions',
      description:
        'Signed by a session of another credential of the wallet. The last credential of a wallet cannot be revoked.',
      tags: credentials,
      requestParams: { path: pathId('id', 'AuthMethod'), header: retryHeaders },
      responses: {
        204: emptyAnswer('The credential and its sessions are revoked.'),
        202: toBeSigned,
        ...failures(404),
      },
    },
  },
  '/auth/credentials/{id}/challenge': {
    post: {
      operationId: 'challengeCredential',
      'x-graphql': ['Mutation.challengeCredential'],
      summary: 'Start a verification',
      description: `Sends a new one-time code or returns a WebAuthn challenge. No challenge is needed for ${UNCHALLENGED_TYPES}.`,
      tags: credentials,
      requestParams: { path: pathId('id', 'AuthMethod') },
      requestBody: body(
        challengeRequest.meta({ id: 'ChallengeRequest', description: 'Input of the challenge.' }),
        { clientPublicKey: PUBLIC_KEY },
        false,
      ),
      responses: {
        200: answer('The challenge that the proof answers.', challengeSchema),
        ...failures(404),
      },
    },
  },
  '/auth/credentials/{id}/verify': {
    post: {
      operationId: 'verifyCredential',
      'x-graphql': ['Mutation.verifyCredential'],
      summary: 'Verify a credential and get a session',
      description: `${GATEWAY_KEY_TYPES} take one call; answer a WebAuthn challenge with its \`Request-Id\`. ${DEVICE_KEY_TYPES} take two: the first uses the code up, and the second is signed by the key inside the bundle.`,
      tags: credentials,
      requestParams: { path: pathId('id', 'AuthMethod'), header: retryHeaders },
      requestBody: body(
        verificationRequest.meta({
          id: 'VerificationRequest',
          description: 'The proof. Its `type` must be that of the credential.',
        }),
        { type: 'EMAIL_OTP', encryptedOtpBundle: OTP_BUNDLE },
      ),
      responses: { 200: answer('The new session.', issuedSessionSchema), 202: toBeSigned, ...failures(404) },
    },
  },
  '/auth/sessions': {
    get: {
      operationId: 'listSessions',
      'x-graphql': ['Query.sessions'],
      summary: 'List the active sessions of a wallet',
      tags: sessions,
      requestParams: { query: ofAccount },
      responses: { 200: answer('The active sessions, newest first.', sessionListSchema), ...failures() },
    },
  },
  '/auth/sessions/{id}/refresh': {
    post: {
      operationId: 'refreshSession',
      'x-graphql': ['Mutation.refreshSession'],
      summary: 'Refresh a session',
      description:
        'Issues a new session from an active one. The active session signs the request and keeps its own expiry.',
      tags: sessions,
      requestParams: { path: pathId('id', 'Session'), header: retryHeaders },
      requestBody: recipientBody,
      responses: { 201: answer('The new session.', issuedSessionSchema), 202: toBeSigned, ...failures(404) },
    },
  },
  '/auth/sessions/{id}': {
    delete: {
      operationId: 'revokeSession',
      'x-graphql': ['Mutation.revokeSession'],
      summary: 'Revoke a session',
      description: 'Signed by any active session of the wallet, including this one.',
      tags: sessions,
      requestParams: { path: pathId('id', 'Session'), header: retryHeaders },
      responses: { 204: emptyAnswer('The session is revoked.'), 202: toBeSigned, ...failures(404) },
    },
  },
}
