// Documents that prove what customers and their owners have stated (docs/domain/verification.md#documents).
import { z } from 'zod'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { countryCode } from '#core/codes/countries.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, partsOfId, publicId, requireUuid } from '#core/ids.ts'
import { idOf, labelOf, parseChanges, textOf } from '#core/input.ts'
import { sealSecret } from '#core/keys.ts'
import { requireNoReview } from '#customers/owners/under-review.ts'
import { lockCustomer } from '#customers/provisioning.ts'
import {
  findById,
  integer,
  nullable,
  oneOf,
  type RecordOf,
  record,
  selectWritten,
  text,
  time,
} from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { deleteFile, keepFile } from '#uploads/file.ts'
import { MEDIA_TYPES } from '#uploads/media-type.ts'
import { DOCUMENT_SIDES, DOCUMENT_TYPES } from './document-types.ts'

export const DocumentRecord = record(
  'documents',
  {
    id: text.describe('`Document:<uuid>`.'),
    customerId: text.describe('`Customer:<uuid>` of the holder, or of the business of the holder.'),
    beneficialOwnerId: nullable(text),
    documentType: oneOf(DOCUMENT_TYPES).describe('What the document is.'),
    country: text.describe('Country that issued it, ISO 3166-1 alpha-2.'),
    side: nullable(oneOf(DOCUMENT_SIDES)).describe(
      'Which side of the document the file shows, if front and back are separate files.',
    ),
    issuingAuthority: nullable(text).describe('Authority that issued it.'),
    mediaType: oneOf(MEDIA_TYPES).describe(
      'Media type detected from the content of the file: `application/pdf`, `image/jpeg` or `image/png`.',
    ),
    size: integer.describe('Size of the file in bytes.'),
    createdAt: time.describe('When the document was uploaded.'),
    updatedAt: time.describe('When the document was last replaced.'),
  },
  'REFUSED',
)
export type Document = RecordOf<typeof DocumentRecord>

const { texts } = DocumentRecord

export const DOCUMENT_TEXTS = {
  documentHolder: '`Customer:<uuid>` or `BeneficialOwner:<uuid>` that the document is about.',
  file: 'A PDF, JPEG or PNG of at most 10,000,000 bytes. The type is detected from the bytes, not from the name.',
} as const

export const documentHolder = idOf('Customer', 'BeneficialOwner').describe(DOCUMENT_TEXTS.documentHolder)

const fields = {
  documentType: labelOf(DOCUMENT_TYPES).describe(texts.documentType),
  country: countryCode.describe(texts.country),
  side: labelOf(DOCUMENT_SIDES).nullish().describe(texts.side),
  documentNumber: textOf(64).nullish().describe('Number of the document. It is stored encrypted and never returned.'),
  issuingAuthority: textOf(255).nullish().describe(texts.issuingAuthority),
}

export const newDocument = z.object({ documentHolder, ...fields })
export const replacement = z.object({
  documentHolder: documentHolder.nullish().describe(`${DOCUMENT_TEXTS.documentHolder} It cannot be changed.`),
  ...fields,
})

/** The fields of a document that only the service writes. */
const FIXED_FIELDS = ['id', 'mediaType', 'size', 'createdAt', 'updatedAt']

type Fields = Omit<z.infer<typeof newDocument>, 'documentHolder'>

/** Authenticated with the ciphertext, so that it cannot be moved to another document. */
const sealedNumber = (documentNumber: string | null | undefined, platformId: string, id: string) =>
  documentNumber ? Buffer.from(sealSecret(documentNumber, `document number ${platformId} ${id}`)) : null

/**
 * Creates a document from a file that was received. `uploadId` is a bare uuid. Needs the permission MANAGE. Throws 404 for an unknown holder or
 * upload, 410 `CUSTOMER_DELETED`, and 409 `CONFLICT` for an upload that was used, or not received.
 */
export const createDocument = async (caller: PlatformCaller, input: unknown, uploadId: string): Promise<Document> => {
  requirePermission(caller, 'MANAGE')
  const { documentHolder, ...given } = parseChanges(newDocument, input, FIXED_FIELDS)
  const { platformId } = caller
  const id = newUuid()
  return inTransaction(async (tx) => {
    const holder = await holderOf(tx, caller, documentHolder)
    await lockCustomer(tx, caller, holder.customerId)
    await keepFile(tx, { platformId, id: uploadId })
    const number = sealedNumber(given.documentNumber, platformId, id)
    await tx.$executeRaw`
      insert into documents (platform_id, id, customer_id, beneficial_owner_id, document_type, country, side, document_number_sealed,
        issuing_authority, upload_id, media_type, size)
      select platform_id, ${id}::uuid, ${holder.customerId}::uuid, ${holder.ownerId}::uuid, ${given.documentType}::document_type, ${given.country},
        ${given.side ?? null}::document_side, ${number}, ${given.issuingAuthority ?? null}, id, media_type, size
      from uploads where platform_id = ${platformId}::uuid and id = ${uploadId}::uuid`
    return selectWritten(caller, DocumentRecord, id, tx)
  })
}

