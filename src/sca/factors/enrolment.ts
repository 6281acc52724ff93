// Enrolling, listing and removing second factors (docs/domain/sca.md#factors).
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { labelOf, parse, textOf } from '#core/input.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import { checkRegistration, type Passkey, passkeyRegistration } from '#credentials/kinds/passkey/registration.ts'
import { lockCustomer } from '#customers/provisioning.ts'
import { db } from '#database/db.ts'
import { inTransaction, isDuplicate, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Customer } from '#generated/prisma/client.ts'
import { SANDBOX_CODE } from '#sca/contacts/verification.ts'
import { ensureCounters } from '#sca/customer.ts'
import { ofCustomer, unlockedCustomer } from '#sca/lockout.ts'
import { ENROLLED_FACTORS, type EnrolledFactorType, factorOf, type ScaFactor, totpOwner } from './factor.ts'
import { issueRecoveryCodes } from './recovery-codes.ts'
import { relyingPartyFor } from './relying-party.ts'
import { base32, SECRET_BYTES, stepAt, stepOfCode, totpUri } from './totp.ts'

export const scaEnrolment = ofCustomer.extend({
  type: labelOf(ENROLLED_FACTORS).describe('Type of the new factor.'),
})

const { attestation } = passkeyRegistration.shape

export const scaConfirmation = ofCustomer.extend({
  secret: textOf(100).nullish().describe('For a TOTP: the `secret` that was issued.'),
  code: textOf(64).nullish().describe('For a TOTP: the current code of the authenticator app.'),
  origin: textOf(500).nullish().describe('For a passkey: the origin of the page that created it.'),
  credential: attestation.nullish().describe('For a passkey: the result of `navigator.credentials.create`.'),
})

export const ENROLMENT_TEXTS = {
  secret: 'The secret, in lower-case hex. Send it back to confirm.',
  secretBase32Encoded: 'The secret in base32, for typing it into an authenticator app.',
  totpUri: 'The secret as an `otpauth` URI, for a QR code.',
  options: 'The argument of `navigator.credentials.create`, as JSON (`PublicKeyCredentialCreationOptionsJSON`).',
  allowedOrigins: 'The origins whose pages may create the passkey.',
  relyingPartyId: 'The relying party of the passkey.',
  recoveryCodes: 'Ten codes that replace the app. Each can be used once. They are never shown again. Only for a TOTP.',
  factor: 'The new factor.',
} as const

export type StartedEnrolment =
  | { readonly secret: string; readonly secretBase32Encoded: string; readonly totpUri: string }
  | {
      readonly options: Readonly<Record<string, unknown>>
      readonly allowedOrigins: readonly string[]
      readonly relyingPartyId: string
    }

export interface ConfirmedEnrolment {
  readonly factor: ScaFactor
  readonly recoveryCodes: readonly string[] | null
}

const LIFE_SECONDS = 15 * 60

/**
 * Issues the secret of a TOTP or the challenge of a passkey, which replaces an earlier one that was not confirmed. Needs the permission
 * MANAGE. 409 `PASSKEY_ALREADY_ENROLLED`, and `CONFLICT` for a second TOTP.
 */
export const startEnrolment = async (caller: PlatformCaller, input: unknown): Promise<StartedEnrolment> => {
  requirePermission(caller, 'MANAGE')
  const { customerId, type } = parse(scaEnrolment, input)
  const customer = await unlockedCustomer(caller, customerId)
  if (type === 'TOTP') {
    const secret = randomBytes(SECRET_BYTES)
    await keepEnrolment(customer, type, secret)
    const { name: issuer } = await db.platform.findUniqueOrThrow({ where: { id: caller.platformId } })
    const account = customer.email ?? customer.platformCustomerId
    const uri = totpUri(secret, issuer, account)
    return { secret: secret.toString('hex'), secretBase32Encoded: base32(secret), totpUri: uri }
  }
  const { id: rpId, allowedOrigins, requiresUserVerification } = await relyingPartyFor(caller)
  const challenge = randomBytes(32).toString('base64url')
  await keepEnrolment(customer, type, challenge)
  const name = customer.email ?? customer.name ?? customer.platformCustomerId
  const options = {
    challenge,
    rp: { id: rpId, name: rpId },
    user: { id: Buffer.from(customer.id).toString('base64url'), name, displayName: customer.name ?? name },
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: LIFE_SECONDS * 1_000,
    attestation: 'none',
    authenticatorSelection: { userVerification: requiresUserVerification ? 'required' : 'preferred' },
  }
  return { options, allowedOrigins, relyingPartyId: rpId }
}

