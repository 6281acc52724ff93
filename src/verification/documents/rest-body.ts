import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import { type Document, holderId } from './document.ts'
import type { documentSchema } from './rest-schema.ts'

export const documentBody = (document: Document): BodyOf<typeof documentSchema> => ({
  id: publicId('Document', document.id),
  documentHolder: holderId(document),
  documentType: document.documentType,
  country: document.country,
  side: document.side ?? undefined,
  issuingAuthority: document.issuingAuthority ?? undefined,
  mediaType: document.mediaType,
  size: document.size,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
})
