// Replaces a lost factor after a liveness check (docs/domain/sca.md#factor-reset).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, requireUuid } from '#core/ids.ts'
import { labelOf, parse, textOf } from '#core/input.ts'
import { limited } from '#credentials/attempt-limits.ts'
import { lockCustomer } from '#customers/provisioning.ts'
import { findById, oneOf, type RecordOf, record, selectWritten, text, time } from '#database/record.ts'
import { inTransaction, lockText, type Tx } from '#database/unit-of-work.ts'
import type { Customer } from '#generated/prisma/client.ts'
import { ensureCounters } from '#sca/customer.ts'
import { SCA_FACTORS } from '#sca/factors/factor.ts'
import { deleteFactor, endLogin } from '#sca/factors/removal.ts'
import { ofCustomer, unlockedCustomer } from '#sca/lockout.ts'

export const RESET_STATUSES = [
  'INITIATED',
  'PENDING_REVIEW',
  'LIVENESS_PASSED',
  'COMPLETED',
  'REJECTED',
  'EXPIRED',
] as const

export const FactorResetRecord = record(
  'current_sca_factor_resets',
  {
    id: text.describe('`TwoFactorReset:<uuid>`.'),
    customerId: text.describe('`Customer:<uuid>` of the customer.'),
    factor: oneOf(SCA_FACTORS).describe('The factor to replace.'),
    status: oneOf(RESET_STATUSES).describe('State of the reset.'),
    expiresAt: time.describe('Deadline for completing the reset.'),
    createdAt: time.describe('When the reset was started.'),
  },
  'REFUSED',
)
export type FactorReset = RecordOf<typeof FactorResetRecord>

export const LIVENESS_TEXTS = {
  livenessAccessToken:
    'Access token for the SDK of the provider that checks liveness. Not set in the sandbox, where the check passes at once.',
  verificationLink:
    'The page on which the customer passes the liveness check. Not set in the sandbox, where the check passes at once.',
} as const

/** What a provider of liveness checks gives is null as long as none is connected. */
export interface StartedReset {
  readonly reset: FactorReset
  readonly livenessAccessToken: string | null
  readonly verificationLink: string | null
}

export const factorReset = ofCustomer.extend({
  factor: labelOf(SCA_FACTORS).describe(FactorResetRecord.texts.factor),
})

export const mobileSchema = z.object(
  {
    countryCode: textOf(4)
      .regex(/^\+?[1-9]\d{0,2}$/, 'must be a country calling code, for example +49')
      .describe('Country calling code, for example `+49`.'),
    number: textOf(14)
      .regex(/^\d{4,14}$/, 'must be 4 to 14 digits')
      .describe('The number without the country calling code: digits only.'),
  },
  { error: 'must be an object' },
)

export const factorResetCompletion = ofCustomer.extend({
  mobile: mobileSchema.nullish().describe('The new phone number. Required for `SMS_OTP`, ignored for other factors.'),
})

const LIFE_SECONDS = 60 * 60
const MAX_A_DAY = 5

/**
 * Needs the permission MANAGE. 429 `RATE_LIMITED` for the sixth of a customer in 24 hours. In the sandbox the liveness check passes at once;
 * in production 501 `NOT_IMPLEMENTED`, because no provider checks it yet.
 */
export const startFactorReset = async (caller: PlatformCaller, input: unknown): Promise<StartedReset> => {
  requirePermission(caller, 'MANAGE')
  const { customerId, factor } = parse(factorReset, input)
  const customer = await unlockedCustomer(caller, customerId)
  if (caller.environment === 'PRODUCTION') {
    throw new ApiError('NOT_IMPLEMENTED', 'Liveness checks are not available in production yet')
  }
  const { platformId } = caller
  const id = newUuid()
  await inTransaction(async (tx) => {
    await ensureCounters(tx, customer)
    await lockText(tx, `${platformId} factor reset ${customer.id}`)
    const [full] = await tx.$queryRaw<{ seconds: number }[]>`
      select ceil(extract(epoch from created_at - now()) + 86400)::int as seconds from sca_factor_resets
      where platform_id = ${platformId}::uuid and customer_id = ${customer.id}::uuid and created_at > now() - interval '24 hours'
      order by created_at desc offset ${MAX_A_DAY - 1} limit 1`
    if (full) throw limited('Too many factor resets for this customer', full.seconds)
    await tx.$executeRaw`
      insert into sca_factor_resets (platform_id, id, customer_id, factor, status, expires_at)
      values (${platformId}::uuid, ${id}::uuid, ${customer.id}::uuid, ${factor}::sca_factor, 'LIVENESS_PASSED',
        now() + make_interval(secs => ${LIFE_SECONDS}))`
  })
  const reset = await selectWritten(caller, FactorResetRecord, id)
  return { reset, livenessAccessToken: null, verificationLink: null }
}

