// What the sandbox decides about submitted customers, by the last characters of their names and numbers (docs/domain/sandbox.md#magic-values).
import { type MagicTable, outcomeOfSuffix } from '#core/magic-values.ts'
import type { Subject } from '#verification/subject.ts'

/** The course of a verification that was submitted. */
interface Course {
  /** Whether missing information stops it. A person then ends the review. */
  readonly isChecked: boolean
  /** Whether it also stops at a document that cannot be read. */
  readonly isPoor?: boolean
  /** The status with which an unchecked verification ends, after a moment. */
  readonly decision: 'APPROVED' | 'REJECTED'
}

const CHECKED = 'RESOLVE_ERRORS until nothing is missing, then PENDING_MANUAL_REVIEW.'
const REJECTED = { effect: 'IN_PROGRESS, then REJECTED.', outcome: { isChecked: false, decision: 'REJECTED' } } as const
const APPROVED = {
  effect: 'IN_PROGRESS, then APPROVED, whatever is missing.',
  outcome: { isChecked: false, decision: 'APPROVED' },
} as const

export const VERIFIED_PERSONS: MagicTable<Course> = {
  name: 'VERIFIED_PERSON',
  place: '`fullName` of a person, when a verification is submitted.',
  match: 'SUFFIX',
  values: {
    '001': { effect: CHECKED, outcome: { isChecked: true, decision: 'APPROVED' } },
    '002': REJECTED,
    '003': {
      effect: 'RESOLVE_ERRORS with POOR_QUALITY_DOCUMENT.',
      outcome: { isChecked: true, isPoor: true, decision: 'APPROVED' },
    },
  },
  otherwise: APPROVED,
}

export const VERIFIED_BUSINESSES: MagicTable<Course> = {
  name: 'VERIFIED_BUSINESS',
  place: '`registrationNumber` of a business, when a verification is submitted.',
  match: 'SUFFIX',
  values: {
    '001': { effect: CHECKED, outcome: { isChecked: true, decision: 'APPROVED' } },
    '002': REJECTED,
    '003': { effect: CHECKED, outcome: { isChecked: true, decision: 'APPROVED' } },
  },
  otherwise: APPROVED,
}

export const courseOf = ({ customerType, name, profile }: Subject): Course =>
  customerType === 'INDIVIDUAL'
    ? outcomeOfSuffix(VERIFIED_PERSONS, name ?? '')
    : outcomeOfSuffix(VERIFIED_BUSINESSES, profile?.businessInfo?.registrationNumber ?? '')
