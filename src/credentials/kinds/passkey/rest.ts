import { z } from 'zod'
import { idOf } from '#core/input.ts'
import type { Credential } from '#credentials/credential.ts'
import type { ChallengeAnswer } from '#credentials/kinds/rest-kind.ts'
import { credentialBody } from '#credentials/rest-body.ts'
import { credentialSchema } from '#credentials/rest-schema.ts'
import { type BodyOf, timeSchema } from '#rest/schema.ts'
import type { PasskeyChallenge } from './passkey.ts'

const schema = credentialSchema
  .extend({
    credentialId: credentialSchema.shape.credentialId.unwrap(),
    challenge: z.string().describe('Lower-case hex. Its UTF-8 bytes are the challenge of WebAuthn.'),
    requestId: idOf('Request').describe('Goes into the header `Request-Id` of the verification.'),
    expiresAt: timeSchema('Until when it can be answered.'),
  })
  .meta({ id: 'PasskeyAuthChallenge', description: 'What an authenticator is to sign.' })

/** A CHECK constraint holds that a passkey has its WebAuthn id. */
const bodyOf = (credential: Credential, challenge: PasskeyChallenge): BodyOf<typeof schema> => ({
  ...credentialBody(credential),
  credentialId: credential.credentialId ?? '',
  ...challenge,
})

export const passkeyChallenge: ChallengeAnswer<PasskeyChallenge> = { credentialTypes: ['PASSKEY'], schema, bodyOf }
