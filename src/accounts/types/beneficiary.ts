// The beneficiary of an external account: a person or a business (docs/domain/account-types.md#beneficiaries).
import { z } from 'zod'
import { HTML5_EMAIL } from '#core/addresses/email.ts'
import type { Environment } from '#core/caller.ts'
import { exact, field, optional, PHONE_PATTERN } from './fields.ts'
import type { AccountTypeRule, BeneficiaryField, BeneficiaryType, Field } from './rule.ts'
import { describedField, type FieldSchema } from './text-schema.ts'

const country = (label: string) => optional(exact(label, 'DE', '^[A-Z]{2}$', 2, { check: 'COUNTRY' }))

/** A postal address. Countries without postal codes take any text there. */
export const ADDRESS_FIELDS = {
  line1: field('Street and number', 'Unter den Linden 1'),
  line2: optional(field('Apartment, floor or building', '3rd floor')),
  city: optional(field('City', 'Berlin')),
  state: optional(field('State, province or region', 'Berlin')),
  postalCode: field('Postal code', '10117', { maxLength: 16 }),
  country: { ...country('Country'), required: true },
} as const satisfies Readonly<Record<string, Field>>

const COMMON = {
  email: optional(exact('Email address', 'asha@example.com', HTML5_EMAIL.source, [3, 254], { check: 'EMAIL' })),
  phoneNumber: optional(exact('Phone number', '+4930123456', PHONE_PATTERN, [7, 15])),
  countryOfResidence: country('Country of residence'),
}

const BENEFICIARY_FIELDS = {
  INDIVIDUAL: {
    fullName: field('Full name', 'Asha Rao'),
    birthDate: optional(exact('Date of birth', '1990-04-23', '^\\d{4}-\\d{2}-\\d{2}$', 10, { check: 'BIRTH_DATE' })),
    nationality: country('Nationality'),
    documentType: optional(field('Kind of identity document', 'CC', { maxLength: 34 })),
    documentNumber: optional(field('Number of the identity document', '1020304050', { maxLength: 34 })),
    ...COMMON,
  },
  BUSINESS: {
    legalName: field('Legal name', 'Example GmbH'),
    registrationNumber: optional(field('Number in the register of companies', 'HRB 12345')),
    taxId: optional(field('Tax number', 'DE123456789')),
    ...COMMON,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>

const ONLY_HERE: readonly string[] = ['documentType', 'documentNumber'] satisfies BeneficiaryField[]

/** The fields of a beneficiary of this account type, without the address. */
export const beneficiaryFieldsOf = (
  { individual = {} }: AccountTypeRule,
  type: BeneficiaryType,
): (readonly [string, Field])[] => {
  const { required = [], optional: more = [] } = type === 'INDIVIDUAL' ? individual : {}
  const isKnown = (name: string) => !ONLY_HERE.includes(name) || (more as readonly string[]).includes(name)
  const isRequired = (name: string) => (required as readonly string[]).includes(name)
  return Object.entries<Field>(BENEFICIARY_FIELDS[type])
    .filter(([name]) => isKnown(name))
    .map(([name, rule]) => [name, isRequired(name) ? { ...rule, required: true } : rule])
}

export const needsAddress = ({ individual }: AccountTypeRule, type: BeneficiaryType) =>
  type === 'INDIVIDUAL' && individual?.required?.includes('address') === true

const shapeOf = (fields: readonly (readonly [string, Field])[], environment: Environment) =>
  Object.fromEntries(fields.map(([name, rule]) => [name, describedField(rule, environment)])) as Record<
    string,
    FieldSchema
  >

const addressSchemas = new Map<Environment, z.ZodObject<Record<string, FieldSchema>>>()

export const addressSchema = (environment: Environment) => {
  const known = addressSchemas.get(environment)
  const schema =
    known ??
    z
      .object(shapeOf(Object.entries(ADDRESS_FIELDS), environment), { error: 'must be an object' })
      .meta({ id: 'BeneficiaryAddressRequest', description: 'Postal address of an account holder.' })
  addressSchemas.set(environment, schema)
  return schema
}

const ADDRESS_TEXT = 'Postal address.'

const beneficiarySchemas = new Map<string, ReturnType<typeof makeBeneficiarySchema>>()

/** The fields of one kind of beneficiary, without `beneficiaryType`. Account types that treat persons alike share it. */
export const beneficiarySchema = (rule: AccountTypeRule, type: BeneficiaryType, environment: Environment) => {
  const key = JSON.stringify([type, environment, type === 'INDIVIDUAL' && rule.individual])
  const schema = beneficiarySchemas.get(key) ?? makeBeneficiarySchema(rule, type, environment)
  beneficiarySchemas.set(key, schema)
  return schema
}

const makeBeneficiarySchema = (rule: AccountTypeRule, type: BeneficiaryType, environment: Environment) => {
  const address = addressSchema(environment)
  return z.object(
    {
      ...shapeOf(beneficiaryFieldsOf(rule, type), environment),
      address: (needsAddress(rule, type) ? address : address.nullish()).describe(ADDRESS_TEXT),
    },
    { error: 'must be an object' },
  )
}
