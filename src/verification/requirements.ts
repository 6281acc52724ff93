// The information and documents that a customer needs before a review (docs/domain/verification.md#requirements).
import { publicId } from '#core/ids.ts'
import { valueAt } from '#core/input.ts'
import type { DocumentType } from './documents/document-types.ts'
import type { Subject } from './subject.ts'
import type { VerificationError } from './verification.ts'

const INDIVIDUAL_FIELDS = ['fullName', 'birthDate', 'nationality', 'address']
const BUSINESS_FIELDS = [
  'address',
  'businessInfo.legalName',
  'businessInfo.incorporatedOn',
  'businessInfo.taxId',
  'businessInfo.country',
  'businessInfo.registrationNumber',
  'businessInfo.entityType',
]

interface Proof {
  readonly type: VerificationError['type']
  readonly accepted: readonly DocumentType[]
  readonly reason: string
}

const IDENTITY: Proof = {
  type: 'MISSING_IDENTITY_DOCUMENT',
  accepted: ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'],
  reason: 'A document that proves the identity of the person is missing.',
}
const ADDRESS: Proof = {
  type: 'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
  accepted: [
    'PROOF_OF_ADDRESS',
    'UTILITY_BILL',
    'ELECTRICITY_BILL',
    'BANK_STATEMENT',
    'RENT_OR_LEASE_AGREEMENT',
    'TAX_RETURN',
  ],
  reason: 'A document that proves the address is missing.',
}
const OF_BUSINESS: readonly Proof[] = [
  {
    type: 'MISSING_LEGAL_PRESENCE_DOCUMENT',
    accepted: [
      'CERTIFICATE_OF_INCORPORATION',
      'ARTICLES_OF_INCORPORATION',
      'ARTICLES_OF_ASSOCIATION',
      'STATE_REGISTRY_EXCERPT',
      'STATE_COMPANY_REGISTRY',
      'BUSINESS_LICENSE',
    ],
    reason: 'A document that proves the legal presence of the business is missing.',
  },
  {
    type: 'MISSING_CONTROL_STRUCTURE_DOCUMENT',
    accepted: [
      'DIRECTOR_REGISTRY',
      'INCUMBENCY_CERTIFICATE',
      'INFORMATION_STATEMENT',
      'POWER_OF_ATTORNEY',
      'PARTNERSHIP_CONTROL_AGREEMENT',
      'TRUST_AGREEMENT',
    ],
    reason: 'A document that shows who controls the business is missing.',
  },
  {
    type: 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
    accepted: ['SHAREHOLDER_REGISTER', 'PARTNERSHIP_AGREEMENT', 'TRUST_AGREEMENT', 'INFORMATION_STATEMENT'],
    reason: 'A document that shows who owns the business is missing.',
  },
  ADDRESS,
  {
    type: 'MISSING_GOOD_STANDING_DOCUMENT',
    accepted: ['GOOD_STANDING_CERTIFICATE'],
    reason: 'A certificate of good standing is missing.',
  },
]

/** Documents with two sides, each in a file of its own. */
const TWO_SIDED: readonly DocumentType[] = ['DRIVERS_LICENSE', 'NATIONAL_ID']

/** Returns everything that is missing or contradictory, in the order of the resources: customer, owners, documents. */
export const missingOf = (subject: Subject): VerificationError[] =>
  subject.customerType === 'INDIVIDUAL'
    ? [...missingFields(subject, INDIVIDUAL_FIELDS), ...missingProofs(subject, null, [IDENTITY, ADDRESS])]
    : [
        ...missingFields(subject, BUSINESS_FIELDS),
        ...missingProofs(subject, null, OF_BUSINESS),
        ...missingPeople(subject),
        ...subject.owners.flatMap((owner) => missingOfOwner(subject, owner)),
      ]

const idOfSubject = ({ id }: Subject) => publicId('Customer', id)

const missingFields = (subject: Subject, fields: readonly string[]): VerificationError[] => {
  const { name, profile } = subject
  const body = { ...profile, fullName: name, businessInfo: { ...profile?.businessInfo, legalName: name } }
  return fields
    .filter((field) => valueAt(body, field.split('.')) == null)
    .map((field) => ({
      resourceId: idOfSubject(subject),
      type: 'MISSING_FIELD',
      field,
      reason: `${field} is missing.`,
    }))
}

/** An error about the customer, or about one of its owners. */
const missingProofs = (subject: Subject, ownerId: string | null, proofs: readonly Proof[]): VerificationError[] => {
  const resourceId = ownerId === null ? idOfSubject(subject) : publicId('BeneficialOwner', ownerId)
  const held = subject.documents.filter((document) => document.ownerId === ownerId)
  return proofs.flatMap(({ type, accepted, reason }): VerificationError[] => {
    const found = held.filter(({ documentType }) => accepted.includes(documentType))
    if (found.length === 0) return [{ resourceId, type, acceptedDocumentTypes: accepted, reason }]
    return found.some(({ documentType }) => isWhole(documentType, held)) ? [] : found.slice(0, 1).map(withoutOtherSide)
  })
}

/** Without a side, the file shows both. */
const isWhole = (type: DocumentType, held: Subject['documents']): boolean => {
  const sides = held.filter(({ documentType }) => documentType === type).map(({ side }) => side)
  return !TWO_SIDED.includes(type) || sides.includes(null) || (sides.includes('FRONT') && sides.includes('BACK'))
}

const withoutOtherSide = ({ id, documentType, side }: Subject['documents'][number]): VerificationError => ({
  resourceId: publicId('Document', id),
  type: 'INCOMPLETE_DOCUMENT',
  acceptedDocumentTypes: [documentType],
  reason: `The ${side === 'FRONT' ? 'back' : 'front'} of the document is missing.`,
})

const missingPeople = (subject: Subject): VerificationError[] => {
  const resourceId = idOfSubject(subject)
  const roles = new Set(subject.owners.flatMap((owner) => owner.roles))
  const shares = subject.owners.reduce((sum, { ownershipPercentage }) => sum + ownershipPercentage, 0)
  const errors: VerificationError[] = []
  if (!roles.has('UBO') && subject.profile?.businessInfo?.entityType !== 'NON_PROFIT') {
    errors.push({ resourceId, type: 'MISSING_BENEFICIAL_OWNER', reason: 'No owner has the role UBO.' })
  }
  if (!roles.has('CONTROL_PERSON')) {
    errors.push({ resourceId, type: 'MISSING_CONTROL_PERSON', reason: 'No owner has the role CONTROL_PERSON.' })
  }
  if (shares > 100) {
    const reason = `The shares of the owners add up to ${shares} percent.`
    errors.push({ resourceId, type: 'INVALID_FIELD', field: 'beneficialOwners.ownershipPercentage', reason })
  }
  return errors
}

const missingOfOwner = (subject: Subject, { id, kycStatus }: Subject['owners'][number]): VerificationError[] => [
  ...(kycStatus === 'REJECTED'
    ? [
        {
          resourceId: publicId('BeneficialOwner', id),
          type: 'APPLICANT_REJECTED' as const,
          reason: 'The verification of the owner failed.',
        },
      ]
    : []),
  ...missingProofs(subject, id, [IDENTITY]),
]
