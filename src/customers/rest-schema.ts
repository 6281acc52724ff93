import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { discriminator, pageSchema, timeSchema } from '#rest/schema.ts'
import { VERIFICATION_STATUSES } from './customer.ts'

const common = z.object({
  id: idOf('Customer'),
  platformCustomerId: z.string().describe('The platform’s own id of the customer.'),
  region: z.string().optional().describe('ISO 3166-1 alpha-2.'),
  email: z.string().optional().describe('E-mail address; one-time codes go there.'),
  phoneNumber: z.string().optional().describe('E.164, for example +14155550123.'),
  umaAddress: z.string().optional().describe('For example `$alice@bank.example`.'),
  createdAt: timeSchema('When the customer was created.'),
  updatedAt: timeSchema('When the customer last changed.'),
  isDeleted: z.boolean().describe('Whether the customer was deleted.'),
})

export const individualSchema = common
  .extend({
    customerType: discriminator('INDIVIDUAL'),
    kycStatus: z.enum(VERIFICATION_STATUSES).describe('State of the identity verification.'),
    fullName: z.string().optional().describe('First and last name.'),
  })
  .meta({ id: 'IndividualCustomer', description: 'A person.' })

export const businessSchema = common
  .extend({
    customerType: discriminator('BUSINESS'),
    kybStatus: z.enum(VERIFICATION_STATUSES).describe('State of the business verification.'),
    businessInfo: z
      .object({ legalName: z.string().describe('As it is registered.') })
      .optional()
      .describe('Facts about the business.'),
  })
  .meta({ id: 'BusinessCustomer', description: 'A business.' })

export const customerSchema = z
  .discriminatedUnion('customerType', [individualSchema, businessSchema])
  .meta({ id: 'Customer', description: 'A customer of the platform.' })

export const customerPageSchema = pageSchema('CustomerPage', customerSchema)
