import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { textOf } from '#core/input.ts'
import { passkeyAssertion } from '#credentials/kinds/passkey/assertion.ts'
import {
  json,
  listOf,
  nullable,
  oneOf,
  type RecordOf,
  record,
  selectByOwner,
  selectPartsByIds,
  text,
  time,
} from '#database/record.ts'
import { SCA_FACTORS } from '#sca/factors/factor.ts'

export const SCA_PURPOSES = ['CURRENCY_CONVERSION', 'PAYOUT', 'TRANSFER'] as const

/** The Strong Customer Authentication for which a quote, a login or the trust in an account waits. */
export const ScaChallengeRecord = record('sca_challenges', {
  id: text.describe('`ScaChallenge:<uuid>`.'),
  quoteId: nullable(text),
  factor: oneOf(SCA_FACTORS).describe('The factor to pass the challenge with.'),
  availableFactors: listOf(SCA_FACTORS).describe('The factors that the customer has.'),
  purpose: nullable(oneOf(SCA_PURPOSES)).describe(
    'What the challenge authorizes: `CURRENCY_CONVERSION`, `PAYOUT` or `TRANSFER`. `PAYOUT` for trust in an account. Not for a login.',
  ),
  passkeyAssertionOptions: nullable(json<unknown>()).describe('WebAuthn options. Only for a passkey, null otherwise.'),
  passkeyAllowedOrigins: listOf<string>([]).describe(
    'Origins where the passkey may be used. Only for a passkey, null otherwise.',
  ),
  expiresAt: time.describe('When the challenge expires.'),
  createdAt: time,
})
export type ScaChallenge = RecordOf<typeof ScaChallengeRecord>

/** The challenges of these quotes by the id of the quote. The caller must already be allowed to see the quotes. */
export const challengesOfQuotes = (caller: Caller, quoteIds: readonly string[]) =>
  selectPartsByIds(caller, ScaChallengeRecord, quoteIds, 'quoteId')

export const scaChallengesOfQuotes = async (caller: Caller, quoteIds: readonly string[]) => {
  const challenges = await selectByOwner(caller, ScaChallengeRecord, 'quoteId', quoteIds)
  return challenges.map(([challenge]) => challenge ?? null)
}

/** The proof that a challenge asks for: `code` for SMS_OTP and TOTP, `passkeyAssertion` for PASSKEY. */
export const scaProof = z.object({
  code: textOf(64)
    .nullish()
    .describe('For `SMS_OTP` and `TOTP`: six digits. A recovery code replaces the code of a TOTP, once.'),
  passkeyAssertion: passkeyAssertion
    .nullish()
    .describe('For `PASSKEY`: the result of `navigator.credentials.get`, over `passkeyAssertionOptions`.'),
  origin: textOf(500).nullish().describe('For `PASSKEY`: the origin of the page. It must be that of the assertion.'),
})
export type ScaProof = z.output<typeof scaProof>
