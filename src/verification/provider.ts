// The interface of a verification provider, which checks people and businesses. It reports results through outcome.ts.
import type { Tx } from '#database/unit-of-work.ts'
import type { Subject } from './subject.ts'
import type { VerificationError, VerificationStatus } from './verification.ts'

/** The first status of a submitted verification. Only RESOLVE_ERRORS has errors. */
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
  /** Examines the information of a customer. `missing` lists absent information; a provider may need less. */
  assess(subject: Subject, missing: readonly VerificationError[]): Assessment
  /**
   * Takes over a verification that has just become IN_PROGRESS. `tx` is the database transaction of that change: schedule the work as a job in
   * it, and make no network calls here.
   */
  review(tx: Tx, verificationId: string, subject: Subject): Promise<void>
  /** A page on which the customer identifies itself. It then sends the customer to `redirectUri`. */
  createLink(request: { readonly redirectUri: string | null }): Promise<KycLink>
}
