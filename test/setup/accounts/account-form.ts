// A form as a client would write it: it knows what `accountRequirements` says and has checks of its own, written apart from the gateway's.

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import { iso31661 } from 'iso-3166'
import { decode as decodeInvoice } from 'light-bolt11-decoder'

export interface FormField {
  readonly name: string
  readonly example: string
  readonly required: boolean
  readonly constraint: {
    readonly minLength: number | null
    readonly maxLength: number | null
    readonly pattern: string | null
    readonly enum: readonly string[] | null
  }
  readonly check: string | null
}

export interface Requirements {
  readonly accountType: string
  readonly family: string
  readonly currencies: readonly string[]
  readonly fields: readonly FormField[]
  readonly oneSetOf: readonly (readonly string[])[]
  readonly exactlyOne: boolean
  readonly rails: readonly { readonly rail: string; readonly oneSetOf: readonly (readonly string[])[] }[]
  readonly beneficiaries: readonly {
    readonly beneficiaryType: string
    readonly fields: readonly FormField[]
    readonly addressRequired: boolean
    readonly addressFields: readonly FormField[]
  }[]
}

const FIELD = 'name example required constraint { minLength maxLength pattern enum } check'
export const REQUIREMENTS = `accountType family currencies fields { ${FIELD} } oneSetOf exactlyOne rails { rail oneSetOf }
  beneficiaries { beneficiaryType fields { ${FIELD} } addressRequired addressFields { ${FIELD} } }`

type Values = Readonly<Record<string, unknown>>

const countries = new Set(iso31661.filter(({ state }) => state === 'assigned').map(({ alpha2 }) => alpha2))
const sum = (text: string, weights: readonly number[], modulus = Infinity) =>
  [...text].reduce((total, digit, at) => total + ((Number(digit) * Number(weights[at % weights.length])) % modulus), 0)
const tries = (work: () => boolean) => {
  try {
    return work()
  } catch {
    return false
  }
}

