import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { connectionType } from '#graphql/connection.ts'
import { enumOf, enumWithLabels } from '#graphql/enums.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { filterType, linkedListField, listField } from '#graphql/list-field.ts'
import { addMutation, withoutNulls } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { IDEMPOTENCY_KEY_DESCRIPTION, keyFor } from '#idempotency/graphql.ts'
import '#verification/documents/graphql.ts'
import { DOCUMENT_TYPES } from '#verification/documents/document-types.ts'
import { createKycLink, type IssuedLink, KYC_LINK_TEXTS, kycLinkRequest } from './kyc-link.ts'
import { newVerification, submitVerification } from './submit.ts'
import {
  VERIFICATION_ERROR_TEXTS,
  VERIFICATION_ERROR_TYPES,
  VERIFICATION_STATES,
  type Verification,
  type VerificationError,
  VerificationFilterInput,
  VerificationRecord,
  verificationList,
} from './verification.ts'

const { texts } = VerificationRecord

const VerificationStateEnum = enumOf('VerificationState', 'State of a verification.', VERIFICATION_STATES, {
  RESOLVE_ERRORS: 'Something is missing or wrong: see `errors`.',
  PENDING_MANUAL_REVIEW: 'A person reviews it.',
  IN_PROGRESS: 'It is being checked.',
  APPROVED: 'Passed.',
  REJECTED: 'Failed.',
  READY_FOR_VERIFICATION: 'Every error is resolved. Submit it again.',
})

const VerificationErrorTypeEnum = enumOf(
  'VerificationErrorType',
  'What is missing or wrong.',
  VERIFICATION_ERROR_TYPES,
  {
    MISSING_FIELD: 'A field has no value.',
    INVALID_FIELD: 'A field has a wrong value.',
    MISSING_LEGAL_PRESENCE_DOCUMENT: 'A document that proves the legal presence of the business is missing.',
    MISSING_CONTROL_STRUCTURE_DOCUMENT: 'A document that shows who controls the business is missing.',
    MISSING_OWNERSHIP_STRUCTURE_DOCUMENT: 'A document that shows who owns the business is missing.',
    MISSING_PROOF_OF_ADDRESS_DOCUMENT: 'A document that proves the address is missing.',
    MISSING_IDENTITY_DOCUMENT: 'A document that proves the identity is missing.',
    MISSING_GOOD_STANDING_DOCUMENT: 'A certificate of good standing is missing.',
    INVALID_DOCUMENT: 'The document is not valid.',
    EXPIRED_DOCUMENT: 'The document has expired.',
    POOR_QUALITY_DOCUMENT: 'The document cannot be read well enough.',
    SUSPECTED_FRAUD_DOCUMENT: 'The document may be forged.',
    INCOMPLETE_DOCUMENT: 'A part of the document is missing.',
    UNREADABLE_DOCUMENT: 'The document cannot be read.',
    WRONG_DOCUMENT_TYPE: 'The document is not of the stated type.',
    DOCUMENT_VERIFICATION_FAILED: 'The document could not be verified.',
    APPLICANT_SANCTIONED: 'The applicant is on a list of sanctions.',
    APPLICANT_FRAUD: 'The applicant is suspected of fraud.',
    APPLICANT_CRIMINAL_RECORD: 'The applicant has a criminal record.',
    APPLICANT_REJECTED: 'The applicant was rejected.',
    MISSING_BENEFICIAL_OWNER: 'The business has no ultimate beneficial owner.',
    MISSING_CONTROL_PERSON: 'The business has no control person.',
  },
)

const VerificationErrorNode = builder.objectRef<VerificationError>('VerificationError').implement({
  description: 'Something that is missing or wrong.',
  fields: (t) => ({
    resourceId: t.exposeID('resourceId', { nullable: false, description: VERIFICATION_ERROR_TEXTS.resourceId }),
    type: t.expose('type', {
      type: VerificationErrorTypeEnum,
      nullable: false,
      description: VERIFICATION_ERROR_TEXTS.type,
    }),
    field: t.exposeString('field', { description: VERIFICATION_ERROR_TEXTS.field }),
    acceptedDocumentTypes: t.expose('acceptedDocumentTypes', {
      type: [enumWithLabels(DOCUMENT_TYPES)],
      nullable: { list: true, items: false },
      description: VERIFICATION_ERROR_TEXTS.acceptedDocumentTypes,
    }),
    reason: t.exposeString('reason', { nullable: false, description: VERIFICATION_ERROR_TEXTS.reason }),
  }),
})

