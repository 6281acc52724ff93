import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { pageSchema, timeSchema } from '#rest/schema.ts'
import { MEDIA_TYPES } from '#uploads/media-type.ts'
import { DOCUMENT_TEXTS, DocumentRecord, documentHolder, newDocument, replacement } from './document.ts'
import { DOCUMENT_SIDES, DOCUMENT_TYPES } from './document-types.ts'

const { texts } = DocumentRecord

export const documentSchema = z
  .object({
    id: idOf('Document').describe(texts.id),
    documentHolder,
    documentType: z.enum(DOCUMENT_TYPES).describe(texts.documentType),
    country: z.string().describe(texts.country),
    side: z.enum(DOCUMENT_SIDES).optional().describe(texts.side),
    issuingAuthority: z.string().optional().describe(texts.issuingAuthority),
    mediaType: z.enum(MEDIA_TYPES).describe(texts.mediaType),
    size: z.int().min(1).describe(texts.size),
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'Document', description: 'A document about a customer or an owner. Its file is never returned.' })

export const documentPageSchema = pageSchema('DocumentPage', documentSchema)

const file = z.string().meta({ format: 'binary', description: DOCUMENT_TEXTS.file })

export const documentForm = newDocument
  .extend({ file })
  .meta({ id: 'DocumentForm', description: 'The new document and its file. Parts come in any order.' })

export const replacementForm = replacement
  .extend({ file })
  .meta({ id: 'DocumentReplacementForm', description: 'The file and all fields. A field that is absent is cleared.' })
