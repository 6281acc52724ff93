import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { publicId } from '#core/ids.ts'
import { addSignedMutation, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import { fieldsInput } from '#graphql/input-of.ts'
import { load } from '#graphql/load.ts'
import { CredentialRecord } from './credential.ts'
import { revokeCredential } from './revoke.ts'

addSignedMutation('revokeCredential', {
  description: 'Revokes a credential and every session it issued. The last credential of an account cannot be revoked.',
  input: fieldsInput((t) => ({
    id: t.id({ required: true, description: CredentialRecord.texts.id }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description: 'Signed by a session of a different credential of the same account.',
    }),
  })),
  statuses: [400, 401, 403, 404],
  resolve: ({ id }, { caller }, proof) => revokeCredential(caller, id, proof),
  done: (revoked) => revoked,
  success: {
    description: 'The credential is revoked. REST: 204.',
    fields: (t) => ({
      revokedCredentialId: t.id({
        nullable: false,
        description: CredentialRecord.texts.id,
        resolve: ({ id }) => publicId('AuthMethod', id),
      }),
      revokedSessionIds: t.idList({
        nullable: { list: false, items: false },
        description: 'Active sessions that the credential had issued. They were revoked with it.',
        resolve: ({ revokedSessionIds }) => revokedSessionIds.map((id) => publicId('Session', id)),
      }),
      account: t.field({
        type: InternalAccountNode,
        description: 'The account of the credential.',
        resolve: ({ accountId }, _args, context) => load(context, InternalAccountRecord.byIds, accountId),
      }),
    }),
  },
})
