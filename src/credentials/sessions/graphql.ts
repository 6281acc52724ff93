// Issued sessions, and the mutations that refresh and revoke a session.
import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { publicId } from '#core/ids.ts'
import { recipient } from '#credentials/crypto/p256.ts'
import { SessionNode } from '#credentials/graphql.ts'
import { addSignedMutation, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { fieldsInput, schemaInput } from '#graphql/input-of.ts'
import { load } from '#graphql/load.ts'
import { refreshSession } from './refresh.ts'
import { revokeSession } from './revoke.ts'
import { type IssuedSession, SESSION_KEY_TEXT, SessionRecord } from './session.ts'

export const SessionIssuedType = builder.objectRef<IssuedSession>('SessionIssued').implement({
  description: 'A session was issued. REST: 200 on verify, 201 on refresh.',
  fields: (t) => ({
    session: t.expose('session', { type: SessionNode, nullable: false, description: 'The new session.' }),
    encryptedSessionSigningKey: t.exposeString('encryptedSessionSigningKey', {
      description: SESSION_KEY_TEXT,
    }),
  }),
})

addSignedMutation('refreshSession', {
  description:
    'Issues a new session from an active one. The active session signs the request and keeps its own expiry.',
  input: schemaInput(recipient, (t) => ({
    id: t.id({ required: true, description: SessionRecord.texts.id }),
    signedRetry: t.field({ type: SignedRetryInput, description: 'Signed by the session itself.' }),
  })),
  statuses: [400, 401, 403, 404],
  resolve: ({ id, clientPublicKey }, { caller }, proof) => refreshSession(caller, id, { clientPublicKey }, proof),
  done: (issued) => issued,
  success: SessionIssuedType,
})

addSignedMutation('revokeSession', {
  description: 'Revokes a session. The credential that issued it is not revoked.',
  input: fieldsInput((t) => ({
    id: t.id({ required: true, description: SessionRecord.texts.id }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description: 'Signed by any active session of the account, including this one.',
    }),
  })),
  statuses: [400, 401, 403, 404],
  resolve: ({ id }, { caller }, proof) => revokeSession(caller, id, proof),
  done: (revoked) => revoked,
  success: {
    description: 'The session is revoked. REST: 204.',
    fields: (t) => ({
      revokedSessionId: t.id({
        nullable: false,
        description: SessionRecord.texts.id,
        resolve: ({ id }) => publicId('Session', id),
      }),
      account: t.field({
        type: InternalAccountNode,
        description: 'The account of the session.',
        resolve: ({ accountId }, _args, context) => load(context, InternalAccountRecord.byIds, accountId),
      }),
    }),
  },
})
