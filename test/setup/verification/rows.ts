// Rows of owners, documents and verifications, written without the API.
import { randomUUID } from 'node:crypto'
import { sealSecret } from '#core/keys.ts'
import { db } from '#database/db.ts'
import type { Platform } from '#test/setup/world.ts'
import { createUpload as createStaged } from '#uploads/staged.ts'

interface Row {
  readonly id?: string
  readonly createdAt?: Date
}

interface OfCustomer extends Row {
  readonly customerId: string
}

/** A file that was received, and that nothing has kept yet. */
export const createUpload = async ({ id: platformId }: Platform, { id = randomUUID() }: Row = {}) => {
  await db.$executeRaw`
    insert into uploads (platform_id, id, state, sealed_key, size, sha256, media_type, expires_at)
    values (${platformId}::uuid, ${id}::uuid, 'READY', '\\x00', 100, sha256('\\x00'), 'application/pdf', now() + interval '1 hour')`
  return { id }
}

/** The address of an upload whose file has not been sent. */
export const expectUpload = ({ id: platformId }: Platform) =>
  createStaged(
    { scheme: 'PLATFORM', platformId, environment: 'SANDBOX', tokenId: randomUUID(), permissions: ['MANAGE'] },
    { size: 100 },
  )

export const createOwner = async (
  { id: platformId }: Platform,
  { id = randomUUID(), createdAt = new Date(), customerId, lastName = 'Lovelace' }: OfCustomer & { lastName?: string },
) => {
  const address = { line1: '1 Main Street', postalCode: '1', country: 'DE' }
  const identifier = Buffer.from(sealSecret('078051120', `owner identifier ${platformId} ${id}`))
  const info = { firstName: 'Ada', lastName, birthDate: '1980-01-01', nationality: 'DE', address, idType: 'SSN' }
  await db.$executeRaw`
    insert into beneficial_owners (platform_id, id, customer_id, roles, ownership_percentage, personal_info, identifier_sealed, kyc_status, created_at, updated_at)
    values (${platformId}::uuid, ${id}::uuid, ${customerId}::uuid, '{UBO}', 50, ${JSON.stringify(info)}::jsonb, ${identifier}, 'APPROVED', ${createdAt}, ${createdAt})`
  return { id }
}

export const createDocument = async (
  platform: Platform,
  {
    id = randomUUID(),
    createdAt = new Date(),
    customerId,
    ownerId = null,
    documentType = 'PASSPORT',
    issuingAuthority = null,
  }: OfCustomer & { ownerId?: string | null; documentType?: string; issuingAuthority?: string | null },
) => {
  const { id: uploadId } = await createUpload(platform)
  await db.$executeRaw`
    update uploads set state = 'KEPT' where platform_id = ${platform.id}::uuid and id = ${uploadId}::uuid`
  await db.$executeRaw`
    insert into documents (platform_id, id, customer_id, beneficial_owner_id, document_type, country, issuing_authority, upload_id, media_type, size,
      created_at, updated_at)
    values (${platform.id}::uuid, ${id}::uuid, ${customerId}::uuid, ${ownerId}::uuid, ${documentType}::document_type, 'DE', ${issuingAuthority},
      ${uploadId}::uuid, 'application/pdf', 100, ${createdAt}, ${createdAt})`
  return { id }
}

/** Decided verifications, unless `reason` says what is missing: a customer has one undecided verification. */
export const createVerification = async (
  { id: platformId }: Platform,
  {
    id = randomUUID(),
    createdAt = new Date(),
    customerId,
    status = 'REJECTED',
    reason,
  }: OfCustomer & { status?: string; reason?: string },
) => {
  const errors = reason ? [{ resourceId: `Customer:${customerId}`, type: 'MISSING_FIELD', field: 'name', reason }] : []
  await db.$executeRaw`
    insert into verifications (platform_id, id, customer_id, verification_status, errors, created_at, updated_at)
    values (${platformId}::uuid, ${id}::uuid, ${customerId}::uuid, ${reason ? 'RESOLVE_ERRORS' : status}::verification_state,
      ${JSON.stringify(errors)}::jsonb, ${createdAt}, ${createdAt})`
  return { id }
}
