// Sends the SMS code of a challenge. In the sandbox nothing is sent: the challenge has its code from the start.
import type { Environment, PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { limited } from '#credentials/attempt-limits.ts'
import { deliverCode } from '#credentials/kinds/otp/delivery.ts'
import { newCode } from '#credentials/kinds/otp/one-time-code.ts'
import { db } from '#database/db.ts'
import { callTask } from '#database/jobs/calls.ts'
import type { ScaChallenge } from '#generated/prisma/client.ts'
import { CODE_SECONDS, SANDBOX_CODE } from '#sca/contacts/verification.ts'
import { verifiedPhoneOf } from '#sca/factors/factor.ts'
import { countingSentCode } from '#sca/sent-codes.ts'
import { over } from './pass.ts'
import { macOfSmsCode } from './sms-code.ts'

interface Sending extends Record<string, string> {
  readonly platformId: string
  readonly challengeId: string
}

/** Sends the first code, again after a pause unless it was accepted for delivery. */
export const sendScaCode = callTask('sendScaCode', async ({ platformId, challengeId: id }: Sending) => {
  const [waiting] = await db.$queryRaw<object[]>`
    select from sca_challenges
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and code_mac is null and expires_at > now()`
  if (!waiting) return undefined
  const challenge = await db.scaChallenge.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  const { environment } = await db.platform.findUniqueOrThrow({ where: { id: platformId } })
  return { id, server: 'SMS', run: () => send(environment, challenge) }
})

const phoneOf = async ({ platformId, id, customerId }: ScaChallenge): Promise<string | null> => {
  const customer = await db.customer.findUnique({
    where: { platformId_id: { platformId, id: customerId ?? id } },
  })
  return customer && verifiedPhoneOf(customer)
}

/** A new code voids the earlier one. Without a verified number, none is sent. */
const send = async (environment: Environment, challenge: ScaChallenge): Promise<void> => {
  const { platformId, id } = challenge
  const phone = await phoneOf(challenge)
  if (!phone) return
  const code = environment === 'SANDBOX' ? SANDBOX_CODE : newCode()
  await countingSentCode(platformId, phone, () =>
    deliverCode(environment, { type: 'SMS_OTP', to: phone, code, expirationSeconds: CODE_SECONDS }),
  )
  await db.$executeRaw`
    update sca_challenges set code_mac = ${macOfSmsCode(id, phone, code)}, sent_at = now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`
}

const RESEND_SECONDS = 30

/**
 * Sends the code again. 409 `CONFLICT` for a factor other than SMS_OTP, for a customer whose number is no longer verified, and for an expired
 * challenge; 429 `RATE_LIMITED` within 30 seconds of the last code; 503 `SERVICE_UNAVAILABLE` unless the code was accepted for delivery. This
 * does not extend the challenge.
 */
export const resendCode = async ({ environment }: PlatformCaller, challenge: ScaChallenge): Promise<void> => {
  const { platformId, id, factor, sentAt } = challenge
  if (factor !== 'SMS_OTP') {
    throw new ApiError('CONFLICT', `A challenge for ${factor} has no code to send`, { reason: 'NO_CODE_TO_SEND' })
  }
  if ((await phoneOf(challenge)) === null) {
    throw new ApiError('CONFLICT', 'The customer has no verified phone number', { reason: 'SCA_FACTOR_MISSING' })
  }
  const taken = await db.$executeRaw`
    update sca_challenges set sent_at = now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and expires_at > now()
      and coalesce(sent_at, created_at) <= now() - make_interval(secs => ${RESEND_SECONDS})`
  if (taken !== 1) {
    const [wait] = await db.$queryRaw<{ is_late: boolean; seconds: number }[]>`
      select expires_at <= now() as is_late, ceil(extract(epoch from coalesce(sent_at, created_at) - now()) + ${RESEND_SECONDS})::int as seconds
      from sca_challenges where platform_id = ${platformId}::uuid and id = ${id}::uuid`
    if (!wait || wait.is_late) throw over()
    throw limited('A code was sent less than 30 seconds ago', wait.seconds)
  }
  await send(environment, challenge).catch(async (error: unknown) => {
    // The client need not wait for a code that was not sent.
    await db.$executeRaw`
      update sca_challenges set sent_at = ${sentAt}::timestamptz where platform_id = ${platformId}::uuid and id = ${id}::uuid`
    throw error
  })
}
