// The service's own bank accounts in the sandbox, where money can be pushed to (docs/domain/account-types.md#payment-instructions).
import { ACCOUNT_TYPES } from '#accounts/account-info.ts'
import { ACCOUNT_TYPE_RULES, fieldsOf, isBankAccount } from '#accounts/types/table.ts'

/** Fields of `accountOrWalletInfo` besides its type. */
export type AccountFields = Readonly<Record<string, string | readonly string[]>>

/** An account with the examples of the table, which every rail of its type reaches. Undefined if `accountType` is not a bank or mobile money account. */
export const sandboxAccount = (accountType: string): AccountFields | undefined => {
  const type = ACCOUNT_TYPES.find((known) => known === accountType)
  if (!type || !isBankAccount(type)) return undefined
  const { rails, oneSetOf = [], instruction } = ACCOUNT_TYPE_RULES[type]
  const alternatives = new Set(oneSetOf.flat())
  const needed = fieldsOf(type).filter(([name, { required }]) => required || alternatives.has(name))
  const examples = [...needed, ...Object.entries(instruction.fields ?? {})].map(([name, { example }]) => [
    name,
    example,
  ])
  return { ...Object.fromEntries(examples), ...(rails.length > 0 && { paymentRails: rails }) }
}
