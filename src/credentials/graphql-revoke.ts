import { InternalAccountNode } from '#accounts/graphql.ts'
import { internalAccountsByIds } from '#accounts/internal-account.ts'
import { publicId } from '#core/ids.ts'
import { memberOf, SignedRetryChallengeType } from '#credentials/signed-retry/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { load } from '#graphql/load.ts'
import { addMutation, payloadOf } from '#graphql/mutation.ts'
import { SignedRetryInput } from '#graphql/signed-retry.ts'
import { revokeCredential } from './revoke.ts'

interface Revoked {
  readonly id: string
  readonly accountId: string
  readonly revokedSessionIds: readonly string[]
}

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

const RevokeCredentialSuccess = builder.objectRef<Revoked>('RevokeCredentialSuccess').implement({
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

addMutation('revokeCredential', {
  description: 'Revokes a credential and every session it issued. An account keeps at least one credential.',
  input: RevokeCredentialInput,
  payload: payloadOf(
    'RevokeCredentialPayload',
    'Result of `revokeCredential`.',
    [RevokeCredentialSuccess, SignedRetryChallengeType],
    [400, 401, 403, 404],
  ),
  usesCredential: true,
  resolve: async ({ id }, { caller }, proof) =>
    memberOf(await revokeCredential(caller, id, proof), (done) => ({ __typename: 'RevokeCredentialSuccess', ...done })),
})
