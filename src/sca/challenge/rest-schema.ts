import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { timeSchema } from '#rest/schema.ts'
import { SCA_FACTORS } from '#sca/factors/factor.ts'
import { SCA_PURPOSES, ScaChallengeRecord } from './challenge.ts'

const { texts } = ScaChallengeRecord

export const scaChallengeSchema = z
  .object({
    id: idOf('ScaChallenge').describe(texts.id),
    expiresAt: timeSchema(texts.expiresAt),
    factor: z.enum(SCA_FACTORS).describe(texts.factor),
    availableFactors: z.array(z.enum(SCA_FACTORS)).describe(texts.availableFactors),
    purpose: z.enum(SCA_PURPOSES).optional().describe(texts.purpose),
    passkeyAssertionOptions: z.looseObject({}).nullable().describe(texts.passkeyAssertionOptions),
    passkeyAllowedOrigins: z.array(z.string()).nullable().describe(texts.passkeyAllowedOrigins),
  })
  .meta({
    id: 'ScaChallenge',
    description:
      'A Strong Customer Authentication challenge, which the customer must pass before a payment starts, a login opens or trust changes.',
  })
