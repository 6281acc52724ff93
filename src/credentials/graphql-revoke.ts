import { InternalAccountNode } from '#accounts/graphql.ts'
import { internalAccountsByIds } from '#accounts/internal-account.ts'
import { publicId } from '#core/ids.ts'
import { addSignedMutation, SignedRetryChallengeType, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { load } from '#graphql/load.ts'
import { payloadOf } from '#graphql/mutation.ts'
import { type RevokedCredential, revokeCredential } from './revoke.ts'

const RevokeCredentialInput = builder.inputType('RevokeCredentialInput', {
  description: 'Input of `revokeCredential`.',
  fields: (t) => ({
    id: t.id({ required: true, description: '`AuthMethod:<uuid>`.' }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description: 'Signed by a session of a different credential of the same account.',
    }),
  }),
})

const RevokeCredentialSuccess = builder.objectRef<RevokedCredential>('RevokeCredentialSuccess').implement({
  description: 'The credential is revoked. REST: 204.',
  fields: (t) => ({
    revokedCredentialId: t.id({
      nullable: false,
      description: '`AuthMethod:<uuid>`.',
      resolve: ({ id }) => publicId('AuthMethod', id),
    }),
    revokedSessionIds: t.idList({
      nullable: { list: false, items: false },
      description: 'Sessions that the credential had issued; all revoked with it.',
      resolve: ({ revokedSessionIds }) => revokedSessionIds.map((id) => publicId('Session', id)),
    }),
    account: t.field({
      type: InternalAccountNode,
      description: 'Its account.',
      resolve: ({ accountId }, _args, context) => load(context, internalAccountsByIds, accountId),
    }),
  }),
})

addSignedMutation('revokeCredential', {
  description: 'Revokes a credential and every session it issued. An account keeps at least one credential.',
  input: RevokeCredentialInput,
  payload: payloadOf(
    'RevokeCredentialPayload',
    'Result of `revokeCredential`.',
    [RevokeCredentialSuccess, SignedRetryChallengeType],
    [400, 401, 403, 404],
  ),
  resolve: ({ id }, { caller }, proof) => revokeCredential(caller, id, proof),
  done: (revoked) => ({ __typename: 'RevokeCredentialSuccess', ...revoked }),
})