interface Holder {
  readonly customerId: string
  readonly ownerId: string | null
}

const holderOf = async (tx: Tx, { platformId }: PlatformCaller, id: string): Promise<Holder> => {
  const { kind, uuid } = partsOfId(id)
  if (kind === 'Customer') return { customerId: uuid, ownerId: null }
  const [owner] = await tx.$queryRaw<{ customerId: string }[]>`
    select customer_id as "customerId" from beneficial_owners where platform_id = ${platformId}::uuid and id = ${uuid}::uuid`
  if (!owner) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such beneficial owner')
  return { customerId: owner.customerId, ownerId: uuid }
}

interface Stored extends Holder {
  readonly uploadId: string
}

/**
 * Replaces the file and all fields but the holder. Needs the permission MANAGE. Throws what `createDocument` throws, 404 `REFERENCE_NOT_FOUND`
 * for an unknown document, and 409 `CONFLICT` while the customer is under review.
 */
export const replaceDocument = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  uploadId: string,
): Promise<Document> => {
  requirePermission(caller, 'MANAGE')
  const { documentHolder, ...given } = parseChanges(replacement, input, FIXED_FIELDS)
  const uuid = documentUuid(id)
  return inTransaction(async (tx) => {
    const stored = await lockDocument(tx, caller, uuid)
    if (documentHolder && documentHolder !== holderId({ ...stored, beneficialOwnerId: stored.ownerId })) {
      throw invalidInput('documentHolder', 'documentHolder cannot be changed')
    }
    await keepFile(tx, { platformId: caller.platformId, id: uploadId })
    await rewrite(tx, caller, uuid, given, uploadId)
    await deleteFile(tx, { platformId: caller.platformId, id: stored.uploadId })
    return selectWritten(caller, DocumentRecord, uuid, tx)
  })
}

const rewrite = (tx: Tx, { platformId }: PlatformCaller, id: string, given: Fields, uploadId: string) =>
  tx.$executeRaw`
    update documents t set document_type = ${given.documentType}::document_type, country = ${given.country},
      side = ${given.side ?? null}::document_side, document_number_sealed = ${sealedNumber(given.documentNumber, platformId, id)},
      issuing_authority = ${given.issuingAuthority ?? null}, upload_id = u.id, media_type = u.media_type, size = u.size, updated_at = now()
    from uploads u where t.platform_id = ${platformId}::uuid and t.id = ${id}::uuid
      and u.platform_id = t.platform_id and u.id = ${uploadId}::uuid`

/** Needs the permission MANAGE. Throws 404 `REFERENCE_NOT_FOUND`, and 409 `CONFLICT` while the customer is under review. Returns the bare uuid. */
export const deleteDocument = async (caller: PlatformCaller, id: string): Promise<string> => {
  requirePermission(caller, 'MANAGE')
  const { platformId } = caller
  const uuid = documentUuid(id)
  await inTransaction(async (tx) => {
    const { uploadId } = await lockDocument(tx, caller, uuid)
    await tx.$executeRaw`delete from documents where platform_id = ${platformId}::uuid and id = ${uuid}::uuid`
    await deleteFile(tx, { platformId, id: uploadId })
  })
  return uuid
}

const lockDocument = async (tx: Tx, caller: PlatformCaller, id: string): Promise<Stored> => {
  const [stored] = await tx.$queryRaw<Stored[]>`
    select customer_id as "customerId", beneficial_owner_id as "ownerId", upload_id as "uploadId"
    from documents where platform_id = ${caller.platformId}::uuid and id = ${id}::uuid for update`
  if (!stored) throw unknownDocument()
  await lockCustomer(tx, caller, stored.customerId)
  await requireNoReview(tx, caller, stored.customerId)
  return stored
}

const documentUuid = (id: string): string => requireUuid('Document', id, unknownDocument)

const unknownDocument = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such document')

/** The public id of the holder. */
export const holderId = ({ customerId, beneficialOwnerId }: Pick<Document, 'customerId' | 'beneficialOwnerId'>) =>
  beneficialOwnerId === null ? publicId('Customer', customerId) : publicId('BeneficialOwner', beneficialOwnerId)

/** Throws 404 `REFERENCE_NOT_FOUND` for an unknown or malformed id. */
export const readDocument = (caller: Caller, id: string): Promise<Document> =>
  findById(caller, DocumentRecord, 'Document', id, unknownDocument)
