// The account types with their fields and rails. Validation, both contracts and forms are built from this table (docs/domain/account-types.md#table-of-account-types).
import { ACCOUNT_TYPES, type AccountInfo, type AccountType } from '#accounts/account-info.ts'
import { BANKS } from './banks.ts'
import { MOBILE_MONEY } from './mobile-money.ts'
import type { AccountTypeRules, Detail, Field } from './rule.ts'
import { WALLETS } from './wallets.ts'

export const ACCOUNT_TYPE_RULES: AccountTypeRules = { ...BANKS, ...MOBILE_MONEY, ...WALLETS }

/** The types that external accounts can have. */
export const ADDABLE_TYPES = ACCOUNT_TYPES.filter((type) => ACCOUNT_TYPE_RULES[type].creatable) as [
  AccountType,
  ...AccountType[],
]

/** The fields of an account type with their rules, in the order of the table. */
export const fieldsOf = (type: AccountType) =>
  Object.entries(ACCOUNT_TYPE_RULES[type].fields) as unknown as readonly (readonly [Detail, Field])[]

/** All fields that an object of the type may have. Payment instructions may have more than external accounts. */
export const detailsOf = (type: AccountType) => {
  const { creatable, instruction } = ACCOUNT_TYPE_RULES[type]
  const own = fieldsOf(type)
  const instructed = Object.entries(instruction.fields ?? {}) as [Detail, Field][]
  return [
    ...own.map(([name, { required }]) => ({ name, isRequired: required })),
    ...instructed.map(([name, { required }]) => ({ name, isRequired: required && !creatable })),
  ]
}

const all = ACCOUNT_TYPES.flatMap(detailsOf)
const notRequired = new Set(all.flatMap(({ name, isRequired }) => (isRequired ? [] : [name])))

/** Whether every type with this field requires it. */
export const isAlwaysRequired = (name: Detail) => !notRequired.has(name)

/** Bank and mobile money accounts are reached over payment rails and belong to a beneficiary. Wallets have neither. */
export const isBankAccount = (type: AccountType) => ACCOUNT_TYPE_RULES[type].family !== 'WALLET'

/** The text of a field, null when the account does not have it. */
export const detailOf = (info: AccountInfo, name: Detail): string | null => {
  const value = info[name]
  return typeof value === 'string' ? value : null
}
