// Customers as the specification writes them. A field without a value is absent (undefined).
import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { Customer } from './customer.ts'
import type { customerSchema } from './rest-schema.ts'

export const customerBody = (customer: Customer): BodyOf<typeof customerSchema> =>
  customer.customerType === 'INDIVIDUAL' ? individualBody(customer) : businessBody(customer)

const individualBody = (customer: Customer) => ({
  ...commonBody(customer, 'INDIVIDUAL'),
  kycStatus: customer.verificationStatus,
  fullName: customer.name ?? undefined,
})

const businessBody = (customer: Customer) => ({
  ...commonBody(customer, 'BUSINESS'),
  kybStatus: customer.verificationStatus,
  businessInfo: customer.name === null ? undefined : { legalName: customer.name },
})

const commonBody = <T extends Customer['customerType']>(customer: Customer, customerType: T) => ({
  id: publicId('Customer', customer.id),
  platformCustomerId: customer.platformCustomerId,
  customerType,
  region: customer.region ?? undefined,
  email: customer.email ?? undefined,
  phoneNumber: customer.phoneNumber ?? undefined,
  umaAddress: customer.umaAddress ?? undefined,
  createdAt: customer.createdAt,
  updatedAt: customer.updatedAt,
  isDeleted: customer.isDeleted,
})
