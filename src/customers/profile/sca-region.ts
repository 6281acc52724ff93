// SCA regions, and the data that only customers there have.
import type { Customer } from '#customers/customer.ts'

/** The European Economic Area: payments of customers there need Strong Customer Authentication (docs/domain/quotes.md#sca-region). */
const EEA = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ')

export const isInScaRegion = (region: string | null): boolean => region !== null && EEA.includes(region)

export const CONTACT_VERIFICATION_STATUSES = ['PENDING', 'VERIFIED'] as const
export type ContactVerificationStatus = (typeof CONTACT_VERIFICATION_STATUSES)[number]

export interface ContactVerification {
  /** Null without an email address. */
  readonly email: ContactVerificationStatus | null
  /** Null without a phone number. */
  readonly phone: ContactVerificationStatus | null
}

export const CONTACT_VERIFICATION_TEXTS = {
  contactVerification: 'Whether the contacts are verified. Only in SCA regions.',
  email: 'Whether the email address is verified. Only if there is one.',
  phone: 'Whether the phone number is verified. Only if there is one.',
} as const

type Contacts = Pick<Customer, 'region' | 'email' | 'phoneNumber' | 'verifiedEmail' | 'verifiedPhoneNumber'>

/** Null outside SCA regions. A contact that changes is no longer verified. */
export const contactVerificationOf = (customer: Contacts): ContactVerification | null =>
  isInScaRegion(customer.region)
    ? {
        email: statusOf(customer.email, customer.verifiedEmail),
        phone: statusOf(customer.phoneNumber, customer.verifiedPhoneNumber),
      }
    : null

const statusOf = (address: string | null, verified: string | null): ContactVerificationStatus | null => {
  if (address === null) return null
  return address === verified ? 'VERIFIED' : 'PENDING'
}
