// The details of a person or a business (docs/domain/customers.md#customer-fields). Both faces and the CSV import read it by
// these schemas. An address is one value: a change replaces all of it. Every other object is merged by field.
import { z } from 'zod'
import { countryCode } from '#core/codes/countries.ts'
import { labelOf, textOf, visibleText } from '#core/input.ts'

export const TAX_ID_TYPES = ['SSN', 'ITIN', 'EIN', 'NON_US_TAX_ID'] as const
export const PEP_STATUSES = ['NONE', 'DOMESTIC', 'FOREIGN', 'HIO', 'FAMILY_OR_ASSOCIATE'] as const
export const ENTITY_TYPES = [
  'SOLE_PROPRIETORSHIP',
  'PARTNERSHIP',
  'LLC',
  'CORPORATION',
  'S_CORPORATION',
  'NON_PROFIT',
  'OTHER',
] as const

const MOST_CATEGORIES = 20

const label = textOf(64)
const categories = z.array(label).max(MOST_CATEGORIES, `must have at most ${MOST_CATEGORIES} values`)
const countries = z.array(countryCode).max(249, 'must have at most 249 values')

/** A date from `earliest`, which catches typing errors, to today. */
export const dateFrom = (earliest: string) =>
  z.iso
    .date({ error: 'must be a date, for example 1990-05-15' })
    .refine(
      (date) => date >= earliest && date <= new Date().toISOString().slice(0, 10),
      `must be between ${earliest} and today`,
    )

const COUNTRY = 'ISO 3166-1 alpha-2.'

export const postalAddress = z
  .object({
    line1: visibleText(255).describe('Street and number.'),
    line2: textOf(255).nullish().describe('Apartment, floor, building.'),
    city: textOf(255).nullish().describe('City.'),
    state: textOf(255).nullish().describe('State, province or region.'),
    postalCode: visibleText(16).describe('Postal code. Any text if the country has none.'),
    country: countryCode.describe(COUNTRY),
  })
  .meta({ id: 'PostalAddressRequest', description: 'A postal address.' })
export type PostalAddress = z.infer<typeof postalAddress>

const address = postalAddress.nullish().describe('Postal address. A change replaces all of it.')
const purposeOfAccount = label.nullish().describe('What the account is for, for example `SAVINGS`.')
const expectedMonthlyTransactionCount = label.nullish().describe('Expected number of payments a month, as a range.')
const expectedMonthlyTransactionVolume = label.nullish().describe('Expected amount of payments a month, as a range.')
const sourceOfFundsCategories = categories.nullish().describe('Where the money comes from, for example `SALARY`.')
const other = (of: string) => textOf(255).nullish().describe(`Describes \`OTHER\` in \`${of}\`.`)

/** A person. */
export const individualFields = z.object({
  fullName: visibleText(255).nullish().describe('Full name of the person.'),
  birthDate: dateFrom('1900-01-01').nullish().describe('`YYYY-MM-DD`.'),
  nationality: countryCode.nullish().describe(COUNTRY),
  address,
  taxIdType: labelOf(TAX_ID_TYPES).nullish().describe('Kind of `taxIdentifier`.'),
  taxIdentifier: visibleText(64)
    .nullish()
    .describe('Tax number. It is stored encrypted and never returned. SSN, ITIN and EIN have nine digits.'),
  taxIdCountryOfIssuance: countryCode.nullish().describe(`Country that issued the tax number. ${COUNTRY}`),
  sourceOfFundsCategories,
  sourceOfFundsOtherDescription: other('sourceOfFundsCategories'),
  sourceOfWealthCategories: categories.nullish().describe('Where the wealth comes from, for example `INHERITANCE`.'),
  sourceOfWealthOtherDescription: other('sourceOfWealthCategories'),
  purposeOfAccount,
  purposeOfAccountOtherDescription: other('purposeOfAccount'),
  expectedMonthlyTransactionCount,
  expectedMonthlyTransactionVolume,
  annualIncomeRange: label.nullish().describe('Annual income, as a range.'),
  netWorthRange: label.nullish().describe('Net worth, as a range.'),
  pepStatus: labelOf(PEP_STATUSES).nullish().describe('Whether the person is politically exposed.'),
})

const optionalBusinessFields = {
  doingBusinessAs: visibleText(255).nullish().describe('Trade name.'),
  country: countryCode.nullish().describe(`Country of incorporation. ${COUNTRY}`),
  registrationNumber: visibleText(64).nullish().describe('Number in the register of companies.'),
  entityType: labelOf(ENTITY_TYPES).nullish().describe('Legal form.'),
  countriesOfOperation: countries.nullish().describe(`Where the business operates. ${COUNTRY}`),
  businessType: label.nullish().describe('Line of business, for example `SOFTWARE`.'),
  purposeOfAccount,
  sourceOfFunds: textOf(255).nullish().describe('Where the money comes from, in words.'),
  sourceOfFundsCategories,
  expectedMonthlyTransactionCount,
  expectedMonthlyTransactionVolume,
  expectedRecipientJurisdictions: countries.nullish().describe(`Where payments go to. ${COUNTRY}`),
  expectedCounterpartyCountries: countries.nullish().describe(`Where counterparties are. ${COUNTRY}`),
  naicsCode: textOf(6)
    .regex(/^\d{2,6}$/, 'must have 2 to 6 digits')
    .nullish()
    .describe('NAICS code of the line of business, 2 to 6 digits.'),
}

const neededBusinessFields = z.object({
  legalName: visibleText(255).describe('Registered name of the business.'),
  incorporatedOn: dateFrom('1000-01-01').describe('Date of incorporation, `YYYY-MM-DD`.'),
  taxId: visibleText(64).describe('Tax number of the business, for example an EIN.'),
})

export const newBusinessInfo = neededBusinessFields
  .extend(optionalBusinessFields)
  .meta({ id: 'BusinessInfoRequest', description: 'Data of a new business.' })
export const businessInfoChanges = neededBusinessFields.partial().extend(optionalBusinessFields)

const BUSINESS_INFO = 'Data of the business.'
export const newBusinessFields = z.object({ address, businessInfo: newBusinessInfo.describe(BUSINESS_INFO) })
export const businessChanges = z.object({
  address,
  businessInfo: businessInfoChanges.optional().describe(BUSINESS_INFO),
})

/** All fields of a customer of any type that are not columns. Without `taxIdentifier`, which is stored separately and encrypted. */
export type Profile = Readonly<
  Partial<
    Omit<z.infer<typeof individualFields>, 'fullName' | 'taxIdentifier'> & {
      businessInfo: Readonly<Omit<z.infer<typeof businessInfoChanges>, 'legalName'>>
    }
  >
>

/** Merges a change into the stored fields. Omitted fields are kept, and null clears a field. */
export const merged = (before: object, changes: object): Record<string, unknown> => {
  const whole = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(changes)) if (value !== undefined) whole.set(name, value)
  return Object.fromEntries([...whole].filter(([, value]) => value !== undefined && value !== null))
}
