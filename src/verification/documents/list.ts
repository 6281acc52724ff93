import { z } from 'zod'
import { partsOfId } from '#core/ids.ts'
import { anyOf, idOf } from '#core/input.ts'
import { sql } from '#database/db.ts'
import { isOneOf, recordList, when } from '#database/record-list.ts'
import { DocumentRecord } from './document.ts'
import { DOCUMENT_TYPES } from './document-types.ts'

export const DocumentFilterInput = z.object({
  documentHolder: idOf('Customer', 'BeneficialOwner')
    .nullish()
    .describe(
      'Documents about this customer or owner. Documents about a business do not include those about its owners.',
    ),
  documentTypes: anyOf(DOCUMENT_TYPES).describe('Documents of any of these types. An empty list means no filter.'),
})

/** The conditions that REST offers. */
export const DOCUMENT_PARAMETERS = ['documentHolder'] as const

const isHeldBy = (id: string) => {
  const { kind, uuid } = partsOfId(id)
  return kind === 'Customer'
    ? sql`t.customer_id = ${uuid}::uuid and t.beneficial_owner_id is null`
    : sql`t.beneficial_owner_id = ${uuid}::uuid`
}

export const documentList = recordList(DocumentRecord, {
  name: 'documents',
  filter: DocumentFilterInput,
  matches: ({ documentHolder, documentTypes }) => [
    ...when(documentHolder, isHeldBy),
    ...isOneOf('document_type', 'document_type', documentTypes),
  ],
  parents: { Customer: 'customer_id', BeneficialOwner: 'beneficial_owner_id' },
})
