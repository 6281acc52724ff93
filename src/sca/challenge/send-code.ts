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
import { countSentCode } from '#sca/sent-codes.ts'
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

/** A new code voids the earlier one. */
const send = async (environment: Environment, { platformId, id, customerId }: ScaChallenge): Promise<void> => {
  const customer = await db.customer.findUnique({
    where: { platformId_id: { platformId, id: customerId ?? id } },
  })
  const phone = customer && verifiedPhoneOf(customer)
  if (!phone) return
  await countSentCode(platformId, phone)
  const code = environment === 'SANDBOX' ? SANDBOX_CODE : newCode()
  await deliverCode(environment, { type: 'SMS_OTP', to: phone, code, expirationSeconds: CODE_SECONDS })
  await db.$executeRaw`
    update sca_challenges set code_mac = ${macOfSmsCode(id, phone, code)}, sent_at = now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`
}

const RESEND_SECONDS = 30

/**
 * Sends the code again. 409 `CONFLICT` for a factor other than SMS_OTP, 429 `RATE_LIMITED` within 30 seconds of the last code, 503
 * `SERVICE_UNAVAILABLE` unless the code was accepted for delivery. This does not extend the challenge.
 */
export const resendCode = async ({ environment }: PlatformCaller, challenge: ScaChallenge): Promise<void> => {
  const { platformId, id, factor } = challenge
  if (factor !== 'SMS_OTP') {
    throw new ApiError('CONFLICT', `A challenge for ${factor} has no code to send`, { reason: 'NO_CODE_TO_SEND' })
  }
  const taken = await db.$executeRaw`
    update sca_challenges set sent_at = now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid
      and coalesce(sent_at, created_at) <= now() - make_interval(secs => ${RESEND_SECONDS})`
  if (taken !== 1) {
    const [wait] = await db.$queryRaw<{ seconds: number }[]>`
      select ceil(extract(epoch from coalesce(sent_at, created_at) - now()) + ${RESEND_SECONDS})::int as seconds
      from sca_challenges where platform_id = ${platformId}::uuid and id = ${id}::uuid`
    throw limited('A code was sent less than 30 seconds ago', wait?.seconds)
  }
  await send(environment, challenge)
}
