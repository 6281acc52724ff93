import type { z } from 'zod'
import type { Credential, CredentialType } from '#credentials/credential.ts'

/** The response of `POST /auth/credentials/{id}/challenge` for these types. */
export interface ChallengeAnswer<Challenge extends object = object> {
  readonly credentialTypes: readonly CredentialType[]
  readonly schema: z.ZodType
  bodyOf(credential: Credential, challenge: Challenge): object
}
