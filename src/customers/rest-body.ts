// Customers as the specification writes them. A field without a value is absent (undefined).
import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { Customer } from './customer.ts'
import type { businessSchema, commonSchema, customerSchema, individualSchema } from './rest-schema.ts'
import { contactVerificationOf } from './sca-region.ts'

export const customerBody = (customer: Customer): BodyOf<typeof customerSchema> =>
  customer.customerType === 'INDIVIDUAL' ? individualBody(customer) : businessBody(customer)

const individualBody = (customer: Customer) => {
  const { businessInfo: _, ...profile } = customer.profile ?? {}
  return {
    ...commonBody(customer, 'INDIVIDUAL'),
    ...(profile as Omit<BodyOf<typeof individualSchema>, keyof BodyOf<typeof commonSchema> | 'kycStatus' | 'fullName'>),
    kycStatus: customer.verificationStatus,
    fullName: customer.name ?? undefined,
  }
}

const businessBody = (customer: Customer) => {
  const { address, businessInfo } = (customer.profile ?? {}) as Pick<
    BodyOf<typeof businessSchema>,
    'address' | 'businessInfo'
  >
  return {
    ...commonBody(customer, 'BUSINESS'),
    kybStatus: customer.verificationStatus,
    address,
    businessInfo: customer.name === null ? businessInfo : { legalName: customer.name, ...businessInfo },
  }
}

const commonBody = <T extends Customer['customerType']>(customer: Customer, customerType: T) => ({
  id: publicId('Customer', customer.id),
  platformCustomerId: customer.platformCustomerId,
  customerType,
  region: customer.region ?? undefined,
  currencies: customer.currencies ?? [],
  email: customer.email ?? undefined,
  phoneNumber: customer.phoneNumber ?? undefined,
  umaAddress: customer.umaAddress ?? undefined,
  contactVerification: contactVerificationBody(customer),
  createdAt: customer.createdAt,
  updatedAt: customer.updatedAt,
  isDeleted: customer.isDeleted,
})

const contactVerificationBody = (customer: Customer) => {
  const verification = contactVerificationOf(customer)
  return verification === null
    ? undefined
    : { email: verification.email ?? undefined, phone: verification.phone ?? undefined }
}
