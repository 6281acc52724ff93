// Customers as the specification writes them. A field without a value is absent (undefined).
import { publicId } from '#core/ids.ts'
import type { Customer } from './customer.ts'

export const customerBody = (customer: Customer) => ({
  id: publicId('Customer', customer.id),
  platformCustomerId: customer.platformCustomerId,
  customerType: customer.customerType,
  region: customer.region ?? undefined,
  email: customer.email ?? undefined,
  phoneNumber: customer.phoneNumber ?? undefined,
  umaAddress: customer.umaAddress ?? undefined,
  createdAt: customer.createdAt,
  updatedAt: customer.updatedAt,
  isDeleted: customer.isDeleted,
  ...(customer.customerType === 'INDIVIDUAL' ? individualBody(customer) : businessBody(customer)),
})

const individualBody = ({ verificationStatus, name }: Customer) => ({
  kycStatus: verificationStatus,
  fullName: name ?? undefined,
})

const businessBody = ({ verificationStatus, name }: Customer) => ({
  kybStatus: verificationStatus,
  businessInfo: name === null ? undefined : { legalName: name },
})