const unknownReset = () => new ApiError('REFERENCE_NOT_FOUND', 'The customer has no such factor reset')

/** Needs the permission VIEW. 404 `REFERENCE_NOT_FOUND` for an unknown reset, and for one of another customer. */
export const readFactorReset = async (
  caller: PlatformCaller,
  resetId: string,
  given: unknown,
): Promise<FactorReset> => {
  requirePermission(caller, 'VIEW')
  const { customerId } = parse(ofCustomer, { customerId: given })
  const customer = await unlockedCustomer(caller, customerId)
  const reset = await findById(caller, FactorResetRecord, 'TwoFactorReset', resetId, unknownReset)
  if (reset.customerId !== customer.id) throw unknownReset()
  return reset
}

/**
 * Needs the permission MANAGE. Removes the factor, so that the customer can enrol another, or changes the phone number, which
 * must then be verified. Either ends the login. 409 `CONFLICT` unless the liveness check has passed.
 */
export const completeFactorReset = async (caller: PlatformCaller, resetId: string, input: unknown): Promise<void> => {
  requirePermission(caller, 'MANAGE')
  const { customerId, mobile: number } = parse(factorResetCompletion, input)
  const { platformId } = caller
  const customer = await unlockedCustomer(caller, customerId)
  const id = requireUuid('TwoFactorReset', resetId, unknownReset)
  await inTransaction(async (tx) => {
    await lockCustomer(tx, caller, customer.id)
    const [reset] = await tx.$queryRaw<{ factor: (typeof SCA_FACTORS)[number]; is_open: boolean }[]>`
      select factor::text, status = 'LIVENESS_PASSED' and expires_at > clock_timestamp() as is_open from sca_factor_resets
      where platform_id = ${platformId}::uuid and id = ${id}::uuid and customer_id = ${customer.id}::uuid for update`
    if (!reset) throw unknownReset()
    if (!reset.is_open) {
      throw new ApiError('CONFLICT', 'The reset cannot be completed in its state', { reason: 'RESET_NOT_READY' })
    }
    if (reset.factor === 'SMS_OTP') await changePhone(tx, customer, number)
    else await deleteFactor(tx, customer, reset.factor)
    await tx.$executeRaw`
      update sca_factor_resets set status = 'COMPLETED' where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  })
}

/** A number that wallet credentials are tied to changes only by a signed retry. */
const changePhone = async (
  tx: Tx,
  customer: Customer,
  number: z.output<typeof mobileSchema> | null | undefined,
): Promise<void> => {
  const { platformId, id } = customer
  if (!number) throw invalidInput('mobile', 'mobile is required for SMS_OTP')
  const phoneNumber = `+${number.countryCode.replace('+', '')}${number.number}`
  if (phoneNumber.length > 16) throw invalidInput('mobile.number', 'mobile must have at most 15 digits in all')
  const tied = await tx.authMethod.count({
    where: { platformId, type: 'SMS_OTP', revokedAt: null, account: { customerId: id } },
  })
  if (tied > 0) {
    throw new ApiError('CONFLICT', 'A wallet credential is tied to the phone number: change it with a signed retry', {
      reason: 'PHONE_TIED_TO_WALLET',
    })
  }
  await tx.customer.updateMany({ where: { platformId, id }, data: { phoneNumber, verifiedPhoneNumber: null } })
  await endLogin(tx, customer)
}