const alreadyEnrolled = (type: EnrolledFactorType) =>
  type === 'PASSKEY'
    ? new ApiError('PASSKEY_ALREADY_ENROLLED', 'The customer already has a passkey')
    : new ApiError('CONFLICT', 'The customer already has a TOTP', { reason: 'TOTP_ALREADY_ENROLLED' })

/** Authenticated with the ciphertext, so that it cannot be moved to another row. */
const ownerOf = ({ platformId, id }: Customer, type: EnrolledFactorType) => `enrolment ${platformId} ${id} ${type}`

const keepEnrolment = (customer: Customer, type: EnrolledFactorType, issued: string | Uint8Array) =>
  inTransaction(async (tx) => {
    await lockCustomer(tx, customer, customer.id)
    if (await factorOf(tx, customer, type)) throw alreadyEnrolled(type)
    await ensureCounters(tx, customer)
    const sealed = sealSecret(issued, ownerOf(customer, type))
    await tx.$executeRaw`
      insert into sca_enrolments (platform_id, customer_id, type, sealed, expires_at)
      values (${customer.platformId}::uuid, ${customer.id}::uuid, ${type}::sca_factor, ${sealed}, now() + make_interval(secs => ${LIFE_SECONDS}))
      on conflict (platform_id, customer_id, type) do update set sealed = excluded.sealed, expires_at = excluded.expires_at`
  })

const notPending = (field: string) => refused(field, 'was not issued, or has expired', 'ENROLMENT_NOT_PENDING')

/** Uses up what was issued, and returns it. 400 `INVALID_INPUT` if nothing was issued, or too long ago. */
const spendIssued = async (tx: Tx, customer: Customer, type: EnrolledFactorType, field: string): Promise<Buffer> => {
  const [open] = await tx.$queryRaw<{ sealed: Uint8Array }[]>`
    delete from sca_enrolments
    where platform_id = ${customer.platformId}::uuid and customer_id = ${customer.id}::uuid and type = ${type}::sca_factor
      and expires_at > now() returning sealed`
  if (!open) throw notPending(field)
  return openSecret(open.sealed, ownerOf(customer, type))
}

const refused = (field: string, problem: string, reason: string) =>
  new ApiError('INVALID_INPUT', `${field} ${problem}`, { field, reason })

/** Needs the permission MANAGE. 400 `INVALID_INPUT` for a wrong code, a secret that was not issued, and a credential that fails a check. */
export const confirmEnrolment = async (caller: PlatformCaller, input: unknown): Promise<ConfirmedEnrolment> => {
  requirePermission(caller, 'MANAGE')
  const { customerId, secret, code, origin, credential } = parse(scaConfirmation, input)
  if (secret && credential) throw invalidInput('credential', 'credential is for a passkey, and secret for a TOTP')
  const customer = await unlockedCustomer(caller, customerId)
  if (credential) {
    if (!origin) throw invalidInput('origin', 'origin is required with credential')
    return confirmPasskey(caller, customer, origin, credential)
  }
  if (!secret) throw invalidInput('secret', 'secret is required, or credential for a passkey')
  if (!code) throw invalidInput('code', 'code is required with secret')
  return confirmTotp(caller, customer, secret, code)
}

