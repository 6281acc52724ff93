import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { Owner } from './owner.ts'
import type { ownerSchema } from './rest-schema.ts'

export const ownerBody = (owner: Owner): BodyOf<typeof ownerSchema> => ({
  id: publicId('BeneficialOwner', owner.id),
  customerId: publicId('Customer', owner.customerId),
  roles: owner.roles,
  ownershipPercentage: owner.ownershipPercentage,
  personalInfo: owner.personalInfo as BodyOf<typeof ownerSchema>['personalInfo'],
  kycStatus: owner.kycStatus,
  createdAt: owner.createdAt,
  updatedAt: owner.updatedAt,
})
