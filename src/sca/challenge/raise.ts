// Raises a challenge (docs/domain/quotes.md#sca-challenge).
import { randomBytes } from 'node:crypto'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { isOriginOf } from '#credentials/kinds/passkey/assertion.ts'
import { passkeySettingsOf } from '#credentials/kinds/passkey/settings.ts'
import { lockCustomer } from '#customers/provisioning.ts'
import { addJob } from '#database/jobs/jobs.ts'
import { selectWritten } from '#database/record.ts'
import { type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Customer, Prisma, ScaChallenge } from '#generated/prisma/client.ts'
import { SANDBOX_CODE } from '#sca/contacts/verification.ts'
import { ensureCounters } from '#sca/customer.ts'
import { availableFactorsOf, factorOf, passkeyOf, type ScaFactorType, verifiedPhoneOf } from '#sca/factors/factor.ts'
import { requireUnlocked } from '#sca/lockout.ts'
import { ScaChallengeRecord, type ScaChallenge as ShownChallenge } from './challenge.ts'
import { sendScaCode } from './send-code.ts'
import { macOfSmsCode } from './sms-code.ts'

const CHALLENGE_SECONDS = 5 * 60

interface NewChallenge extends Pick<ScaChallenge, 'action' | 'purpose'> {
  readonly customer: Customer
  /** The factor to use, if the customer has it. */
  readonly preferred?: ScaFactorType | null | undefined
  readonly quoteId?: string
  readonly externalAccountId?: string
  /** Ends the challenge earlier. */
  readonly latest?: Date
  readonly paymentInstructions?: Prisma.InputJsonValue
}

/**
 * Replaces an earlier challenge of the same quote, login or account. 410 `CUSTOMER_DELETED`, 423 `ACCOUNT_LOCKED` while the customer is
 * locked, 403 `USER_NOT_READY` without any factor. A code by SMS is sent after the commit.
 */
export const raiseChallenge = async (
  tx: Tx,
  caller: Pick<Caller, 'platformId' | 'environment'>,
  { customer, action, purpose, preferred, quoteId, externalAccountId, latest, paymentInstructions }: NewChallenge,
): Promise<ScaChallenge> => {
  const { platformId, environment } = caller
  // Simultaneous calls replace each other's challenges, and remove factors, one after the other.
  await lockCustomer(tx, caller, customer.id)
  await ensureCounters(tx, customer)
  await requireUnlocked(tx, customer)
  const availableFactors = await availableFactorsOf(tx, environment, customer)
  const factor = availableFactors.find((type) => type === preferred) ?? availableFactors[0]
  if (!factor) {
    throw new ApiError('USER_NOT_READY', 'The customer has no factor for Strong Customer Authentication', {
      reason: 'SCA_FACTOR_MISSING',
    })
  }
  const subject = { action, quoteId: quoteId ?? null, externalAccountId: externalAccountId ?? null }
  const replaced = action === 'LOGIN' ? { customerId: customer.id, action } : subjectOf(subject)
  await tx.scaChallenge.deleteMany({ where: { platformId, ...replaced } })
  const id = newUuid()
  const createdAt = await timeOf(tx)
  const end = createdAt.getTime() + CHALLENGE_SECONDS * 1_000
  const phone = factor === 'SMS_OTP' && environment === 'SANDBOX' ? verifiedPhoneOf(customer) : null
  const challenge = await tx.scaChallenge.create({
    data: {
      platformId,
      id,
      ...subject,
      customerId: customer.id,
      factor,
      availableFactors,
      purpose,
      ...(factor === 'PASSKEY' && (await passkeyOptions(tx, caller, customer))),
      ...(phone !== null && { codeMac: macOfSmsCode(id, phone, SANDBOX_CODE), sentAt: createdAt }),
      ...(paymentInstructions !== undefined && { paymentInstructions }),
      expiresAt: new Date(Math.min(end, latest?.getTime() ?? end)),
      createdAt,
    },
  })
  if (factor === 'SMS_OTP' && environment !== 'SANDBOX') await addJob(tx, sendScaCode, { platformId, challengeId: id })
  return challenge
}

/** `raiseChallenge`, for a caller that shows the challenge. The next one may replace it as soon as it is committed. */
export const raiseChallengeAndSelect = async (
  tx: Tx,
  caller: Caller,
  challenge: NewChallenge,
): Promise<ShownChallenge> => {
  const { id } = await raiseChallenge(tx, caller, challenge)
  return selectWritten(caller, ScaChallengeRecord, id, tx)
}

/** An account has one open challenge, for trust or for its end. */
const subjectOf = ({ quoteId, externalAccountId }: Pick<ScaChallenge, 'quoteId' | 'externalAccountId'>) =>
  quoteId === null ? { externalAccountId } : { quoteId }

const passkeyOptions = async (tx: Tx, { platformId }: Pick<Caller, 'platformId'>, customer: Customer) => {
  const row = await factorOf(tx, customer, 'PASSKEY')
  if (!row) throw new Error('The factor is gone')
  const passkey = passkeyOf(row)
  const { credentialId, transports, origin, rpId } = passkey
  const settings = await passkeySettingsOf({ platformId }, tx)
  const { origins, requiresUserVerification } = settings
  return {
    passkeyAssertionOptions: {
      challenge: randomBytes(32).toString('base64url'),
      rpId,
      timeout: CHALLENGE_SECONDS * 1_000,
      userVerification: requiresUserVerification ? 'required' : 'preferred',
      allowCredentials: [{ type: 'public-key', id: credentialId, transports: [...transports] }],
    },
    // Apps and other sites of the platform cannot use this passkey.
    passkeyAllowedOrigins: (origins ?? [origin]).filter((allowed) => isOriginOf(passkey, allowed, settings)),
  }
}
