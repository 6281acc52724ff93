// Adding and changing beneficial owners: one at a time, and with their customer.
import { requirePublicDomain } from '#core/addresses/email.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { newUuid, partsOfId } from '#core/ids.ts'
import { parseChanges } from '#core/input.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import { type Owner as CustomerOwner, lockCustomer } from '#customers/provisioning.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { firstOwnerStatus } from './first-status.ts'
import { MOST_OWNERS, type OwnerEntry } from './list-in-customer.ts'
import { newOwner, type Owner, type OwnerFields, OwnerRecord, ownerChanges, ownerUuid, unknownOwner } from './owner.ts'
import { checkIdentifier, mergePersonalInfo, type PersonalInfo } from './personal-info.ts'
import { requireNoReview } from './under-review.ts'

const OWNER_FIELDS = Object.keys(OwnerRecord.shape)

/** Authenticated with the ciphertext, so that it cannot be moved to another owner. */
const sealedFor = (platformId: string, id: string) => `owner identifier ${platformId} ${id}`

/**
 * Adds an owner of a business. Needs the permission MANAGE. Throws 404 `USER_NOT_FOUND` or 410 `CUSTOMER_DELETED` for the customer, and 400
 * `INVALID_INPUT` for a customer that is a person, or that already has the maximum number of owners.
 */
export const createOwner = async (caller: PlatformCaller, input: unknown): Promise<Owner> => {
  requirePermission(caller, 'MANAGE')
  const { platformId } = caller
  const { customerId, ...owner } = parseChanges(newOwner, input, OWNER_FIELDS)
  checkNewOwner(caller, owner, '')
  const id = newUuid()
  await inTransaction(async (tx) => {
    const businessId = partsOfId(customerId).uuid
    await lockCustomer(tx, caller, businessId)
    const [business] = await tx.$queryRaw<unknown[]>`
      select 1 from customers where platform_id = ${platformId}::uuid and id = ${businessId}::uuid and customer_type = 'BUSINESS'`
    if (!business) {
      throw invalidInput('customerId', 'customerId must be a business: only a business has owners')
    }
    await requireRoom(tx, caller, businessId, 1, 'customerId')
    await insertOwners(tx, caller, businessId, [{ id, ...owner }])
  })
  return selectWritten(caller, OwnerRecord, id)
}

/** Throws 400 `INVALID_INPUT`. `place` is what comes before the fields of the owner in the request. */
export const checkNewOwner = (
  caller: Pick<CustomerOwner, 'environment'>,
  { personalInfo }: OwnerFields,
  place: string,
) => checkPerson(caller, mergePersonalInfo(undefined, personalInfo), personalInfo.identifier, place)

interface NewOwner extends OwnerFields {
  readonly id: string
}

/** Owners that were checked, of a business that `tx` has locked or inserted. */
export const insertOwners = async (
  tx: Tx,
  { platformId, environment }: CustomerOwner,
  customerId: string,
  owners: readonly NewOwner[],
): Promise<void> => {
  if (owners.length === 0) return
  const rows = owners.map(({ id, roles, ownershipPercentage, personalInfo }) => {
    const info = mergePersonalInfo(undefined, personalInfo)
    return {
      id,
      roles,
      ownership_percentage: ownershipPercentage,
      personal_info: info,
      identifier_sealed: `\\x${Buffer.from(sealSecret(personalInfo.identifier, sealedFor(platformId, id))).toString('hex')}`,
      kyc_status: firstOwnerStatus(environment, info),
    }
  })
  await tx.$executeRaw`
    insert into beneficial_owners (platform_id, id, customer_id, roles, ownership_percentage, personal_info, identifier_sealed, kyc_status)
    select ${platformId}::uuid, id, ${customerId}::uuid, roles, ownership_percentage, personal_info, identifier_sealed, kyc_status
    from jsonb_populate_recordset(null::beneficial_owners, ${JSON.stringify(rows)}::jsonb)`
}

