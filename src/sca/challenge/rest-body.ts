import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { ScaChallenge } from './challenge.ts'
import type { scaChallengeSchema } from './rest-schema.ts'

export const challengeBody = (challenge: ScaChallenge): BodyOf<typeof scaChallengeSchema> => ({
  id: publicId('ScaChallenge', challenge.id),
  expiresAt: challenge.expiresAt,
  factor: challenge.factor,
  availableFactors: challenge.availableFactors,
  purpose: challenge.purpose ?? undefined,
  passkeyAssertionOptions: challenge.passkeyAssertionOptions as Readonly<Record<string, unknown>> | null,
  passkeyAllowedOrigins: challenge.passkeyAllowedOrigins.length > 0 ? challenge.passkeyAllowedOrigins : null,
})
