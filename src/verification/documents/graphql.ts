import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { partsOfId, publicId } from '#core/ids.ts'
import { idOf as idInput, parse } from '#core/input.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { OwnerNode } from '#customers/owners/graphql.ts'
import { OwnerRecord } from '#customers/owners/owner.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { from, idOf } from '#graphql/compiled/field.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { enumOf } from '#graphql/enums.ts'
import { fieldsInput, schemaInput } from '#graphql/input-of.ts'
import { linkedListField, listField, listType } from '#graphql/list-field.ts'
import { addMutation, type Success, withoutNulls } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { createUpload, newUpload, type StagedUpload, UPLOAD_TEXTS } from '#uploads/staged.ts'
import {
  createDocument,
  DOCUMENT_TEXTS,
  type Document,
  DocumentRecord,
  deleteDocument,
  holderId,
  newDocument,
  replaceDocument,
  replacement,
} from './document.ts'
import { DOCUMENT_SIDES, DOCUMENT_TYPES } from './document-types.ts'
import { DocumentFilterInput, documentList } from './list.ts'

const { texts } = DocumentRecord

const DocumentTypeEnum = enumOf('DocumentType', 'What a document is.', DOCUMENT_TYPES, {
  PASSPORT: 'Passport.',
  DRIVERS_LICENSE: "Driver's license.",
  NATIONAL_ID: 'Identity card.',
  PROOF_OF_ADDRESS: 'Proof of address.',
  BANK_STATEMENT: 'Bank statement.',
  TAX_RETURN: 'Tax return.',
  CERTIFICATE_OF_INCORPORATION: 'Certificate of incorporation.',
  ARTICLES_OF_INCORPORATION: 'Articles of incorporation.',
  ARTICLES_OF_ASSOCIATION: 'Articles of association.',
  STATE_REGISTRY_EXCERPT: 'Excerpt from a state registry.',
  GOOD_STANDING_CERTIFICATE: 'Certificate of good standing.',
  INFORMATION_STATEMENT: 'Information statement.',
  INCUMBENCY_CERTIFICATE: 'Certificate of incumbency.',
  BUSINESS_LICENSE: 'Business license.',
  SHAREHOLDER_REGISTER: 'Register of shareholders.',
  POWER_OF_ATTORNEY: 'Power of attorney.',
  UTILITY_BILL: 'Utility bill.',
  ELECTRICITY_BILL: 'Electricity bill.',
  RENT_OR_LEASE_AGREEMENT: 'Rent or lease agreement.',
  DIRECTOR_REGISTRY: 'Register of directors.',
  TRUST_AGREEMENT: 'Trust agreement.',
  STATE_COMPANY_REGISTRY: 'Entry in a state register of companies.',
  PARTNERSHIP_CONTROL_AGREEMENT: 'Agreement on the control of a partnership.',
  PARTNERSHIP_AGREEMENT: 'Partnership agreement.',
  SELFIE: 'Photograph of the person.',
  OTHER: 'Another document.',
})

const DocumentSideEnum = enumOf('DocumentSide', 'Side of a document.', DOCUMENT_SIDES, {
  FRONT: 'Front.',
  BACK: 'Back.',
})

export const DocumentNode = builder.objectRef<Document>('Document').implement({
  description: 'A document about a customer or an owner. Its file is never returned.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('Document', 'id') }),
    documentHolder: t.id({
      nullable: false,
      description: DOCUMENT_TEXTS.documentHolder,
      ...from<Document>()(['customerId', 'beneficialOwnerId'], holderId),
    }),
    customerId: t.id({ nullable: false, description: texts.customerId, ...idOf('Customer', 'customerId') }),
    customer: t.field({
      type: CustomerNode,
      description: 'The holder, or the business of the holder.',
      ...rowOf(CustomerRecord, 'customerId'),
    }),
    beneficialOwner: t.field({
      type: OwnerNode,
      description: 'The holder. Null if the document is about the customer.',
      ...rowOf(OwnerRecord, 'beneficialOwnerId'),
    }),
    documentType: t.expose('documentType', {
      type: DocumentTypeEnum,
      nullable: false,
      description: texts.documentType,
    }),
    country: t.exposeString('country', { nullable: false, description: texts.country }),
    side: t.expose('side', { type: DocumentSideEnum, description: texts.side }),
    issuingAuthority: t.exposeString('issuingAuthority', { description: texts.issuingAuthority }),
    mediaType: t.exposeString('mediaType', { nullable: false, description: texts.mediaType }),
    size: t.exposeInt('size', { nullable: false, description: texts.size }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
  }),
})

registerRecord(DocumentRecord, 'Document')

