// The interface of a verification provider, which checks people and businesses. It reports results through outcome.ts.
import type { PlatformId } from '#core/ids.ts'
import type { Customer } from '#customers/customer.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Subject } from './subject.ts'
import type { VerificationError, VerificationStatus } from './verification.ts'

/** What becomes of a verification when it is submitted. Errors belong to RESOLVE_ERRORS only. */
export interface Assessment {
  readonly status: Extract<VerificationStatus, 'RESOLVE_ERRORS' | 'IN_PROGRESS' | 'PENDING_MANUAL_REVIEW'>
  readonly errors: readonly VerificationError[]
}

export interface KycLink {
  readonly kycUrl: string
  /** For the provider's own SDK. */
  readonly token: string | null
  readonly secondsToLive: number
}

export interface VerificationProvider {
  /** The status of a new owner, or of one whose data have changed. */
  ownerStatus(person: { readonly lastName: string }): Customer['verificationStatus']
  /** Judges the information of a customer. `missing` lists absent information; a provider may need less. */
  assess(subject: Subject, missing: readonly VerificationError[]): Assessment
  /**
   * Takes over a verification that has just become IN_PROGRESS. `tx` is the database transaction of that change: schedule the work as a job in
   * it, and call nobody from here.
   */
  review(tx: Tx, verification: { readonly platformId: PlatformId; readonly id: string }): Promise<void>
  /** A page on which the customer identifies itself. It leads on to `redirectUri`. */
  createLink(request: { readonly redirectUri: string | null }): Promise<KycLink>
}
