// Beneficial owners: the people who own or control a business (docs/domain/verification.md#beneficial-owners).
import { z } from 'zod'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { requirePublicDomain } from '#core/email-address.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, parseId, partsOfId } from '#core/ids.ts'
import { idOf, labelOf, parse, parseChanges } from '#core/input.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import { VERIFICATION_STATUSES } from '#customers/customer.ts'
import { lockCustomer } from '#customers/provisioning.ts'
import { sql } from '#database/db.ts'
import { integer, json, listOf, oneOf, type RecordOf, record, selectWritten, text, time } from '#database/record.ts'
import { recordList, when } from '#database/record-list.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { verificationProviderOf } from '#verification/providers.ts'
import { requireNoReview } from '#verification/under-review.ts'
import {
  checkIdentifier,
  mergePersonalInfo,
  newPersonalInfo,
  type PersonalInfo,
  personalInfoChanges,
} from './personal-info.ts'

export const OWNER_ROLES = [
  'UBO',
  'DIRECTOR',
  'COMPANY_OFFICER',
  'CONTROL_PERSON',
  'TRUSTEE',
  'GENERAL_PARTNER',
] as const

export const OwnerRecord = record(
  'beneficial_owners',
  {
    id: text.describe('`BeneficialOwner:<uuid>`.'),
    customerId: text.describe('`Customer:<uuid>` of the business.'),
    roles: listOf(OWNER_ROLES).describe('What the person is to the business. One or more, each once.'),
    ownershipPercentage: integer.describe('Share of the business in percent, 0 to 100.'),
    personalInfo: json<PersonalInfo>().describe('The person.'),
    kycStatus: oneOf(VERIFICATION_STATUSES).describe('Status of the identity verification of the person.'),
    createdAt: time.describe('When the owner was added.'),
    updatedAt: time.describe('When the owner was last changed.'),
  },
  'REFUSED',
)
export type Owner = RecordOf<typeof OwnerRecord>

const { texts } = OwnerRecord

const roles = z
  .array(labelOf(OWNER_ROLES))
  .min(1, 'must hold at least 1 value')
  .refine((given) => new Set(given).size === given.length, 'must hold each value once')
  .describe(texts.roles)
const ownershipPercentage = z
  .int({ error: 'must be an integer' })
  .min(0, 'must be at least 0')
  .max(100, 'must be at most 100')
  .describe(texts.ownershipPercentage)

export const newOwner = z.object({
  customerId: idOf('Customer').describe(texts.customerId),
  roles,
  ownershipPercentage,
  personalInfo: newPersonalInfo.describe(texts.personalInfo),
})

export const ownerChanges = z.object({
  roles: roles.optional(),
  ownershipPercentage: ownershipPercentage.optional(),
  personalInfo: personalInfoChanges.optional().describe(`${texts.personalInfo} Fields that are absent stay.`),
})

const FIXED_FIELDS = ['id', 'customerId', 'kycStatus', 'createdAt', 'updatedAt']

/** Authenticated with the ciphertext, so that it cannot be moved to another owner. */
const sealedFor = (platformId: string, id: string) => `owner identifier ${platformId} ${id}`

/**
 * Adds an owner of a business. Needs the permission MANAGE. Throws 404 `USER_NOT_FOUND` or 410 `CUSTOMER_DELETED` for the customer, and 400
 * `INVALID_INPUT` for one that is a person.
 */
export const createOwner = async (caller: PlatformCaller, input: unknown): Promise<Owner> => {
  requirePermission(caller, 'MANAGE')
  const { platformId } = caller
  const { customerId, roles, ownershipPercentage, personalInfo } = parse(newOwner, input)
  const info = mergePersonalInfo(undefined, personalInfo)
  checkPerson(caller, info, personalInfo.identifier)
  const id = newUuid()
  const sealed = Buffer.from(sealSecret(personalInfo.identifier, sealedFor(platformId, id)))
  await inTransaction(async (tx) => {
    const businessId = partsOfId(customerId).uuid
    await lockCustomer(tx, caller, businessId)
    const [business] = await tx.$queryRaw<unknown[]>`
      select 1 from customers where platform_id = ${platformId}::uuid and id = ${businessId}::uuid and customer_type = 'BUSINESS'`
    if (!business) {
      throw invalidInput('customerId', 'customerId must be a business: only a business has owners')
    }
    await tx.$executeRaw`
      insert into beneficial_owners (platform_id, id, customer_id, roles, ownership_percentage, personal_info, identifier_sealed, kyc_status)
      values (${platformId}::uuid, ${id}::uuid, ${businessId}::uuid, ${roles}::beneficial_owner_role[], ${ownershipPercentage},
        ${JSON.stringify(info)}::jsonb, ${sealed}, ${statusOf(caller, info)}::verification_status)`
  })
  return selectWritten(caller, OwnerRecord, id)
}

