// The start of a verification (docs/domain/credentials.md#challenge-decisions).
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { CREDENTIAL_KINDS } from '#credentials/kinds/table.ts'
import { CHALLENGES, takeOne } from './attempt-limits.ts'
import { type Credential, findCredential, unknownCredential, writtenCredential } from './credential.ts'

export interface IssuedChallenge {
  readonly credential: Credential
  /** What the client makes its proof with, as the credential's kind defines it. */
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
  if (!issue) throw invalidInput('id', `An ${type} credential is verified without a challenge`)
  await takeOne(CHALLENGES, credential)
  const challenge = await issue()
  return { credential: await writtenCredential(caller, credential.id), challenge }
}
