import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { discriminator, pageSchema, timeSchema } from '#rest/schema.ts'
import { CustomerRecord, VERIFICATION_STATUSES } from './customer.ts'
import { TERMS_TEXTS } from './end-user-terms.ts'
import { ownerSchema } from './owners/rest-schema.ts'
import { businessInfoChanges, individualFields } from './profile/profile.ts'
import { addressSchema, shown } from './profile/rest-schema.ts'
import { CONTACT_VERIFICATION_STATUSES, CONTACT_VERIFICATION_TEXTS } from './profile/sca-region.ts'

const { texts } = CustomerRecord

const address = addressSchema.optional().describe('Postal address.')

const contactStatus = z.enum(CONTACT_VERIFICATION_STATUSES).optional()

const contactVerificationSchema = z.object({
  email: contactStatus.describe(CONTACT_VERIFICATION_TEXTS.email),
  phone: contactStatus.describe(CONTACT_VERIFICATION_TEXTS.phone),
})

export const commonSchema = z.object({
  id: idOf('Customer').describe(texts.id),
  platformCustomerId: z.string().describe(texts.platformCustomerId),
  region: z.string().optional().describe(texts.region),
  currencies: z.array(z.string()).describe(texts.currencies),
  email: z.string().optional().describe(texts.email),
  phoneNumber: z.string().optional().describe(texts.phoneNumber),
  umaAddress: z.string().describe(texts.umaAddress),
  contactVerification: contactVerificationSchema.optional().describe(CONTACT_VERIFICATION_TEXTS.contactVerification),
  createdAt: timeSchema(texts.createdAt),
  updatedAt: timeSchema(texts.updatedAt),
  isDeleted: z.boolean().describe(texts.isDeleted),
})

export const individualSchema = commonSchema
  .extend({
    customerType: discriminator('INDIVIDUAL'),
    kycStatus: z.enum(VERIFICATION_STATUSES).describe(texts.verificationStatus),
    ...shown(individualFields.omit({ taxIdentifier: true })),
    address,
  })
  .meta({ id: 'IndividualCustomer', description: 'A person.' })

export const businessSchema = commonSchema
  .extend({
    customerType: discriminator('BUSINESS'),
    kybStatus: z.enum(VERIFICATION_STATUSES).describe(texts.verificationStatus),
    address,
    businessInfo: z
      .object(shown(businessInfoChanges))
      .meta({ id: 'BusinessInfo', description: 'Data of a business.' })
      .optional()
      .describe('Data of the business.'),
    beneficialOwners: z
      .array(ownerSchema)
      .describe('People who own or control the business, in the order in which they were added.'),
  })
  .meta({ id: 'BusinessCustomer', description: 'A business.' })

export const customerSchema = z
  .discriminatedUnion('customerType', [individualSchema, businessSchema])
  .meta({ id: 'Customer', description: 'A customer of the platform.' })

export const customerPageSchema = pageSchema('CustomerPage', customerSchema)

export const endUserTermsSchema = z
  .object({ version: z.string().describe(TERMS_TEXTS.version), url: z.string().describe(TERMS_TEXTS.url) })
  .meta({ id: 'EndUserTerms', description: 'The terms that customers accept.' })