const mod11 = (places: readonly number[], weights: readonly number[]) => {
  const rest = places.reduce((total, place, at) => total + place * Number(weights[at]), 0) % 11
  return rest < 2 ? 0 : 11 - rest
}
const isTaxNumber = (text: string, length: 11 | 14) => {
  if (text.length !== length || new Set(text).size === 1) return false
  if (!(length === 11 ? /^\d{11}$/ : /^[0-9A-Z]{12}\d\d$/).test(text)) return false
  const places = [...text].map((place) => place.charCodeAt(0) - 48)
  const [first, second] =
    length === 11
      ? [
          [10, 9, 8, 7, 6, 5, 4, 3, 2],
          [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
        ]
      : [
          [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
          [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
        ]
  return mod11(places.slice(0, -2), first) === places.at(-2) && mod11(places.slice(0, -1), second) === places.at(-1)
}

const endsInSuffix = (text: string) => /^[a-zA-Z0-9]{32,44}$/.test(text) && /(00[234567]|10[234567])$/.test(text)
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i
const PIX: Readonly<Record<string, (key: string) => boolean>> = {
  CPF: (key) => isTaxNumber(key, 11),
  CNPJ: (key) => isTaxNumber(key, 14),
  EMAIL: (key) => EMAIL.test(key),
  PHONE: (key) => /^\+55\d{10,11}$/.test(key),
  RANDOM: (key) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(key),
}

const caseOf = (hex: string) => {
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(hex))).toString('hex')
  return [...hex].map((digit, at) => ('89abcdef'.includes(String(hash[at])) ? digit.toUpperCase() : digit)).join('')
}

/** An offer as bits: fields of a type, a length and as many bytes, with rising types. */
const isOffer = (value: string): boolean => {
  if (value !== value.toLowerCase() && value !== value.toUpperCase()) return false
  const [, text = ''] = /^lno1((?:[a-z\d]+\+\s*)*[a-z\d]+)$/.exec(value.toLowerCase()) ?? []
  const letters = [...text.replaceAll(/\+\s*/g, '')].map((letter) => 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.indexOf(letter))
  const bits = letters.map((letter) => letter.toString(2).padStart(5, '0')).join('')
  const rest = bits.length % 8
  if (letters.length === 0 || letters.includes(-1) || rest >= 5 || bits.slice(bits.length - rest).includes('1'))
    return false
  let bytes = (bits.slice(0, bits.length - rest).match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const take = (count: number) => {
    if (count > bytes.length) throw new Error('cut off')
    const taken = bytes.slice(0, count)
    bytes = bytes.slice(count)
    return taken
  }
  const number = () => {
    const [first = 0] = take(1)
    if (first < 0xfd) return BigInt(first)
    const found = BigInt(`0x${Buffer.from(take(2 ** (first - 0xfc))).toString('hex')}`)
    if (found < Number([0xfd, 0x1_0000, 0x1_0000_0000][first - 0xfd])) throw new Error('not the shortest form')
    return found
  }
  return tries(() => {
    let last = 0n
    while (bytes.length > 0) {
      const type = number()
      if (type <= last || (type > 79n && type < 1_000_000_000n) || type > 1_999_999_999n) return false
      last = type
      take(Number(number()))
    }
    return last > 0n
  })
}

/** The checks as `AccountFieldCheck` describes them, in the sandbox. */
const CHECKS: Readonly<Record<string, (value: string, all: Values) => boolean>> = {
  ABA_ROUTING: (value) =>
    /^(0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/.test(value) && sum(value, [3, 7, 1]) % 10 === 0,
  BIC: (value) => value.slice(4, 6) === 'XK' || countries.has(value.slice(4, 6)),
  BIRTH_DATE: (value) => {
    const [year, month, day] = value.split('-').map(Number)
    const date = new Date(0)
    date.setUTCFullYear(Number(year), Number(month) - 1, day)
    const isReal = date.getUTCMonth() + 1 === month && date.getUTCDate() === day && date.getUTCFullYear() === year
    return isReal && date.getTime() <= Date.now()
  },
  BOLT11: (value) =>
    tries(() => {
      const names = new Set(decodeInvoice(value).sections.map(({ name }) => String(name)))
      bech32.decode(value as `${string}1${string}`, false)
      return (
        names.has('payment_hash') &&
        names.has('payment_secret') &&
        (names.has('description') || names.has('description_hash'))
      )
    }),
  BOLT12: isOffer,
  CLABE: (value) => (10 - (sum(value.slice(0, 17), [3, 7, 1], 10) % 10)) % 10 === Number(value[17]),
  COUNTRY: (value) => countries.has(value),
  CPF_OR_CNPJ: (value) => isTaxNumber(value, 11) || isTaxNumber(value, 14),
  EMAIL: () => true,
  EVM_ADDRESS: (value) => {
    const hex = value.slice(2)
    const isMixed = /[a-f]/.test(hex) && /[A-F]/.test(hex)
    return (!isMixed || caseOf(hex.toLowerCase()) === hex) && !/^0+$/.test(hex)
  },
  IBAN: (value) => isValidIBAN(electronicFormatIBAN(value) ?? ''),
  LIGHTNING_ADDRESS: (value) => {
    const [name = '', host = '', more] = value.split('@')
    const parts = host.split('.')
    return (
      more === undefined &&
      /^[a-z\d._+-]{1,64}$/.test(name) &&
      parts.length > 1 &&
      parts.every((part) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/.test(part)) &&
      (parts.at(-1)?.length ?? 0) > 1
    )
  },
  PIX_KEY: (value, { pixKeyType }) => PIX[String(pixKeyType)]?.(value) ?? true,
  SOLANA_ADDRESS: (value) => endsInSuffix(value) || tries(() => base58.decode(value).length === 32),
  SPARK_ADDRESS: (value) =>
    tries(() => {
      const { prefix, words } = bech32m.decode(value as `${string}1${string}`, 1024)
      const bytes = bech32m.fromWords(words)
      secp256k1.Point.fromBytes(bytes.slice(2, 35))
      return (
        /^(sparkrt|sparkt|sparks|sparkl|spark|sprt|spt|sps|spl|sp)$/.test(prefix) && bytes[0] === 10 && bytes[1] === 33
      )
    }),
  TRON_ADDRESS: (value) =>
    endsInSuffix(value) ||
    tries(() => {
      const bytes = createBase58check(sha256).decode(value)
      return bytes.length === 21 && bytes[0] === 0x41
    }),
}

const isAbsent = (value: unknown) => value === undefined || value === null

const acceptsField = (field: FormField, values: Values): boolean => {
  const { constraint, check, required, name } = field
  const value = values[name]
  if (isAbsent(value)) return !required
  if (typeof value !== 'string' || !value.isWellFormed()) return false
  if (constraint.enum) return constraint.enum.includes(value)
  const { length } = [...value]
  if (length < (constraint.minLength ?? 0) || length > (constraint.maxLength ?? Infinity)) return false
  if (constraint.pattern !== null && !new RegExp(constraint.pattern, 'v').test(value)) return false
  return check === null || (CHECKS[check]?.(value, values) ?? false)
}

const isSet = (values: Values) => (set: readonly string[]) => set.every((name) => !isAbsent(values[name]))
const isBegun = (values: Values) => (set: readonly string[]) => set.some((name) => !isAbsent(values[name]))

const acceptsBeneficiary = ({ beneficiaries }: Requirements, given: unknown): boolean => {
  if (beneficiaries.length === 0) return true
  const values = (given ?? {}) as Values
  const form = beneficiaries.find(({ beneficiaryType }) => beneficiaryType === values['beneficiaryType'])
  if (!form?.fields.every((field) => acceptsField(field, values))) return false
  const address = values['address']
  if (isAbsent(address)) return !form.addressRequired
  return form.addressFields.every((field) => acceptsField(field, address as Values))
}

/** Whether the form would send these details. */
export const formAccepts = (requirements: Requirements, values: Values): boolean => {
  const { fields, oneSetOf, exactlyOne, rails } = requirements
  const begun = oneSetOf.filter(isBegun(values))
  const named = [...((values['paymentRails'] ?? []) as string[]), ...(values['rail'] ? [String(values['rail'])] : [])]
  return (
    fields.every((field) => acceptsField(field, values)) &&
    (oneSetOf.length === 0 || begun.length > 0) &&
    begun.every(isSet(values)) &&
    !(exactlyOne && begun.length > 1) &&
    named.every((name) =>
      rails.some(({ rail, oneSetOf: sets }) => rail === name && (sets.length === 0 || sets.some(isSet(values)))),
    ) &&
    acceptsBeneficiary(requirements, values['beneficiary'])
  )
}
