import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { VERIFICATION_STATUSES } from '#customers/customer.ts'
import { addressSchema, shown } from '#customers/profile/rest-schema.ts'
import { pageSchema, timeSchema } from '#rest/schema.ts'
import { OWNER_ROLES, OwnerRecord } from './owner.ts'
import { newPersonalInfo } from './personal-info.ts'

const { texts } = OwnerRecord

export const ownerSchema = z
  .object({
    id: idOf('BeneficialOwner').describe(texts.id),
    customerId: idOf('Customer').describe(texts.customerId),
    roles: z.array(z.enum(OWNER_ROLES)).describe(texts.roles),
    ownershipPercentage: z.int().min(0).max(100).describe(texts.ownershipPercentage),
    personalInfo: z
      .object(shown(newPersonalInfo.omit({ identifier: true })))
      .extend({ address: addressSchema.describe(String(newPersonalInfo.shape.address.description)) })
      .meta({ id: 'OwnerPersonalInfo', description: texts.personalInfo }),
    kycStatus: z.enum(VERIFICATION_STATUSES).describe(texts.kycStatus),
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'BeneficialOwner', description: 'A person who owns or controls a business.' })

export const ownerPageSchema = pageSchema('BeneficialOwnerPage', ownerSchema)
