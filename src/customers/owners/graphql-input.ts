// The inputs that name the fields of beneficial owners.
import { enumOf } from '#graphql/enums.ts'
import { inputOf } from '#graphql/input-of.ts'
import { ownerEntry } from './list-in-customer.ts'
import { OWNER_ROLES, ownerFields } from './owner.ts'
import { ID_TYPES, newPersonalInfo, personalInfoChanges } from './personal-info.ts'

export const OwnerRoleEnum = enumOf('BeneficialOwnerRole', 'Role of a person in a business.', OWNER_ROLES, {
  UBO: 'Ultimate beneficial owner.',
  DIRECTOR: 'Director.',
  COMPANY_OFFICER: 'Officer of the company.',
  CONTROL_PERSON: 'Controls the business.',
  TRUSTEE: 'Trustee.',
  GENERAL_PARTNER: 'General partner.',
})

export const IdTypeEnum = enumOf('IdentifierType', 'Kind of the number that identifies a person.', ID_TYPES, {
  SSN: 'Social Security number of the United States.',
  ITIN: 'Individual taxpayer number of the United States.',
  EIN: 'Employer number of the United States.',
  NON_US_TAX_ID: 'Tax number of another country.',
  PASSPORT: 'Number of a passport.',
  NATIONAL_ID: 'Number of an identity card.',
  DRIVERS_LICENSE: "Number of a driver's license.",
})

inputOf('NewOwnerPersonalInfoInput', 'Data of a new owner.', newPersonalInfo)
inputOf(
  'OwnerPersonalInfoChangesInput',
  'Changes of the data of an owner. Omitted fields are kept.',
  personalInfoChanges,
)

inputOf('NewBeneficialOwnerInput', 'A new owner of a business.', ownerFields)
inputOf(
  'BeneficialOwnerEntryInput',
  'With an ID, a change of that owner: omitted fields are kept. Without an ID, a new owner.',
  ownerEntry,
)
