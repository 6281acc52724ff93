// Two accounts with the same fingerprint are duplicates (docs/domain/account-types.md#duplicates).
import { createHash } from 'node:crypto'
import type { AccountType } from '#accounts/account-info.ts'
import type { Detail } from '#accounts/types/rule.ts'
import { fieldsOf } from '#accounts/types/table.ts'

/** These fields say how to reach an account, but do not identify it. */
const DESCRIPTIVE: readonly Detail[] = [
  'bankAccountType',
  'country',
  'pixKeyType',
  'provider',
  'rail',
  'region',
  'taxId',
]
/** If one of these fields identifies the bank, the spelling of its name does not matter. */
const BANK_CODES: readonly Detail[] = ['routingNumber', 'swiftCode', 'ifsc', 'bankCode', 'sortCode']
/** Fields that are compared without regard to case. */
const WITHOUT_CASE: readonly Detail[] = ['invoice', 'bolt12', 'ifsc']

/** SHA-256 of type, currency and what identifies the account. */
export const fingerprintOf = (type: AccountType, currency: string, info: object): Uint8Array<ArrayBuffer> => {
  const given = info as Readonly<Partial<Record<Detail, string>>>
  const values = identifying(type, given).map((name) => {
    const value = given[name] ?? ''
    const isOneInAnyCase = name === 'address' && (type === 'SPARK_WALLET' || value.startsWith('0x'))
    return isOneInAnyCase || WITHOUT_CASE.includes(name) ? value.toLowerCase() : value
  })
  const text = JSON.stringify([type, currency, ...values])
  return new Uint8Array(createHash('sha256').update(text, 'utf8').digest())
}

/** An IBAN and a Pix key identify the account by themselves. */
const identifying = (type: AccountType, given: Readonly<Partial<Record<Detail, string>>>): Detail[] => {
  if (given.iban !== undefined) return ['iban']
  if (given.pixKey !== undefined) return ['pixKey']
  const hasBankCode = BANK_CODES.some((name) => given[name] !== undefined)
  return fieldsOf(type)
    .map(([name]) => name)
    .filter((name) => !DESCRIPTIVE.includes(name) && !(name === 'bankName' && hasBankCode))
}
