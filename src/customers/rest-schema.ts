import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { time } from '#rest/schema.ts'
import { VERIFICATION_STATUSES } from './customer.ts'

const common = z.object({
  id: idOf('Customer'),
  platformCustomerId: z.string().describe('The platform’s own id of the customer.'),
  region: z.string().optional().describe('ISO 3166-1 alpha-2.'),
  email: z.string().optional(),
  phoneNumber: z.string().optional().describe('E.164, for example +14155550123.'),
  umaAddress: z.string().optional(),
  createdAt: time('When the customer was created.'),
  updatedAt: time('When the customer last changed.'),
  isDeleted: z.boolean(),
})

export const individualSchema = common
  .extend({
    customerType: z.literal('INDIVIDUAL'),
    kycStatus: z.enum(VERIFICATION_STATUSES),
    fullName: z.string().optional(),
  })
  .meta({ id: 'IndividualCustomer', description: 'A person.' })

export const businessSchema = common
  .extend({
    customerType: z.literal('BUSINESS'),
    kybStatus: z.enum(VERIFICATION_STATUSES),
    businessInfo: z.object({ legalName: z.string() }).optional(),
  })
  .meta({ id: 'BusinessCustomer', description: 'A business.' })

export const customerSchema = z
  .discriminatedUnion('customerType', [individualSchema, businessSchema])
  .meta({ id: 'Customer', description: 'A customer of the platform.' })
