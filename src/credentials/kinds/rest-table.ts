// The REST responses of every kind of credential that has a challenge.
import { z } from 'zod'
import type { IssuedChallenge } from '#credentials/challenge.ts'
import { otpChallenge } from './otp/rest.ts'
import { passkeyChallenge } from './passkey/rest.ts'
import type { ChallengeAnswer } from './rest-kind.ts'

const CHALLENGE_ANSWERS: readonly ChallengeAnswer[] = [passkeyChallenge, otpChallenge]

export const challengeSchema = z.union(CHALLENGE_ANSWERS.map(({ schema }) => schema))

export const challengeBody = ({ credential, challenge }: IssuedChallenge): object => {
  const answer = CHALLENGE_ANSWERS.find(({ credentialTypes }) => credentialTypes.includes(credential.type))
  if (!answer) throw new Error(`REST has no challenge for ${credential.type}`)
  return answer.bodyOf(credential, challenge)
}
