// Verifies a customer's email address or phone number with a one-time code (docs/domain/verification.md#contact-verification).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { idOf, labelOf, parse, textOf } from '#core/input.ts'
import type { MagicTable } from '#core/magic-values.ts'
import { consumeAttempt, giveBackAttempt, type Limit } from '#credentials/attempt-limits.ts'
import { ADDRESSES, type OtpType } from '#credentials/kinds/otp/address.ts'
import { deliverCode, requireTransport } from '#credentials/kinds/otp/delivery.ts'
import {
  consumeCodeAttempt,
  giveBackCodeAttempt,
  isCode,
  MAX_TRIES,
  macOfCode,
  newCode,
} from '#credentials/kinds/otp/one-time-code.ts'
import { type Customer, CustomerRecord } from '#customers/customer.ts'
import { db, identifier } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { Customer as CustomerRow } from '#generated/prisma/client.ts'
import { ensureCounters, findScaCustomer } from '#sca/customer.ts'
import { countingSentCode } from '#sca/sent-codes.ts'

export const CONTACTS = ['EMAIL', 'PHONE'] as const
export type Contact = (typeof CONTACTS)[number]

/** The code of every contact in the sandbox, where nothing is sent. */
export const SANDBOX_CODE = '123456'

export const SCA_CODES: MagicTable = {
  name: 'SCA_CODE',
  place: 'The code of a contact verification, of SCA by SMS and of a TOTP. Nothing is sent.',
  match: 'CODE',
  values: { [SANDBOX_CODE]: { effect: 'The code is right.', outcome: true } },
  otherwise: {
    effect: 'The code is wrong, unless it is the current one of the TOTP or one of the recovery codes.',
    outcome: false,
  },
}
export const CODE_SECONDS = 5 * 60

const KINDS = {
  EMAIL: 'EMAIL_OTP',
  PHONE: 'SMS_OTP',
} as const satisfies Record<Contact, OtpType>

export const contactVerification = z.object({
  customerId: idOf('Customer').describe(CustomerRecord.texts.id),
  contact: labelOf(CONTACTS).describe('The contact to verify.'),
})
export const contactConfirmation = contactVerification.extend({
  code: textOf(32).describe('The code that was sent: six digits.'),
})

const CODES = identifier('contact_codes')

/**
 * At most 48 wrong codes on the first day and 24 on every other day, of both contacts together. A right code does not clear them: if it did,
 * those who own one contact could guess the codes of another without a limit.
 */
const WRONG_CODES: Limit = {
  table: identifier('sca_customers'),
  times: identifier('contact_failure_times'),
  atMost: 5,
  windowSeconds: 15 * 60,
  inARow: 20,
  message: 'Too many wrong codes for this customer',
}

/**
 * Sends a code, which voids the earlier ones. Needs the permission MANAGE. 409 `CONFLICT` outside the SCA regions and for a verified
 * contact, 400 `MISSING_MANDATORY_USER_INFO` without the contact, 429 `RATE_LIMITED` after ten codes to the address in five minutes, 503
 * `SERVICE_UNAVAILABLE` unless the code was accepted for delivery.
 */
export const startContactVerification = async (
  caller: PlatformCaller,
  customerId: string,
  contact: Contact,
): Promise<void> => {
  requirePermission(caller, 'MANAGE')
  const { platformId, environment } = caller
  const type = KINDS[contact]
  const customer = await findScaCustomer(caller, customerId)
  const address = unverifiedAddress(customer, contact)
  requireTransport(environment, type)
  const code = environment === 'SANDBOX' ? SANDBOX_CODE : newCode()
  await countingSentCode(platformId, address, () =>
    deliverCode(environment, { type, to: address, code, expirationSeconds: CODE_SECONDS }),
  )
  const id = newUuid()
  await inTransaction(async (tx) => {
    await ensureCounters(tx, customer)
    await tx.$executeRaw`
      insert into contact_codes (platform_id, customer_id, contact, id, address, code_mac, expires_at)
      values (${platformId}::uuid, ${customer.id}::uuid, ${contact}::contact, ${id}::uuid, ${address}, ${macOfCode(id, code)},
        now() + make_interval(secs => ${CODE_SECONDS}))
      on conflict (platform_id, customer_id, contact) do update set id = excluded.id, address = excluded.address,
        code_mac = excluded.code_mac, expires_at = excluded.expires_at, created_at = excluded.created_at, tries = 0`
  })
}

/** The address to verify: as it is now, so that a code for an earlier one proves nothing. */
const unverifiedAddress = (customer: CustomerRow, contact: Contact): string => {
  const { column, verified, name } = ADDRESSES[KINDS[contact]]
  const address = customer[column]
  if (address === null) throw new ApiError('MISSING_MANDATORY_USER_INFO', `The customer has no ${name}`)
  if (customer[verified] === address) {
    throw new ApiError('CONFLICT', `The ${name} is already verified`, { reason: 'CONTACT_VERIFIED' })
  }
  return address
}

/**
 * Needs the permission MANAGE. 400 `INVALID_INPUT` for a wrong code, and without a pending one. The third wrong try voids the code. 429
 * `RATE_LIMITED` after five wrong codes of a customer in 15 minutes.
 */
export const confirmContactVerification = async (
  caller: PlatformCaller,
  customerId: string,
  contact: Contact,
  input: unknown,
): Promise<Customer> => {
  requirePermission(caller, 'MANAGE')
  const { code } = parse(contactConfirmation.pick({ code: true }), input)
  const { platformId } = caller
  const customer = await findScaCustomer(caller, customerId)
  const address = unverifiedAddress(customer, contact)
  const [pending] = await db.$queryRaw<{ id: string; code_mac: Uint8Array }[]>`
    select id, code_mac from contact_codes
    where platform_id = ${platformId}::uuid and customer_id = ${customer.id}::uuid and contact = ${contact}::contact
      and address = ${address} and expires_at > now() and tries < ${MAX_TRIES}`
  if (!pending) throw notPending()
  await consumeAttempt(WRONG_CODES, customer)
  const hasTry = await consumeCodeAttempt(CODES, platformId, pending.id)
  if (!hasTry) {
    await giveBackAttempt(WRONG_CODES, customer)
    throw notPending()
  }
  if (!isCode(pending.id, code, pending.code_mac)) throw refusedCode('The code is wrong', 'WRONG_CODE')
  await giveBackAttempt(WRONG_CODES, customer)
  const verify = inTransaction(async (tx) => {
    const spent = await tx.$executeRaw`
      delete from contact_codes where platform_id = ${platformId}::uuid and id = ${pending.id}::uuid`
    if (spent !== 1) throw notPending()
    await tx.customer.updateMany({
      where: { platformId, id: customer.id },
      data: { [ADDRESSES[KINDS[contact]].verified]: address },
    })
  })
  await verify.catch(async (error: unknown) => {
    // The code was right.
    await giveBackCodeAttempt(CODES, platformId, pending.id)
    throw error
  })
  return selectWritten(caller, CustomerRecord, customer.id)
}

const refusedCode = (message: string, reason: string) =>
  new ApiError('INVALID_INPUT', message, { field: 'code', reason })

const notPending = () => refusedCode('No code is pending for this contact', 'CODE_NOT_PENDING')

/** Expired codes prove nothing, but contain addresses. */
export const forgetExpiredCodes = () => db.$executeRaw`delete from contact_codes where expires_at < now()`