/** Throws 400 `INVALID_INPUT` if the customer, which `tx` has locked, would have more than the maximum number of owners. */
const requireRoom = async (tx: Tx, { platformId }: PlatformCaller, customerId: string, more: number, field: string) => {
  const [{ count } = { count: 0 }] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from beneficial_owners where platform_id = ${platformId}::uuid and customer_id = ${customerId}::uuid`
  if (count + more > MOST_OWNERS) throw invalidInput(field, `A business has at most ${MOST_OWNERS} owners`)
}

/**
 * Merges `beneficialOwners` into the owners of a business that `tx` has locked: changes those with an id, and adds the others. Throws 400
 * `INVALID_INPUT`, 404 `REFERENCE_NOT_FOUND` for an owner of another customer, 409 `CONFLICT` for a change while the business is under review.
 */
export const mergeOwners = async (
  tx: Tx,
  caller: PlatformCaller,
  customerId: string,
  entries: readonly OwnerEntry[],
): Promise<void> => {
  const named = entries.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const added: NewOwner[] = []
  for (const [index, { id, ...fields }] of entries.entries()) {
    const place = `beneficialOwners.${index}.`
    if (id !== undefined) {
      if (named.indexOf(id) !== named.lastIndexOf(id)) throw invalidInput(`${place}id`, `${place}id is given twice`)
      await changeOwner(tx, caller, customerId, ownerUuid(id), fields, place)
    } else {
      // The schema requires every field of an owner without an id.
      const owner = { id: newUuid(), ...(fields as OwnerFields) }
      checkNewOwner(caller, owner, place)
      added.push(owner)
    }
  }
  if (added.length > 0) await requireRoom(tx, caller, customerId, added.length, 'beneficialOwners')
  await insertOwners(tx, caller, customerId, added)
}

/**
 * Omitted fields are kept, and null clears a field. The person is verified again when its data changes. Needs the permission MANAGE. Throws 409 `CONFLICT`
 * while the business is under review.
 */
export const updateOwner = async (caller: PlatformCaller, id: string, input: unknown): Promise<Owner> => {
  requirePermission(caller, 'MANAGE')
  const uuid = ownerUuid(id)
  const changes = parseChanges(ownerChanges, input, OWNER_FIELDS)
  await inTransaction(async (tx) => {
    const [owner] = await tx.$queryRaw<{ readonly customerId: string }[]>`
      select customer_id as "customerId" from beneficial_owners where platform_id = ${caller.platformId}::uuid and id = ${uuid}::uuid`
    if (!owner) throw unknownOwner()
    await lockCustomer(tx, caller, owner.customerId)
    await changeOwner(tx, caller, owner.customerId, uuid, changes, '')
  })
  return selectWritten(caller, OwnerRecord, uuid)
}

type Changes = ReturnType<typeof ownerChanges.parse>

interface StoredOwner {
  readonly personalInfo: PersonalInfo
  readonly identifierSealed: Uint8Array
}

/** Changes an owner of a business that `tx` has locked. */
const changeOwner = async (
  tx: Tx,
  caller: PlatformCaller,
  customerId: string,
  id: string,
  { personalInfo, roles, ownershipPercentage }: Changes,
  place: string,
): Promise<void> => {
  const { platformId } = caller
  const [owner] = await tx.$queryRaw<StoredOwner[]>`
    select personal_info as "personalInfo", identifier_sealed as "identifierSealed" from beneficial_owners
    where platform_id = ${platformId}::uuid and customer_id = ${customerId}::uuid and id = ${id}::uuid for no key update`
  if (!owner) throw unknownOwner()
  await requireNoReview(tx, caller, customerId)
  if (personalInfo) {
    const sealedOwner = sealedFor(platformId, id)
    const info = mergePersonalInfo(owner.personalInfo, personalInfo)
    const identifier = personalInfo.identifier ?? openSecret(owner.identifierSealed, sealedOwner).toString('utf8')
    checkPerson(caller, info, identifier, place)
    await tx.$executeRaw`
      update beneficial_owners set personal_info = ${JSON.stringify(info)}::jsonb, identifier_sealed = ${Buffer.from(sealSecret(identifier, sealedOwner))},
        kyc_status = ${firstOwnerStatus(caller.environment, info)}::verification_status
      where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  }
  await tx.$executeRaw`
    update beneficial_owners set roles = coalesce(${roles ?? null}::beneficial_owner_role[], roles),
      ownership_percentage = coalesce(${ownershipPercentage ?? null}::smallint, ownership_percentage), updated_at = now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`
}

const checkPerson = (
  { environment }: Pick<CustomerOwner, 'environment'>,
  info: PersonalInfo,
  identifier: string,
  place: string,
) => {
  checkIdentifier(info, identifier, place)
  if (info.email) requirePublicDomain(environment, info.email, `${place}personalInfo.email`)
}
