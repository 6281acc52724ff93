// Beneficial owners: the people who own or control a business (docs/domain/verification.md#beneficial-owners).
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import { idOf, labelOf } from '#core/input.ts'
import { VERIFICATION_STATUSES } from '#customers/customer.ts'
import { query, sql } from '#database/db.ts'
import { findById, integer, json, listOf, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { recordList, refersTo } from '#database/record-list.ts'
import { newPersonalInfo, type PersonalInfo, personalInfoChanges } from './personal-info.ts'

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
    roles: listOf(OWNER_ROLES).describe("The person's roles in the business. At least one, without repeats."),
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
  .min(1, 'must have at least 1 value')
  .refine((given) => new Set(given).size === given.length, 'must not repeat a value')
  .describe(texts.roles)
const ownershipPercentage = z
  .int({ error: 'must be an integer' })
  .min(0, 'must be at least 0')
  .max(100, 'must be at most 100')
  .describe(texts.ownershipPercentage)

/** An owner without its business. */
export const ownerFields = z.object({
  roles,
  ownershipPercentage,
  personalInfo: newPersonalInfo.describe(texts.personalInfo),
})
export type OwnerFields = z.infer<typeof ownerFields>

export const newOwner = z.object({
  customerId: idOf('Customer').describe(texts.customerId),
  ...ownerFields.shape,
})

export const ownerChanges = ownerFields.partial().extend({
  personalInfo: personalInfoChanges.optional().describe(`${texts.personalInfo} Omitted fields are kept.`),
})

/** The bare uuid of an owner. Throws 404 `REFERENCE_NOT_FOUND` for a malformed id. */
export const ownerUuid = (id: string): string => requireUuid('BeneficialOwner', id, unknownOwner)

export const unknownOwner = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such beneficial owner')

/** Throws 404 `REFERENCE_NOT_FOUND` for an unknown or malformed id. */
export const readOwner = (caller: Caller, id: string): Promise<Owner> =>
  findById(caller, OwnerRecord, 'BeneficialOwner', id, unknownOwner)

/** The owners of each of the customers, in the order in which they were added. Checks no permission: they are parts of a customer. */
export const ownersOfCustomers = async (caller: Caller, customerIds: readonly string[]): Promise<Owner[][]> => {
  const owned = new Map<string, Owner[]>(customerIds.map((id) => [id, []]))
  const rows = await query(sql`
    select ${OwnerRecord.columns} from ${OwnerRecord.table} t
    where ${OwnerRecord.visibleTo(caller)} and t.customer_id = any(${customerIds}::uuid[]) order by t.created_at, t.id`)
  for (const row of rows) {
    const owner = OwnerRecord.read(row)
    owned.get(owner.customerId)?.push(owner)
  }
  return customerIds.map((id) => owned.get(id) ?? [])
}

export const ownersOfCustomer = async (caller: Caller, customerId: string): Promise<Owner[]> =>
  (await ownersOfCustomers(caller, [customerId])).flat()

export const OwnerFilterInput = z.object({
  customerId: idOf('Customer').nullish().describe('Owners of this business.'),
})

export const ownerList = recordList(OwnerRecord, {
  name: 'beneficialOwners',
  filter: OwnerFilterInput,
  matches: ({ customerId }) => [...refersTo('customer_id', customerId)],
  parents: { Customer: 'customer_id' },
})
