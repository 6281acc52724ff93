// The second factors of a customer (docs/domain/sca.md#factors). TOTP and PASSKEY are enrolled; SMS_OTP needs a verified phone number.
import type { Environment } from '#core/caller.ts'
import { canDeliver } from '#credentials/kinds/otp/delivery.ts'
import type { Passkey } from '#credentials/kinds/passkey/registration.ts'
import type { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Customer } from '#generated/prisma/client.ts'
import type { Place } from '#sca/lockout.ts'

export const SCA_FACTORS = ['SMS_OTP', 'TOTP', 'PASSKEY'] as const
export type ScaFactorType = (typeof SCA_FACTORS)[number]

export const ENROLLED_FACTORS = ['TOTP', 'PASSKEY'] as const
export type EnrolledFactorType = (typeof ENROLLED_FACTORS)[number]

export const FACTOR_TEXTS = {
  credentialId: '`ScaFactor:<uuid>`.',
  type: 'Type of the factor.',
  createdAt: 'When the factor was confirmed.',
} as const

/** An enrolled factor. */
export interface ScaFactor {
  readonly id: string
  readonly type: EnrolledFactorType
  readonly created_at: Date
}

/** The columns of a TOTP, or those of a passkey, are not null. */
interface FactorRow extends ScaFactor {
  readonly secret_sealed: Uint8Array | null
  readonly last_step: bigint | null
  readonly credential_id: string | null
  readonly public_key: Uint8Array | null
  readonly counter: bigint | null
  readonly transports: string[]
  readonly origin: string | null
  readonly rp_id: string | null
  readonly rp_id_hash: Uint8Array | null
}

/** The enrolled factors of a customer, oldest first. */
export const factorsOf = (on: Tx | typeof db, { platformId, id }: Place): Promise<FactorRow[]> =>
  on.$queryRaw`
    select id, type::text, secret_sealed, last_step, credential_id, public_key, counter, transports, origin, rp_id, rp_id_hash, created_at
    from sca_factors where platform_id = ${platformId}::uuid and customer_id = ${id}::uuid order by created_at, id`

export const factorOf = async (
  on: Tx | typeof db,
  customer: Place,
  type: EnrolledFactorType,
): Promise<FactorRow | undefined> => (await factorsOf(on, customer)).find((factor) => factor.type === type)

/** A CHECK constraint guarantees that a passkey has these columns. */
export const passkeyOf = (row: FactorRow): Passkey => ({
  credentialId: row.credential_id ?? '',
  publicKey: row.public_key ?? new Uint8Array(),
  counter: Number(row.counter ?? 0),
  transports: row.transports,
  origin: row.origin ?? '',
  rpId: row.rp_id,
  rpIdHash: row.rp_id_hash ?? new Uint8Array(),
})

/** Authenticated with the sealed secret of a TOTP. */
export const totpOwner = ({ platformId, id }: Place) => `totp ${platformId} ${id}`

/** The customer of a challenge. */
export type Owner = Place & Pick<Customer, 'phoneNumber' | 'verifiedPhoneNumber'>

/** The number that SMS codes go to. Null unless it is verified. */
export const verifiedPhoneOf = ({ phoneNumber, verifiedPhoneNumber }: Omit<Owner, keyof Place>): string | null =>
  phoneNumber !== null && phoneNumber === verifiedPhoneNumber ? phoneNumber : null

/** The factors that the customer can pass a challenge with, in the order of preference. */
export const availableFactorsOf = async (
  on: Tx | typeof db,
  environment: Environment,
  customer: Owner,
): Promise<ScaFactorType[]> => {
  const enrolled = (await factorsOf(on, customer)).map(({ type }) => type)
  const hasSms = verifiedPhoneOf(customer) !== null && canDeliver(environment, 'SMS_OTP')
  return [
    ...(['PASSKEY', 'TOTP'] as const).filter((type) => enrolled.includes(type)),
    ...(hasSms ? (['SMS_OTP'] as const) : []),
  ]
}
