// Accounts made of the examples of the table.
import type { AccountType } from '#accounts/account-info.ts'
import { ACCOUNT_TYPE_RULES, fieldsOf, isBankAccount } from '#accounts/types/table.ts'

export const BENEFICIARY = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Asha Rao',
  phoneNumber: '+4930123456',
  countryOfResidence: 'DE',
  address: { line1: 'Unter den Linden 1', postalCode: '10117', country: 'DE' },
}

/** `accountInfo` with every field of the type, or with the first alternative where only one may be given. */
export const exampleOf = (type: AccountType) => {
  const { exactlyOne, oneSetOf = [] } = ACCOUNT_TYPE_RULES[type]
  const left = exactlyOne ? oneSetOf.slice(1).flat() : []
  const fields = fieldsOf(type).filter(([name]) => !left.includes(name))
  return {
    accountType: type,
    ...Object.fromEntries(fields.map(([name, { example }]) => [name, example])),
    ...(isBankAccount(type) && { beneficiary: BENEFICIARY }),
  }
}

export const currencyFor = (type: AccountType) => ACCOUNT_TYPE_RULES[type].currencies[0] ?? 'JPY'