interface StoredOwner {
  readonly customerId: string
  readonly personalInfo: PersonalInfo
  readonly identifierSealed: Uint8Array
}

/**
 * Absent fields stay, and null clears one. The person is verified anew when its data change. Needs the permission MANAGE. Throws 409 `CONFLICT`
 * while the business is under review.
 */
export const updateOwner = async (caller: PlatformCaller, id: string, input: unknown): Promise<Owner> => {
  requirePermission(caller, 'MANAGE')
  const { platformId } = caller
  const uuid = uuidOf(id)
  const { personalInfo, ...changes } = parseChanges(ownerChanges, input, FIXED_FIELDS)
  await inTransaction(async (tx) => {
    const [owner] = await tx.$queryRaw<StoredOwner[]>`
      select customer_id as "customerId", personal_info as "personalInfo", identifier_sealed as "identifierSealed"
      from beneficial_owners where platform_id = ${platformId}::uuid and id = ${uuid}::uuid for no key update`
    if (!owner) throw unknownOwner()
    await lockCustomer(tx, caller, owner.customerId)
    await requireNoReview(tx, caller, owner.customerId)
    if (personalInfo) {
      const sealedOwner = sealedFor(platformId, uuid)
      const info = mergePersonalInfo(owner.personalInfo, personalInfo)
      const identifier = personalInfo.identifier ?? openSecret(owner.identifierSealed, sealedOwner).toString('utf8')
      checkPerson(caller, info, identifier)
      await tx.$executeRaw`
        update beneficial_owners set personal_info = ${JSON.stringify(info)}::jsonb, identifier_sealed = ${Buffer.from(sealSecret(identifier, sealedOwner))},
          kyc_status = ${statusOf(caller, info)}::verification_status
        where platform_id = ${platformId}::uuid and id = ${uuid}::uuid`
    }
    await tx.$executeRaw`
      update beneficial_owners set roles = coalesce(${changes.roles ?? null}::beneficial_owner_role[], roles),
        ownership_percentage = coalesce(${changes.ownershipPercentage ?? null}::smallint, ownership_percentage), updated_at = now()
      where platform_id = ${platformId}::uuid and id = ${uuid}::uuid`
  })
  return selectWritten(caller, OwnerRecord, uuid)
}

const checkPerson = ({ environment }: PlatformCaller, info: PersonalInfo, identifier: string) => {
  checkIdentifier(info, identifier)
  if (info.email) requirePublicDomain(environment, info.email, 'personalInfo.email')
}

/** Without a provider the person is not verified. */
const statusOf = ({ environment }: PlatformCaller, info: PersonalInfo): Owner['kycStatus'] =>
  verificationProviderOf(environment)?.ownerStatus(info) ?? 'UNVERIFIED'

const uuidOf = (id: string): string => {
  const parsed = parseId(id)
  if (parsed?.kind !== 'BeneficialOwner') throw unknownOwner()
  return parsed.uuid
}

const unknownOwner = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such beneficial owner')

/** Throws 404 `REFERENCE_NOT_FOUND` for an unknown or malformed id. */
export const readOwner = async (caller: Caller, id: string): Promise<Owner> => {
  OwnerRecord.requireView(caller)
  const [owner] = await OwnerRecord.byIds(caller, [uuidOf(id)])
  if (!owner) throw unknownOwner()
  return owner
}

export const OwnerFilterInput = z.object({
  customerId: idOf('Customer').nullish().describe('Owners of this business.'),
})

export const ownerList = recordList(OwnerRecord, {
  name: 'beneficialOwners',
  filter: OwnerFilterInput,
  matches: ({ customerId }) => [...when(customerId, (id) => sql`t.customer_id = ${parseId(id)?.uuid}::uuid`)],
  parents: { Customer: 'customer_id' },
})
