// `beneficialOwners` in the body of a business: new owners, and changes that are merged into the existing owners
// (docs/domain/customers.md#owners-in-the-body).
import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { OwnerRecord, ownerChanges, ownerFields } from './owner.ts'

/** A business has at most this many owners. */
export const MOST_OWNERS = 100
const TOO_MANY = `must have at most ${MOST_OWNERS} values`

/** An owner of a customer: a change of the owner with this id, or a new owner. */
export const ownerEntry = ownerChanges
  .extend({
    id: idOf('BeneficialOwner')
      .optional()
      .describe(
        `${OwnerRecord.texts.id} The owner to change. Without it the owner is added, and all of its required fields are needed.`,
      ),
  })
  .superRefine((entry, context) => {
    if (entry.id !== undefined) return
    for (const { path, ...issue } of ownerFields.safeParse(entry).error?.issues ?? []) {
      context.addIssue({ ...issue, path: [...path], input: entry } as Parameters<typeof context.addIssue>[0])
    }
  })
export type OwnerEntry = z.infer<typeof ownerEntry>

export const newOwners = z
  .array(ownerFields)
  .max(MOST_OWNERS, TOO_MANY)
  .nullish()
  .describe('People who own or control the business. All are added with it, or nothing is.')

export const ownerEntries = z
  .array(ownerEntry)
  .max(MOST_OWNERS, TOO_MANY)
  .optional()
  .describe('Owners to add, and changes of owners. Owners that are not named are kept.')

const FIXED_FIELDS = ['customerId', 'kycStatus', 'createdAt', 'updatedAt']

/** The paths of the fields of owners in `input` that only the service writes. The id is one of them when the customer is new. */
export const fixedOwnerFields = (input: unknown, isNew: boolean): string[] => {
  const owners = (input as { readonly beneficialOwners?: unknown } | null | undefined)?.beneficialOwners
  if (!Array.isArray(owners)) return []
  const fixed = isNew ? ['id', ...FIXED_FIELDS] : FIXED_FIELDS
  return owners.slice(0, MOST_OWNERS).flatMap((_, index) => fixed.map((field) => `beneficialOwners.${index}.${field}`))
}
