// The fields that several account types share.
import { BANK_ACCOUNT_KINDS } from '#accounts/account-info.ts'
import type { Check } from './check.ts'
import type { Field } from './rule.ts'

/** Text with a visible character and without control characters. */
const TEXT_PATTERN = String.raw`^(?=.*[\p{L}\p{N}\p{P}\p{S}])[^\u0000-\u001f\u007f-\u009f]+$`
/** The pattern of phone numbers of accounts and beneficiaries. Customers' phone numbers have another one. */
export const PHONE_PATTERN = String.raw`^\+[0-9]{6,14}$`

export const field = (label: string, example: string, part: Partial<Field> = {}): Field => ({
  label,
  example,
  required: true,
  minLength: 1,
  maxLength: 255,
  ...(!part.enum && { pattern: TEXT_PATTERN }),
  ...part,
})

/** A text of this length, or of a length in this range. */
export const exact = (
  label: string,
  example: string,
  pattern: string,
  length: number | readonly [number, number],
  part: Partial<Field> = {},
): Field => {
  const [minLength, maxLength] = typeof length === 'number' ? [length, length] : length
  return field(label, example, { pattern, minLength, maxLength, ...part })
}

export const optional = (rule: Field): Field => ({ ...rule, required: false })

export const choice = (
  label: string,
  list: readonly [string, ...string[]],
  { example = list[0], from }: { example?: string; from?: readonly [string, ...string[]] } = {},
): Field => {
  const lengths = list.map(({ length }) => length)
  const bounds = { minLength: Math.min(...lengths), maxLength: Math.max(...lengths) }
  return field(label, example, { ...bounds, enum: list, ...(from && { enumOf: from }) })
}

export const number = field('Account number', '1234567890', { maxLength: 34 })
export const digits = (least: number, most: number, example: string): Field =>
  exact('Account number', example, least === most ? `^\\d{${least}}$` : `^\\d{${least},${most}}$`, [least, most])
export const bankName = field('Bank', 'Example Bank')
export const bic = (example: string): Field =>
  exact('BIC (SWIFT code)', example, '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$', [8, 11], { check: 'BIC' })
export const iban = (example: string, pattern: string, length: number | readonly [number, number]): Field =>
  exact('IBAN', example, pattern, length, { check: 'IBAN' })
export const anyIban = (example: string): Field => iban(example, '^[A-Z]{2}\\d{2}[A-Za-z0-9]{11,30}$', [15, 34])
export const phone = (example: string, pattern = PHONE_PATTERN, length: readonly [number, number] = [7, 15]): Field =>
  exact('Phone number', example, pattern, length)
export const kind = choice('Kind of account', BANK_ACCOUNT_KINDS, { from: BANK_ACCOUNT_KINDS })
export const branch = exact('Branch code', '12345', '^\\d{5}$', 5)
export const provider = (example: string): Field => field('Mobile money provider', example)

/** A text whose format a network defines. Only its check can validate it. */
export const onNetwork = (
  label: string,
  example: string,
  length: readonly [number, number],
  check: Check,
  pattern = TEXT_PATTERN,
): Field => exact(label, example, pattern, length, { check })
