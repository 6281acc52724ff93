import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { discriminator, pageSchema, timeSchema } from '#rest/schema.ts'
import { CustomerRecord, VERIFICATION_STATUSES } from './customer.ts'

const { texts } = CustomerRecord

const common = z.object({
  id: idOf('Customer').describe(texts.id),
  platformCustomerId: z.string().describe(texts.platformCustomerId),
  region: z.string().optional().describe(texts.region),
  email: z.string().optional().describe(texts.email),
  phoneNumber: z.string().optional().describe(texts.phoneNumber),
  umaAddress: z.string().optional().describe(texts.umaAddress),
  createdAt: timeSchema(texts.createdAt),
  updatedAt: timeSchema(texts.updatedAt),
  isDeleted: z.boolean().describe(texts.isDeleted),
})

export const individualSchema = common
  .extend({
    customerType: discriminator('INDIVIDUAL'),
    kycStatus: z.enum(VERIFICATION_STATUSES).describe(texts.verificationStatus),
    fullName: z.string().optional().describe(texts.name),
  })
  .meta({ id: 'IndividualCustomer', description: 'A person.' })

export const businessSchema = common
  .extend({
    customerType: discriminator('BUSINESS'),
    kybStatus: z.enum(VERIFICATION_STATUSES).describe(texts.verificationStatus),
    businessInfo: z
      .object({ legalName: z.string().describe(texts.name) })
      .optional()
      .describe('Data of the business.'),
  })
  .meta({ id: 'BusinessCustomer', description: 'A business.' })

export const customerSchema = z
  .discriminatedUnion('customerType', [individualSchema, businessSchema])
  .meta({ id: 'Customer', description: 'A customer of the platform.' })

export const customerPageSchema = pageSchema('CustomerPage', customerSchema)
