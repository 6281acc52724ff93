// The value of an account that selects a scenario of the sandbox (docs/domain/sandbox.md#magic-values).

/** Every suffix that selects something for an external account, when it is created or when it is paid. */
export const ACCOUNT_SUFFIXES = [
  '002',
  '003',
  '004',
  '005',
  '006',
  '007',
  '102',
  '103',
  '104',
  '105',
  '106',
  '107',
] as const
export type AccountSuffix = (typeof ACCOUNT_SUFFIXES)[number]

/** The fields that may hold a magic value. The first one that the account has decides. */
const KEYS = [
  'accountNumber',
  'iban',
  'clabeNumber',
  'address',
  'pixKey',
  'vpa',
  'phoneNumber',
  'lightningAddress',
  'invoice',
  'bolt12',
]

/** The name of the field that decides. */
export const keyOf = (info: object): string | undefined =>
  KEYS.find((key) => typeof (info as Readonly<Record<string, unknown>>)[key] === 'string')

/** The last three characters of the value. In a value like an email address, the last three before the @. */
export const suffixOf = (info: object): string => {
  const value = (info as Readonly<Record<string, unknown>>)[keyOf(info) ?? '']
  return (
    String(value ?? '')
      .split('@')[0]
      ?.slice(-3) ?? ''
  )
}