export const VerificationNode = builder.objectRef<Verification>('Verification').implement({
  description: 'The verification of a customer.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('Verification', 'id') }),
    customerId: t.id({ nullable: false, description: texts.customerId, ...idOf('Customer', 'customerId') }),
    customer: t.field({
      type: CustomerNode,
      description: 'The customer that is verified.',
      ...rowOf(CustomerRecord, 'customerId'),
    }),
    verificationState: t.expose('verificationStatus', {
      type: VerificationStateEnum,
      nullable: false,
      description: texts.verificationStatus,
    }),
    errors: t.expose('errors', {
      type: [VerificationErrorNode],
      nullable: { list: false, items: false },
      description: texts.errors,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
  }),
})

registerRecord(VerificationRecord, 'Verification')

const verifications = {
  list: verificationList,
  connection: connectionType<Verification>('Verification', VerificationNode, 'verifications'),
  filter: filterType('Verification', VerificationFilterInput.omit({ verificationStatus: true }), (t) => ({
    verificationStatus: t.field({
      type: VerificationStateEnum,
      description: String(VerificationFilterInput.shape.verificationStatus.description),
      deprecationReason: 'Use `verificationStatuses`, which takes several.',
    }),
  })),
}

builder.queryField('verifications', (t) => listField(t, verifications, 'Verifications of customers.'))
builder.objectField(CustomerNode, 'verifications', (t) =>
  linkedListField(t, verifications, 'Customer', 'Verifications of the customer.'),
)

addMutation('submitVerification', {
  description:
    'Starts the verification of a customer, or submits the one that waits for corrections. A verification under review does not change. Errors: `INVALID_INPUT` with the reason `CUSTOMER_APPROVED` or `CUSTOMER_REJECTED`, `USER_NOT_FOUND`, `CUSTOMER_DELETED`, `NOT_IMPLEMENTED`. REST: `POST /verifications`.',
  input: schemaInput(newVerification),
  statuses: [400, 403, 404, 410],
  resolve: async (input, { caller }) => ({ verification: await submitVerification(caller, input) }),
  success: {
    description: 'The verification is submitted, or lists what is missing. REST: 200.',
    fields: (t) => ({
      verification: t.expose('verification', {
        type: VerificationNode,
        nullable: false,
        description: 'The verification.',
      }),
    }),
  },
})

const KycProviderEnum = enumOf('KycProvider', 'Provider that verifies identities.', ['SUMSUB'], { SUMSUB: 'Sumsub.' })

const KycLinkType = builder.objectRef<IssuedLink>('KycLink').implement({
  description: 'A link to a page where a customer verifies its identity.',
  fields: (t) => ({
    kycUrl: t.exposeString('kycUrl', { nullable: false, description: KYC_LINK_TEXTS.kycUrl }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: KYC_LINK_TEXTS.expiresAt }),
    provider: t.field({
      type: KycProviderEnum,
      nullable: false,
      description: KYC_LINK_TEXTS.provider,
      resolve: () => 'SUMSUB' as const,
    }),
    token: t.exposeString('token', { description: KYC_LINK_TEXTS.token }),
  }),
})

addMutation('createKycLink', {
  description:
    'Creates a link to a page where a customer verifies its identity. Errors: `INVALID_INPUT` with the reason `CUSTOMER_APPROVED` or `CUSTOMER_REJECTED`, `USER_NOT_FOUND`, `CUSTOMER_DELETED`, `CONFLICT`, `NOT_IMPLEMENTED`. REST: `POST /customers/{customerId}/kyc-link`.',
  input: schemaInput(kycLinkRequest, (t) => ({
    customerId: t.id({ required: true, description: '`Customer:<uuid>`.' }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
  })),
  statuses: [400, 403, 404, 409, 410],
  resolve: async ({ customerId, idempotencyKey, redirectUri }, { caller }) => {
    const key = keyFor(caller, 'createKycLink', idempotencyKey)
    return { link: await createKycLink(caller, customerId, withoutNulls({ redirectUri }), key) }
  },
  success: {
    description: 'The link is created. REST: 201.',
    fields: (t) => ({
      kycLink: t.expose('link', { type: KycLinkType, nullable: false, description: 'The link.' }),
    }),
  },
})
