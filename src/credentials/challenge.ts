// The start of a verification (docs/domain/credentials.md#challenge-decisions).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { publicKeyOf } from '#credentials/crypto/p256.ts'
import { CREDENTIAL_KINDS, KEYED_CHALLENGE_TYPES } from '#credentials/kinds/table.ts'
import { CHALLENGES, consumeAttempt } from './attempt-limits.ts'
import { type Credential, findCredential, unknownCredential, writtenCredential } from './credential.ts'

export const challengeRequest = z.object({
  clientPublicKey: publicKeyOf
    .optional()
    .describe(`Public key on P-256, hex. Required for ${KEYED_CHALLENGE_TYPES}, ignored for other types.`),
})

export interface IssuedChallenge {
  readonly credential: Credential
  /** The data for the client's proof, in the form that the credential's kind defines. */
  readonly challenge: object
}

/**
 * Needs the permission TRANSACT. 429 `RATE_LIMITED` after five challenges of a credential in five minutes. `readInput` is called only for
 * kinds whose challenge depends on the input.
 */
export const challengeCredential = async (
  caller: PlatformCaller,
  id: string,
  readInput: () => Promise<unknown>,
): Promise<IssuedChallenge> => {
  requirePermission(caller, 'TRANSACT')
  const credential = await findCredential(caller, id)
  if (!credential) throw unknownCredential()
  const { type } = credential
  const issue = await CREDENTIAL_KINDS[type].prepareChallenge?.(caller, credential, readInput)
  if (!issue) throw invalidInput('id', `A credential of type ${type} is verified without a challenge`)
  await consumeAttempt(CHALLENGES, credential)
  const challenge = await issue()
  return { credential: await writtenCredential(caller, credential.id), challenge }
}
