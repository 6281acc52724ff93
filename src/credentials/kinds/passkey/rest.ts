import { z } from 'zod'
import { idOf } from '#core/input.ts'
import type { Credential } from '#credentials/credential.ts'
import type { ChallengeAnswer } from '#credentials/kinds/rest-kind.ts'
import { credentialBody } from '#credentials/rest-body.ts'
import { credentialSchema } from '#credentials/rest-schema.ts'
import { type BodyOf, timeSchema } from '#rest/schema.ts'
import { PASSKEY_CHALLENGE_TEXTS, type PasskeyChallenge } from './passkey.ts'

const schema = credentialSchema
  .extend({
    credentialId: credentialSchema.shape.credentialId.unwrap(),
    challenge: z.string().describe(PASSKEY_CHALLENGE_TEXTS.challenge),
    requestId: idOf('Request').describe(PASSKEY_CHALLENGE_TEXTS.requestId),
    expiresAt: timeSchema(PASSKEY_CHALLENGE_TEXTS.expiresAt),
  })
  .meta({ id: 'PasskeyAuthChallenge', description: 'A WebAuthn challenge.' })

/** A CHECK constraint guarantees that a passkey has its WebAuthn id. */
const bodyOf = (credential: Credential, challenge: PasskeyChallenge): BodyOf<typeof schema> => ({
  ...credentialBody(credential),
  credentialId: credential.credentialId ?? '',
  ...challenge,
})

export const passkeyChallenge: ChallengeAnswer<PasskeyChallenge> = { credentialTypes: ['PASSKEY'], schema, bodyOf }
