import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { type ScaChallenge, ScaChallengeRecord } from './challenge.ts'

export const ScaChallengeNode = builder.objectRef<ScaChallenge>('ScaChallenge').implement({
  description:
    'A Strong Customer Authentication challenge, which the customer must pass before a payment starts, a login opens or trust changes.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: ScaChallengeRecord.texts.id,
      ...idOf('ScaChallenge', 'id'),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: false,
      description: ScaChallengeRecord.texts.expiresAt,
    }),
    factor: t.exposeString('factor', {
      nullable: false,
      description: ScaChallengeRecord.texts.factor,
    }),
    availableFactors: t.stringList({
      nullable: { list: false, items: false },
      description: ScaChallengeRecord.texts.availableFactors,
      resolve: ({ availableFactors }) => availableFactors,
    }),
    purpose: t.exposeString('purpose', { description: ScaChallengeRecord.texts.purpose }),
    passkeyAssertionOptions: t.expose('passkeyAssertionOptions', {
      type: 'JSON',
      description: ScaChallengeRecord.texts.passkeyAssertionOptions,
    }),
    passkeyAllowedOrigins: t.stringList({
      nullable: { list: true, items: false },
      description: ScaChallengeRecord.texts.passkeyAllowedOrigins,
      resolve: ({ passkeyAllowedOrigins }) => (passkeyAllowedOrigins.length > 0 ? passkeyAllowedOrigins : null),
    }),
  }),
})

registerRecord(ScaChallengeRecord, 'ScaChallenge')
