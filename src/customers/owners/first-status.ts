// The verification status of a new owner, or of one whose data has changed (docs/domain/sandbox.md#magic-values).
import type { Environment } from '#core/caller.ts'
import { type MagicTable, outcomeOfSuffix } from '#core/magic-values.ts'
import type { Customer } from '#customers/customer.ts'

export const NEW_OWNERS: MagicTable<Customer['verificationStatus']> = {
  name: 'BENEFICIAL_OWNER',
  place: '`lastName` of a beneficial owner, when the owner is added or changed.',
  match: 'SUFFIX',
  values: {
    '001': { effect: 'PENDING.', outcome: 'PENDING' },
    '002': { effect: 'REJECTED.', outcome: 'REJECTED' },
  },
  otherwise: { effect: 'APPROVED.', outcome: 'APPROVED' },
}

/** In production no provider verifies owners yet. */
export const firstOwnerStatus = (environment: Environment, { lastName }: { readonly lastName: string }) =>
  environment === 'PRODUCTION' ? 'UNVERIFIED' : outcomeOfSuffix(NEW_OWNERS, lastName)
