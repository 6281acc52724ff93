// What a form needs to add an account of each type (docs/domain/account-types.md#forms).
import { type AccountType, BENEFICIARY_TYPES } from '#accounts/account-info.ts'
import type { PaymentRail } from '#accounts/payment-rail.ts'
import type { FieldConstraint } from '#core/errors.ts'
import { banksOf } from './bank-directory.ts'
import { ADDRESS_FIELDS, beneficiaryFieldsOf, needsAddress } from './beneficiary.ts'
import type { Check } from './check.ts'
import type { AccountTypeRule, BeneficiaryType, Field } from './rule.ts'
import { ACCOUNT_TYPE_RULES, ADDABLE_TYPES, fieldsOf, isBankAccount } from './table.ts'

export interface FormField {
  readonly name: string
  readonly label: string
  readonly example: string
  readonly required: boolean
  readonly constraint: FieldConstraint
  readonly check: Check | null
  /** Values to suggest. Others are accepted too. */
  readonly options: readonly string[]
}

export interface BeneficiaryForm {
  readonly beneficiaryType: BeneficiaryType
  readonly fields: readonly FormField[]
  readonly addressRequired: boolean
  readonly addressFields: readonly FormField[]
}

export interface AccountRequirements {
  readonly accountType: AccountType
  readonly rule: AccountTypeRule
  readonly fields: readonly FormField[]
  readonly rails: readonly { readonly rail: PaymentRail; readonly oneSetOf: readonly (readonly string[])[] }[]
  readonly beneficiaries: readonly BeneficiaryForm[]
}

const formField = ([name, rule]: readonly [string, Field]): FormField => {
  const { label, example, required, minLength, maxLength, pattern, check = null } = rule
  const constraint = rule.enum ? { enum: rule.enum } : { minLength, maxLength, ...(pattern && { pattern }) }
  return { name, label, example, required, constraint, check, options: [] }
}

/** The banks of the countries and currencies of an account type. None for a type that is held anywhere. */
const bankNamesOf = ({ currencies, countries }: AccountTypeRule) =>
  countries.flatMap((country) =>
    currencies.flatMap((currency) => banksOf(currency, country).map(({ bankName }) => bankName)),
  )

const ADDRESS_FORM = Object.entries(ADDRESS_FIELDS).map(formField)

const beneficiaryForm = (rule: AccountTypeRule, beneficiaryType: BeneficiaryType): BeneficiaryForm => ({
  beneficiaryType,
  fields: beneficiaryFieldsOf(rule, beneficiaryType).map(formField),
  addressRequired: needsAddress(rule, beneficiaryType),
  addressFields: ADDRESS_FORM,
})

const requirementsOf = (accountType: AccountType): AccountRequirements => {
  const rule = ACCOUNT_TYPE_RULES[accountType]
  return {
    accountType,
    rule,
    fields: fieldsOf(accountType)
      .map(formField)
      .map((field) => (field.name === 'bankName' ? { ...field, options: bankNamesOf(rule) } : field)),
    rails: rule.rails.map((rail) => ({ rail, oneSetOf: rule.railNeeds?.[rail] ?? [] })),
    beneficiaries: isBankAccount(accountType) ? BENEFICIARY_TYPES.map((party) => beneficiaryForm(rule, party)) : [],
  }
}

const ALL = ADDABLE_TYPES.map(requirementsOf)

const admits = (list: readonly string[], code: string | null | undefined) =>
  code === null || code === undefined || list.length === 0 || list.includes(code)

/** The account types that can be added in this currency and country. Types without a country, such as wallets, are in every list. */
export const accountRequirements = (currency?: string | null, country?: string | null): AccountRequirements[] =>
  ALL.filter(({ rule }) => admits(rule.currencies, currency) && admits(rule.countries, country))