const documents = listType('Document', DocumentNode, 'documents', documentList, DocumentFilterInput)

builder.queryField('documents', (t) => listField(t, documents, 'Documents about customers and owners.'))
builder.objectField(CustomerNode, 'documents', (t) =>
  linkedListField(t, documents, 'Customer', 'Documents about the customer, and about the owners of a business.'),
)
builder.objectField(OwnerNode, 'documents', (t) =>
  linkedListField(t, documents, 'BeneficialOwner', 'Documents about the owner.'),
)

const DocumentUploadType = builder.objectRef<StagedUpload>('DocumentUpload').implement({
  description: 'Where to send a file.',
  fields: (t) => ({
    uploadId: t.id({ nullable: false, description: UPLOAD_TEXTS.id, resolve: ({ id }) => publicId('Upload', id) }),
    url: t.exposeString('url', { nullable: false, description: UPLOAD_TEXTS.url }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: UPLOAD_TEXTS.expiresAt }),
  }),
})

addMutation('createDocumentUpload', {
  description:
    'Creates an address to which the client sends the file of a document with `PUT`. Afterwards, pass the upload to `createDocument` or `replaceDocument`. Error: `INVALID_INPUT`. REST needs no address: `POST /documents` takes the file itself.',
  input: schemaInput(newUpload),
  statuses: [400, 403],
  resolve: async (input, { caller }) => ({ upload: await createUpload(caller, input) }),
  success: {
    description: 'The upload address is created.',
    fields: (t) => ({
      upload: t.expose('upload', { type: DocumentUploadType, nullable: false, description: 'Where to send the file.' }),
    }),
  },
})

const successOf = (description: string): Success<{ readonly document: Document }> => ({
  description,
  fields: (t) => ({
    document: t.expose('document', { type: DocumentNode, nullable: false, description: 'The document.' }),
  }),
})

const UPLOAD_ID = '`Upload:<uuid>` whose file was sent. An upload can be used only once.'

/** Checks the permission first, as for every other part of the input. */
const uploadOf = (caller: PlatformCaller, uploadId: string) => {
  requirePermission(caller, 'MANAGE')
  return partsOfId(parse(idInput('Upload'), uploadId, 'uploadId')).uuid
}

addMutation('createDocument', {
  description:
    'Creates a document from a file that was sent to the address of `createDocumentUpload`. Errors: `INVALID_INPUT`, `USER_NOT_FOUND`, `REFERENCE_NOT_FOUND`, `CUSTOMER_DELETED`, `CONFLICT` with the reason `UPLOAD_USED` or `UPLOAD_NOT_RECEIVED`. REST: `POST /documents`.',
  input: schemaInput(newDocument, (t) => ({
    uploadId: t.id({ required: true, description: UPLOAD_ID }),
  })),
  statuses: [400, 403, 404, 409, 410],
  resolve: async ({ uploadId, ...input }, { caller }) => ({
    document: await createDocument(caller, withoutNulls(input), uploadOf(caller, uploadId)),
  }),
  success: successOf('The document is stored. REST: 201.'),
})

addMutation('replaceDocument', {
  description:
    'Replaces the file and every field but the holder. Errors: `INVALID_INPUT`, `REFERENCE_NOT_FOUND`, `CUSTOMER_DELETED`, `CONFLICT` with the reason `UNDER_REVIEW`, `UPLOAD_USED` or `UPLOAD_NOT_RECEIVED`. REST: `PUT /documents/{documentId}`.',
  input: schemaInput(replacement, (t) => ({
    id: t.id({ required: true, description: texts.id }),
    uploadId: t.id({ required: true, description: UPLOAD_ID }),
  })),
  statuses: [400, 403, 404, 409, 410],
  resolve: async ({ id, uploadId, ...input }, { caller }) => ({
    document: await replaceDocument(caller, id, withoutNulls(input), uploadOf(caller, uploadId)),
  }),
  success: successOf('The document is replaced.'),
})

addMutation('deleteDocument', {
  description:
    'Deletes a document and its file. Errors: `REFERENCE_NOT_FOUND`, `CUSTOMER_DELETED`, `CONFLICT` with the reason `UNDER_REVIEW`. REST: `DELETE /documents/{documentId}`.',
  input: fieldsInput((t) => ({ id: t.id({ required: true, description: texts.id }) })),
  statuses: [403, 404, 409, 410],
  resolve: async ({ id }, { caller }) => ({ id: await deleteDocument(caller, id) }),
  success: {
    description: 'The document and its file are deleted. REST: 204.',
    fields: (t) => ({
      deletedDocumentId: t.id({
        nullable: false,
        description: texts.id,
        resolve: ({ id }) => publicId('Document', id),
      }),
    }),
  },
})
