// The personal information of a beneficial owner (docs/domain/verification.md#beneficial-owners).
import { z } from 'zod'
import { emailAddress } from '#core/addresses/email.ts'
import { countryCode } from '#core/codes/countries.ts'
import { invalidInput } from '#core/errors.ts'
import { labelOf, textOf, visibleText } from '#core/input.ts'
import { dateFrom, merged, postalAddress } from '#customers/profile/profile.ts'
import { TAX_NUMBERS } from '#customers/profile/tax-identifier.ts'

export const ID_TYPES = ['SSN', 'ITIN', 'EIN', 'NON_US_TAX_ID', 'PASSPORT', 'NATIONAL_ID', 'DRIVERS_LICENSE'] as const

const COUNTRY = 'ISO 3166-1 alpha-2.'

const needed = z.object({
  firstName: visibleText(255).describe('First name.'),
  lastName: visibleText(255).describe('Last name.'),
  birthDate: dateFrom('1900-01-01').describe('`YYYY-MM-DD`.'),
  nationality: countryCode.describe(COUNTRY),
  address: postalAddress.describe('Postal address. A change replaces all of it.'),
  idType: labelOf(ID_TYPES).describe('Kind of `identifier`.'),
  identifier: visibleText(64).describe(
    'Tax number, or number of an identity document. It is stored encrypted and never returned. SSN, ITIN and EIN have nine digits.',
  ),
})

const optional = {
  middleName: visibleText(255).nullish().describe('Middle name.'),
  email: emailAddress.nullish().describe('Email address.'),
  phoneNumber: textOf(16)
    .regex(/^\+[1-9]\d{1,14}$/, 'must be E.164, for example +14155550123')
    .nullish()
    .describe('Phone number as E.164, for example `+14155550123`.'),
  countryOfIssuance: countryCode
    .nullish()
    .describe(`Country that issued \`identifier\`. Required unless it is an SSN, ITIN or EIN. ${COUNTRY}`),
}

export const newPersonalInfo = needed
  .extend(optional)
  .meta({ id: 'OwnerPersonalInfoRequest', description: 'Data of a new owner.' })
export const personalInfoChanges = needed
  .partial()
  .extend(optional)
  .meta({ id: 'OwnerPersonalInfoChangesRequest', description: 'Changes of the data of an owner.' })

/** The information as it is stored and returned, without the identifier. A field without a value is absent. */
export type PersonalInfo = Omit<z.infer<typeof newPersonalInfo>, 'identifier'>

/**
 * Throws 400 `INVALID_INPUT` if the identifier does not have the form of its type, or lacks its country. `place` is what comes before the fields
 * of the owner in the request.
 */
export const checkIdentifier = (info: PersonalInfo, identifier: string, place: string): void => {
  const form = TAX_NUMBERS[info.idType]
  if (form && !form.test(identifier)) {
    const field = `${place}personalInfo.identifier`
    throw invalidInput(field, `${field} must be an ${info.idType}`, { pattern: form.source })
  }
  if (!form && !info.countryOfIssuance) {
    const field = `${place}personalInfo.countryOfIssuance`
    throw invalidInput(field, `${field} is required for ${info.idType}`)
  }
}

/** Merges the changes into the stored fields. Omitted fields are kept, and null clears a field. */
export const mergePersonalInfo = (before: PersonalInfo | undefined, changes: object): PersonalInfo => {
  const { identifier: _, address, ...rest } = changes as Partial<PersonalInfo> & { identifier?: string }
  return merged(before ?? {}, { ...rest, address: address && merged({}, address) }) as PersonalInfo
}