const confirmTotp = ({ environment }: PlatformCaller, customer: Customer, secret: string, code: string) =>
  enrol(customer, 'TOTP', async (tx, id) => {
    const issued = await spendIssued(tx, customer, 'TOTP', 'secret')
    const [given, expected] = [Buffer.from(secret.toLowerCase()), Buffer.from(issued.toString('hex'))]
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notPending('secret')
    const now = Number(await timeOf(tx))
    const isMagic = environment === 'SANDBOX' && code === SANDBOX_CODE
    // The code of the sandbox uses up no step.
    const step = isMagic ? 0 : stepOfCode(issued, code, now)
    if (step === null) throw refused('code', 'is wrong', 'WRONG_CODE')
    await tx.$executeRaw`
      insert into sca_factors (platform_id, id, customer_id, type, secret_sealed, last_step)
      values (${customer.platformId}::uuid, ${id}::uuid, ${customer.id}::uuid, 'TOTP', ${sealSecret(issued, totpOwner(customer))},
        ${isMagic ? stepAt(now) - 2 : step})`
    return issueRecoveryCodes(tx, customer)
  })

const confirmPasskey = async (
  caller: PlatformCaller,
  customer: Customer,
  origin: string,
  given: z.output<typeof attestation>,
): Promise<ConfirmedEnrolment> => {
  const { allowedOrigins: origins, id: rpId, requiresUserVerification } = await relyingPartyFor(caller)
  return enrol(customer, 'PASSKEY', async (tx, id) => {
    const challenge = (await spendIssued(tx, customer, 'PASSKEY', 'credential')).toString('utf8')
    const passkey = checkPasskey(given, challenge, { origins, requiresUserVerification })
    if (passkey.origin !== origin) throw refused('origin', 'is not the origin of the credential', 'REGISTRATION_ORIGIN')
    if (passkey.rpId !== rpId) throw refused('credential', 'is for another relying party', 'REGISTRATION_RP')
    await tx.$executeRaw`
      insert into sca_factors (platform_id, id, customer_id, type, credential_id, public_key, counter, transports, origin, rp_id, rp_id_hash)
      values (${customer.platformId}::uuid, ${id}::uuid, ${customer.id}::uuid, 'PASSKEY', ${passkey.credentialId},
        ${new Uint8Array(passkey.publicKey)}, ${passkey.counter}, ${[...passkey.transports]}, ${passkey.origin}, ${passkey.rpId},
        ${new Uint8Array(passkey.rpIdHash)})`
    return null
  })
}

/** The fields of the wallet's registration are named `attestation…`. */
const checkPasskey = (
  given: z.output<typeof attestation>,
  challenge: string,
  settings: Parameters<typeof checkRegistration>[1],
): Passkey => {
  try {
    return checkRegistration({ nickname: 'SCA', challenge, attestation: given }, settings)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const renamed = (text: string) => text.replace(/^attestation\./, 'credential.')
    throw refusedField(renamed(error.details?.field ?? ''), renamed(error.message), error.details?.reason)
  }
}

const refusedField = (field: string, message: string, reason = 'REGISTRATION_CREDENTIAL') =>
  new ApiError('INVALID_INPUT', message, { field, reason })

/** Inserts the factor. 410 `CUSTOMER_DELETED` if the customer has been deleted in the meantime. */
const enrol = async (
  customer: Customer,
  type: EnrolledFactorType,
  insert: (tx: Tx, id: string) => Promise<readonly string[] | null>,
): Promise<ConfirmedEnrolment> => {
  const id = newUuid()
  try {
    return await inTransaction(async (tx) => {
      await lockCustomer(tx, customer, customer.id)
      const recoveryCodes = await insert(tx, id)
      const factor = await factorOf(tx, customer, type)
      if (!factor) throw new Error('The new factor cannot be read back')
      return { factor, recoveryCodes }
    })
  } catch (error) {
    if (isDuplicate(error)) throw alreadyEnrolled(type)
    throw error
  }
}
