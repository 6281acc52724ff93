// The checks of a field beyond its pattern (docs/domain/account-types.md#checks-beyond-the-pattern).
import type { Environment } from '#core/caller.ts'
import { COUNTRIES, NOT_A_COUNTRY } from '#core/codes/countries.ts'
import { isEvmAddress, isSolanaAddress, isSparkAddress, isTronAddress } from './address-checks.ts'
import { isAbaRouting, isBic, isCbu, isClabe, isCpfOrCnpj, isIban } from './bank-checks.ts'
import { isBolt11, isBolt12, isLightningAddress } from './lightning-checks.ts'

export const CHECKS = [
  'ABA_ROUTING',
  'BIC',
  'BIRTH_DATE',
  'BOLT11',
  'BOLT12',
  'CBU',
  'CLABE',
  'COUNTRY',
  'CPF_OR_CNPJ',
  'EMAIL',
  'EVM_ADDRESS',
  'IBAN',
  'LIGHTNING_ADDRESS',
  'PIX_KEY',
  'SOLANA_ADDRESS',
  'SPARK_ADDRESS',
  'TRON_ADDRESS',
] as const
export type Check = (typeof CHECKS)[number]

/** Explains each check to developers of forms. */
export const CHECK_TEXTS: Readonly<Record<Check, string>> = {
  ABA_ROUTING:
    'The digits times 3, 7, 1, 3, 7, 1, … add up to a multiple of 10, and the first two are 00–12, 21–32, 61–72 or 80.',
  BIC: 'Characters 5 and 6 are a country code of ISO 3166-1, or `XK`.',
  BIRTH_DATE: 'A calendar date, `YYYY-MM-DD`, no later than today in UTC.',
  BOLT11:
    'A BOLT 11 invoice with payment hash, payment secret and description. Main network only, except in the sandbox.',
  BOLT12: 'A BOLT 12 offer.',
  CBU: 'Both blocks, of 8 and 14 digits, end in their check digits.',
  CLABE: 'The last digit is the check digit.',
  COUNTRY: 'A country code of ISO 3166-1.',
  CPF_OR_CNPJ: 'The last two digits are the check digits of a CPF or a CNPJ, and the digits are not all the same.',
  EMAIL: 'Outside the sandbox, the domain must contain a dot.',
  EVM_ADDRESS:
    'All letters have the same case, or their case is the EIP-55 checksum. Not the zero address or the contract of a token.',
  IBAN: 'Country, length, structure and check digits are those of the IBAN registry. Lower-case letters count as upper-case ones. Spaces are not allowed.',
  LIGHTNING_ADDRESS: 'A name and a host with a dot, in lower case (LUD-16).',
  PIX_KEY:
    'Depends on `pixKeyType`: check digits for CPF and CNPJ, an email address for EMAIL, `^\\+55\\d{10,11}$` for PHONE, a lower-case UUID for RANDOM.',
  SOLANA_ADDRESS:
    'Base58 of 32 bytes, but not a system program or the mint of a token. The sandbox also accepts 32 to 44 letters and digits that end in one of its suffixes.',
  SPARK_ADDRESS: 'Bech32m of a Spark public key. Main network only, except in the sandbox.',
  TRON_ADDRESS:
    'Base58check of 21 bytes, the first of which is 41, but not the contract of a token. The sandbox also accepts 32 to 44 letters and digits that end in one of its suffixes.',
}

interface CheckRule {
  readonly message: string
  /** The value fits its pattern. */
  readonly passes: (value: string, environment: Environment) => boolean
}

const rule = (message: string, passes: CheckRule['passes']): CheckRule => ({ message, passes })

const isPastDate = (value: string) => {
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) && date.getTime() <= Date.now()
}

/** `PIX_KEY` depends on another field and is checked with the whole account. */
export const CHECK_RULES: Readonly<Record<Exclude<Check, 'PIX_KEY'>, CheckRule>> = {
  ABA_ROUTING: rule('must be an ABA routing number', isAbaRouting),
  BIC: rule('must be a BIC', isBic),
  BIRTH_DATE: rule('must be a date that is not after today', isPastDate),
  BOLT11: rule('must be a Lightning invoice', isBolt11),
  BOLT12: rule('must be a BOLT 12 offer', isBolt12),
  CBU: rule('must be a CBU or CVU', isCbu),
  CLABE: rule('must be a CLABE', isClabe),
  COUNTRY: rule(NOT_A_COUNTRY, (value) => COUNTRIES.has(value)),
  CPF_OR_CNPJ: rule('must be a CPF or CNPJ', isCpfOrCnpj),
  EMAIL: rule(
    'must have a domain with a dot',
    (value, environment) => environment === 'SANDBOX' || value.slice(value.lastIndexOf('@')).includes('.'),
  ),
  EVM_ADDRESS: rule('must be an address of an Ethereum network', isEvmAddress),
  IBAN: rule('must be an IBAN', isIban),
  LIGHTNING_ADDRESS: rule('must be a Lightning address', isLightningAddress),
  SOLANA_ADDRESS: rule('must be a Solana address', isSolanaAddress),
  SPARK_ADDRESS: rule('must be a Spark address', isSparkAddress),
  TRON_ADDRESS: rule('must be a TRON address', isTronAddress),
}

/** The name of the check as the `format` of a constraint: `IBAN` is `iban`, `EVM_ADDRESS` is `evm-address`. */
export const formatOf = (check: Check): string => check.toLowerCase().replaceAll('_', '-')
