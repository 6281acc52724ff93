// The owner of a wallet proves that it holds the key.
import { ExternalAccountRecord } from '#accounts/external-account.ts'
import { ExternalAccountNode } from '#accounts/graphql.ts'
import { EXTERNAL_TEXTS } from '#accounts/texts.ts'
import { partsOfId } from '#core/ids.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { load } from '#graphql/load.ts'
import { addMutation } from '#graphql/mutation.ts'
import {
  challengeOwner,
  OWNERSHIP_METHODS,
  type OwnershipChallenge,
  ownershipChallenge,
  ownershipProof,
  SIGNATURE_SCHEMES,
  verifyOwner,
} from './ownership.ts'

const MethodEnum = enumOf('OwnershipMethod', 'How an owner proves that a wallet is its own.', OWNERSHIP_METHODS, {
  WALLET_SIGNATURE: 'The key of the wallet signs a message.',
  LIVENESS: 'A person is checked by camera. Not available yet.',
})

enumOf('SignatureScheme', 'Format of the signature of a Bitcoin wallet.', SIGNATURE_SCHEMES, {
  bip137: 'BIP-137.',
  electrum: 'The format that Electrum uses.',
})

const ChallengeType = builder.objectRef<OwnershipChallenge>('OwnershipChallenge').implement({
  description: EXTERNAL_TEXTS.challenge,
  fields: (t) => ({
    method: t.expose('method', { type: MethodEnum, nullable: false, description: EXTERNAL_TEXTS.method }),
    messageToSign: t.exposeString('messageToSign', { nullable: false, description: EXTERNAL_TEXTS.messageToSign }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: false,
      description: EXTERNAL_TEXTS.challengeExpiresAt,
    }),
  }),
})

const ID = '`ExternalAccount:<uuid>` of the wallet.'

addMutation('createOwnershipChallenge', {
  description:
    'Creates the message that the owner of a first-party wallet signs. It replaces any earlier message. Errors: `CONFLICT` with the reason `OWNERSHIP_NOT_NEEDED` or `OWNERSHIP_METHOD_NOT_AVAILABLE`. `LIVENESS` is `NOT_IMPLEMENTED`. REST: `POST /customers/external-accounts/{externalAccountId}/challenge`.',
  input: schemaInput(ownershipChallenge, (t) => ({
    id: t.id({ required: true, description: ID }),
  })),
  statuses: [400, 403, 404, 409],
  resolve: async ({ id, ...input }, { caller }) => ({
    challenge: await challengeOwner(caller, id, input),
    accountId: id,
  }),
  success: {
    description: 'The challenge is created. REST: 201.',
    fields: (t) => ({
      challenge: t.expose('challenge', { type: ChallengeType, nullable: false, description: EXTERNAL_TEXTS.challenge }),
      externalAccount: t.field({
        type: ExternalAccountNode,
        description: 'The account.',
        resolve: ({ accountId }, _args, context) =>
          load(context, ExternalAccountRecord.byIds, partsOfId(accountId).uuid),
      }),
    }),
  },
})

addMutation('verifyOwnership', {
  description:
    'Verifies the signature of the owner of a wallet. A wrong or late signature makes the account `UNVERIFIED`: `INVALID_INPUT` with the reason `SIGNATURE_INVALID` or `CHALLENGE_EXPIRED`. `CONFLICT` with the reason `NO_CHALLENGE` if none is outstanding. REST: `POST /customers/external-accounts/{externalAccountId}/verify`.',
  input: schemaInput(ownershipProof, (t) => ({
    id: t.id({ required: true, description: ID }),
  })),
  statuses: [400, 403, 404, 409],
  resolve: async ({ id, ...input }, { caller }) => ({ externalAccount: await verifyOwner(caller, id, input) }),
  success: {
    description: 'Ownership is verified, and the wallet can receive money.',
    fields: (t) => ({
      externalAccount: t.expose('externalAccount', {
        type: ExternalAccountNode,
        nullable: false,
        description: 'The account, which is `ACTIVE`.',
      }),
    }),
  },
})
