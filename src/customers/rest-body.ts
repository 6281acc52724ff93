// Customers as the specification writes them. A field without a value is absent (undefined).
import type { Caller } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { Customer } from './customer.ts'
import { type Owner, ownersOfCustomer, ownersOfCustomers } from './owners/owner.ts'
import { ownerBody } from './owners/rest-body.ts'
import { contactVerificationOf } from './profile/sca-region.ts'
import type { businessSchema, commonSchema, customerSchema, individualSchema } from './rest-schema.ts'

/** `owners` are those of a business. */
export const customerBody = (customer: Customer, owners: readonly Owner[]): BodyOf<typeof customerSchema> =>
  customer.customerType === 'INDIVIDUAL' ? individualBody(customer) : businessBody(customer, owners)

/** Reads the owners of the businesses among the customers, with one statement. */
export const customerBodies = async (caller: Caller, customers: readonly Customer[]) => {
  const businesses = customers.filter(({ customerType }) => customerType === 'BUSINESS').map(({ id }) => id)
  const owned = businesses.length === 0 ? [] : await ownersOfCustomers(caller, businesses)
  const ownersOf = new Map(businesses.map((id, index) => [id, owned[index] ?? []]))
  return customers.map((customer) => customerBody(customer, ownersOf.get(customer.id) ?? []))
}

export const readCustomerBody = async (caller: Caller, customer: Customer) =>
  customerBody(customer, customer.customerType === 'BUSINESS' ? await ownersOfCustomer(caller, customer.id) : [])

const individualBody = (customer: Customer) => {
  const { businessInfo: _, ...profile } = customer.profile ?? {}
  return {
    ...commonBody(customer, 'INDIVIDUAL'),
    ...(profile as Omit<BodyOf<typeof individualSchema>, keyof BodyOf<typeof commonSchema> | 'kycStatus' | 'fullName'>),
    kycStatus: customer.verificationStatus,
    fullName: customer.name ?? undefined,
  }
}

const businessBody = (customer: Customer, owners: readonly Owner[]) => {
  const { address, businessInfo } = (customer.profile ?? {}) as Pick<
    BodyOf<typeof businessSchema>,
    'address' | 'businessInfo'
  >
  return {
    ...commonBody(customer, 'BUSINESS'),
    kybStatus: customer.verificationStatus,
    address,
    businessInfo: customer.name === null ? businessInfo : { legalName: customer.name, ...businessInfo },
    beneficialOwners: owners.map(ownerBody),
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
  umaAddress: customer.umaAddress,
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
