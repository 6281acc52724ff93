// The details of a new account: one input for each account type, made of the table, and one @oneOf input for each family.
import { z } from 'zod'
import { type AccountType, pascalCase } from '#accounts/account-info.ts'
import { PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { fieldsSchema } from '#accounts/types/account-input.ts'
import { addressSchema, beneficiarySchema } from '#accounts/types/beneficiary.ts'
import { ACCOUNT_FAMILIES, type AccountFamily, type AccountTypeRule } from '#accounts/types/rule.ts'
import { ACCOUNT_TYPE_RULES, ADDABLE_TYPES } from '#accounts/types/table.ts'
import { builder } from '#graphql/builder.ts'
import { inputOf } from '#graphql/input-of.ts'
import { newExternalAccount } from './create.ts'

// Its enum must exist before the inputs that use it.
void PaymentRailEnum

/** Only fields and texts matter here, and they are the same in both environments. */
const ENVIRONMENT = 'PRODUCTION'

inputOf('BeneficiaryAddressInput', 'Postal address of an account holder.', addressSchema(ENVIRONMENT))

/** Every field of a person that some account type accepts. Which fields are required depends on the type. */
const ANY_TYPE = { individual: { optional: ['documentType', 'documentNumber'] } } as unknown as AccountTypeRule

/** The account types whose rule lists the field of persons. */
const typesThatList = (name: string, as: 'required' | 'optional') =>
  ADDABLE_TYPES.filter((type) => {
    const listed: readonly string[] = ACCOUNT_TYPE_RULES[type].individual?.[as] ?? []
    return listed.includes(name)
  })

/** The description of a field of persons, with the account types that treat it in their own way. */
const noted = (name: string, schema: z.ZodType) => {
  const needed = typesThatList(name, 'required')
  const had = typesThatList(name, 'optional')
  const listed = (types: readonly string[]) => types.map((type) => `\`${type}\``).join(', ')
  const notes = [
    schema.description,
    needed.length > 0 && `Required for ${listed(needed)}.`,
    had.length > 0 && `Only for ${listed(had)}, and ignored for others.`,
  ]
  return schema.describe(notes.filter(Boolean).join(' '))
}

const individual = z.object(
  Object.fromEntries(
    Object.entries(beneficiarySchema(ANY_TYPE, 'INDIVIDUAL', ENVIRONMENT).shape).map(([name, schema]) => [
      name,
      noted(name, schema),
    ]),
  ),
)

const IndividualInput = inputOf('IndividualBeneficiaryInput', 'A person who holds an account.', individual)
const business = beneficiarySchema(ANY_TYPE, 'BUSINESS', ENVIRONMENT)
const BusinessInput = inputOf('BusinessBeneficiaryInput', 'A business that holds an account.', business)

export const BeneficiaryInput = builder.inputType('BeneficiaryInput', {
  description: 'Set exactly one of the fields.',
  isOneOf: true,
  fields: (t) => ({
    individual: t.field({ type: IndividualInput, description: 'A person.' }),
    business: t.field({ type: BusinessInput, description: 'A business.' }),
  }),
})

/** `USD_ACCOUNT` is `usdAccount`. */
const camel = (label: string) => pascalCase(label).replace(/^./, (letter) => letter.toLowerCase())

const describeType = (type: AccountType) => {
  const { currencies } = ACCOUNT_TYPE_RULES[type]
  return `\`${type}\`, in ${currencies.length === 0 ? 'any currency' : currencies.join(' or ')}.`
}

const inputs = new Map(
  ADDABLE_TYPES.map((type) => [
    type,
    inputOf(
      `${pascalCase(type)}Input`,
      `Details of an account. ${describeType(type)}`,
      fieldsSchema(type, ENVIRONMENT),
    ),
  ]),
)

const FAMILIES: Readonly<Record<AccountFamily, { readonly key: string; readonly text: string }>> = {
  BANK: { key: 'bankAccount', text: 'An account at a bank.' },
  MOBILE_MONEY: { key: 'mobileMoneyAccount', text: 'An account with a mobile operator.' },
  WALLET: { key: 'wallet', text: 'A wallet on a blockchain, or a destination that Lightning can pay.' },
}

const typesOf = (family: AccountFamily) => ADDABLE_TYPES.filter((type) => ACCOUNT_TYPE_RULES[type].family === family)

const familyInputs = ACCOUNT_FAMILIES.map((family) => {
  const { key, text } = FAMILIES[family]
  const ref = builder.inputType(`${pascalCase(key.replace(/[A-Z]/g, (letter) => `_${letter}`))}Input`, {
    description: `${text} Set exactly one of the fields.`,
    isOneOf: true,
    fields: (t) =>
      Object.fromEntries(
        typesOf(family).map((type) => [
          camel(type),
          t.field({ type: inputs.get(type) as never, description: describeType(type) }),
        ]),
      ),
  })
  return { key, text, ref }
})

export const AccountInfoInput = builder.inputType('AccountInfoInput', {
  description: 'The details of an account. Set exactly one of the fields.',
  isOneOf: true,
  fields: (t) =>
    Object.fromEntries(
      familyInputs.map(({ key, text, ref }) => [key, t.field({ type: ref as never, description: text })]),
    ),
})

type Part = Readonly<Record<string, unknown>>

/** The only field of a @oneOf input. */
const theOne = (part: unknown): readonly [string, Part] =>
  (Object.entries((part ?? {}) as Part).find(([, value]) => value !== null && value !== undefined) ?? ['', {}]) as [
    string,
    Part,
  ]

const byKey = new Map(ADDABLE_TYPES.map((type) => [camel(type), type]))

/** `accountInfo` of the REST body. */
export const accountInfoBody = (given: unknown, beneficiary: unknown): object => {
  const [, family] = theOne(given)
  const [key, fields] = theOne(family)
  const [party, holder] = theOne(beneficiary)
  return {
    accountType: byKey.get(key),
    ...fields,
    ...(party !== '' && { beneficiary: { beneficiaryType: party.toUpperCase(), ...holder } }),
  }
}

/** The position in the GraphQL input of the domain's `field`. */
export const placeOfAccountField = (given: unknown, beneficiary: unknown, field: string): string => {
  const [family, type] = theOne(given)
  const [key] = theOne(type)
  const [party] = theOne(beneficiary)
  return field
    .replace(/^accountInfo\.beneficiary(?=\.)/, `beneficiary.${party}`)
    .replace(/^accountInfo\.beneficiary$/, 'beneficiary')
    .replace(/^accountInfo/, `accountInfo.${family}.${key}`)
}

/** The schema of the input as GraphQL has it, for `inputConstraints`. */
export const accountInputForms = () => {
  const families = ACCOUNT_FAMILIES.map((family) => [
    FAMILIES[family].key,
    z.object(Object.fromEntries(typesOf(family).map((type) => [camel(type), fieldsSchema(type, ENVIRONMENT)]))),
  ])
  return newExternalAccount.omit({ accountInfo: true }).extend({
    accountInfo: z.object(Object.fromEntries(families)),
    beneficiary: z.object({ individual, business }),
  })
}
