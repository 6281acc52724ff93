// Second factors, logins and resets as REST writes them. A field without a value is absent (undefined).
import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import { challengeBody } from './challenge/rest-body.ts'
import type { ConfirmedEnrolment } from './factors/enrolment.ts'
import type { ScaFactor } from './factors/factor.ts'
import type { RecordedScaEvent } from './lockout.ts'
import type { ScaLogin } from './login/login.ts'
import type { FactorReset, StartedReset } from './reset/reset.ts'
import type {
  confirmedSchema,
  factorSchema,
  loginSchema,
  recordedEventSchema,
  resetSchema,
  startedResetSchema,
} from './rest-schema.ts'

export const factorBody = ({ id, type, created_at: createdAt }: ScaFactor): BodyOf<typeof factorSchema> => ({
  credentialId: publicId('ScaFactor', id),
  type,
  createdAt: createdAt.toISOString(),
})

export const confirmedBody = ({ factor, recoveryCodes }: ConfirmedEnrolment): BodyOf<typeof confirmedSchema> => ({
  factor: factorBody(factor),
  recoveryCodes: recoveryCodes ?? undefined,
})

export const loginBody = ({ status, authenticatedUntil, scaChallenge }: ScaLogin): BodyOf<typeof loginSchema> => ({
  status,
  authenticatedUntil: authenticatedUntil ?? undefined,
  scaChallenge: scaChallenge === null ? undefined : challengeBody(scaChallenge),
})

export const recordedEventBody = (event: RecordedScaEvent): BodyOf<typeof recordedEventSchema> => ({
  ...event,
  lockedUntil: event.lockedUntil ?? undefined,
})

export const startedResetBody = ({
  reset: { id, expiresAt },
  ...liveness
}: StartedReset): BodyOf<typeof startedResetSchema> => ({
  resetId: publicId('TwoFactorReset', id),
  expiresAt,
  livenessAccessToken: liveness.livenessAccessToken ?? undefined,
  verificationLink: liveness.verificationLink ?? undefined,
})

export const resetBody = ({ id, expiresAt, factor, status }: FactorReset): BodyOf<typeof resetSchema> => ({
  resetId: publicId('TwoFactorReset', id),
  expiresAt,
  factor,
  status,
})
