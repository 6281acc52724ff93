import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { isNowAnEnum } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { ScaFactorTypeEnum } from '#sca/factors/graphql.ts'
import { SCA_PURPOSES, type ScaChallenge, ScaChallengeRecord } from './challenge.ts'

const { texts } = ScaChallengeRecord

const ScaPurposeEnum = enumOf('ScaPurpose', 'What a challenge authorizes.', SCA_PURPOSES, {
  CURRENCY_CONVERSION: 'A payment to an internal account.',
  PAYOUT: 'A payment to anyone else, or a change of trust in an account.',
  TRANSFER: 'Not in use yet.',
})

export const ScaChallengeNode = builder.objectRef<ScaChallenge>('ScaChallenge').implement({
  description:
    'A Strong Customer Authentication challenge, which the customer must pass before a payment starts, a login opens or trust changes.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('ScaChallenge', 'id') }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: texts.expiresAt }),
    factorType: t.expose('factor', { type: ScaFactorTypeEnum, nullable: false, description: texts.factor }),
    factor: t.exposeString('factor', {
      nullable: false,
      description: texts.factor,
      deprecationReason: isNowAnEnum('factorType'),
    }),
    availableFactorTypes: t.expose('availableFactors', {
      type: [ScaFactorTypeEnum],
      nullable: { list: false, items: false },
      description: texts.availableFactors,
    }),
    availableFactors: t.stringList({
      nullable: { list: false, items: false },
      description: texts.availableFactors,
      deprecationReason: isNowAnEnum('availableFactorTypes'),
      resolve: ({ availableFactors }) => availableFactors,
    }),
    challengePurpose: t.expose('purpose', { type: ScaPurposeEnum, description: texts.purpose }),
    purpose: t.exposeString('purpose', {
      description: texts.purpose,
      deprecationReason: isNowAnEnum('challengePurpose'),
    }),
    passkeyAssertionOptions: t.expose('passkeyAssertionOptions', {
      type: 'JSON',
      description: texts.passkeyAssertionOptions,
    }),
    passkeyAllowedOrigins: t.stringList({
      nullable: { list: true, items: false },
      description: texts.passkeyAllowedOrigins,
      resolve: ({ passkeyAllowedOrigins }) => (passkeyAllowedOrigins.length > 0 ? passkeyAllowedOrigins : null),
    }),
  }),
})

registerRecord(ScaChallengeRecord, 'ScaChallenge')
