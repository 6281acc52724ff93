// The interface of a verification provider, which checks people and businesses.
import type { Customer } from '#customers/customer.ts'

export interface VerificationProvider {
  /** The status of a new owner, or of one whose data have changed. */
  ownerStatus(person: { readonly lastName: string }): Customer['verificationStatus']
}
