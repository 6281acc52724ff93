// Everything that a verification examines: the customer, its owners, and their documents.
import type { PlatformId } from '#core/ids.ts'
import type { Customer } from '#customers/customer.ts'
import type { Owner } from '#customers/owners/owner.ts'
import { lockCustomer } from '#customers/provisioning.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { DocumentType } from './documents/document-types.ts'

interface SubjectDocument {
  readonly id: string
  /** Null if it is about the customer. */
  readonly ownerId: string | null
  readonly documentType: DocumentType
  readonly side: 'FRONT' | 'BACK' | null
}

export interface Subject extends Pick<Customer, 'id' | 'customerType' | 'name' | 'profile' | 'verificationStatus'> {
  readonly platformId: PlatformId
  readonly owners: readonly Pick<Owner, 'id' | 'roles' | 'ownershipPercentage' | 'kycStatus'>[]
  /** Newest first. */
  readonly documents: readonly SubjectDocument[]
}

/** Locks the customer, so that the examined data does not change in the meantime. Throws 404 `USER_NOT_FOUND`, or 410 `CUSTOMER_DELETED`. */
export const lockSubject = async (tx: Tx, platformId: PlatformId, customerId: string): Promise<Subject> => {
  await lockCustomer(tx, { platformId }, customerId)
  const [subject] = await tx.$queryRaw<Omit<Subject, 'platformId'>[]>`
    select c.id, c.customer_type::text as "customerType", c.name, c.profile, c.verification_status::text as "verificationStatus",
      coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'roles', o.roles, 'ownershipPercentage', o.ownership_percentage,
        'kycStatus', o.kyc_status) order by o.created_at, o.id) from beneficial_owners o
        where o.platform_id = c.platform_id and o.customer_id = c.id), '[]') as owners,
      coalesce((select jsonb_agg(jsonb_build_object('id', d.id, 'ownerId', d.beneficial_owner_id, 'documentType', d.document_type,
        'side', d.side) order by d.created_at desc, d.id desc) from documents d
        where d.platform_id = c.platform_id and d.customer_id = c.id), '[]') as documents
    from customers c where c.platform_id = ${platformId}::uuid and c.id = ${customerId}::uuid`
  if (!subject) throw new Error('A locked customer cannot be read')
  return { ...subject, platformId }
}
