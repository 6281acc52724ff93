// What platforms send to add an account: the schema of each account type, made of its row in the table.
import { z } from 'zod'
import { type AccountInfo, type AccountType, BENEFICIARY_TYPES } from '#accounts/account-info.ts'
import { PAYMENT_RAILS, type PaymentRail } from '#accounts/payment-rail.ts'
import { emailAddress } from '#core/addresses/email.ts'
import type { Environment } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { isUuid } from '#core/ids.ts'
import { labelOf, parse, someOf } from '#core/input.ts'
import { isCnpj, isCpf } from './bank-checks.ts'
import { beneficiarySchema } from './beneficiary.ts'
import { formatOf } from './check.ts'
import type { AccountTypeRule, Detail } from './rule.ts'
import { ACCOUNT_TYPE_RULES, fieldsOf, isBankAccount } from './table.ts'
import { describedField, type FieldSchema } from './text-schema.ts'

const RAILS_TEXT = 'Rails to use. All that reach the account, if omitted.'
export const BENEFICIARY_TEXT = 'The holder of the account.'

/** Builds the schema of an account type in an environment when it is first needed. */
const once = <S>(build: (type: AccountType, environment: Environment) => S) => {
  const built = new Map<string, S>()
  return (type: AccountType, environment: Environment): S => {
    const key = `${type} ${environment}`
    const schema = built.get(key) ?? build(type, environment)
    built.set(key, schema)
    return schema
  }
}

/** The fields of an account type without `accountType` and beneficiary. Rules between fields are not included. */
export const fieldsSchema = once((type, environment) => {
  const { rails } = ACCOUNT_TYPE_RULES[type]
  const [first, ...others] = rails
  return z.object({
    ...(Object.fromEntries(fieldsOf(type).map(([name, rule]) => [name, describedField(rule, environment)])) as Record<
      string,
      FieldSchema
    >),
    ...(first && {
      paymentRails: z
        .array(someOf([first, ...others], PAYMENT_RAILS), { error: 'must be a list' })
        .nullish()
        .describe(RAILS_TEXT),
    }),
  })
})

type Given = Readonly<Record<string, unknown>>

const schemaOf = (type: AccountType, environment: Environment) => {
  const fields = fieldsSchema(type, environment)
  if (!isBankAccount(type)) return fields
  const rule = ACCOUNT_TYPE_RULES[type]
  const ofParty = (party: 'INDIVIDUAL' | 'BUSINESS') =>
    beneficiarySchema(rule, party, environment).extend({ beneficiaryType: z.literal(party) })
  const beneficiary = z.object({ beneficiaryType: labelOf(BENEFICIARY_TYPES) }, { error: 'must be an object' }).and(
    // The discriminator is read first, so that an unknown one is the only error.
    z.discriminatedUnion('beneficiaryType', [ofParty('INDIVIDUAL'), ofParty('BUSINESS')]),
  )
  return fields.extend({ beneficiary })
}

const checkedSchema = once((type, environment) => {
  const schema = schemaOf(type, environment).superRefine((given, context) => {
    for (const { field, message, format } of problemsOf(ACCOUNT_TYPE_RULES[type], given)) {
      context.addIssue({
        code: 'custom',
        path: [field],
        message,
        ...(format && { params: { constraint: { format } } }),
      })
    }
  })
  return schema as z.ZodType<Given>
})

interface Problem {
  readonly field: Detail | 'paymentRails'
  readonly message: string
  readonly format?: string
}

const isGiven = (given: Given, name: string) => given[name] !== undefined && given[name] !== null

/** The rails that reach an account with these fields. */
const railsFor = ({ rails, railNeeds = {} }: AccountTypeRule, given: Given): PaymentRail[] =>
  rails.filter((rail) => railNeeds[rail]?.some((set) => set.every((name) => isGiven(given, name))) ?? true)

/** Rules between the fields of one account. */
function* problemsOf(rule: AccountTypeRule, given: Given): Generator<Problem> {
  const { oneSetOf = [], exactlyOne = false } = rule
  const begun = oneSetOf.filter((set) => set.some((name) => isGiven(given, name)))
  const [first = [], second] = begun
  const [field, ...others] = oneSetOf.map((set) => set.join(' with '))
  if (field && begun.length === 0) yield { field: field as Detail, message: `or ${others.join(' or ')} is required` }
  for (const set of begun) {
    const missing = set.find((name) => !isGiven(given, name))
    if (missing)
      yield { field: missing, message: `is needed with ${set.filter((name) => name !== missing).join(', ')}` }
  }
  if (exactlyOne && second?.[0]) yield { field: second[0], message: `must not be given with ${first.join(', ')}` }
  const rails = railsFor(rule, given)
  const chosen = (given['paymentRails'] ?? []) as readonly PaymentRail[]
  if (chosen.some((rail) => !rails.includes(rail))) {
    yield { field: 'paymentRails', message: `must be among ${rails.join(', ')}: the other fields allow only these` }
  }
  if (isGiven(given, 'rail') && !rails.includes(given['rail'] as PaymentRail)) {
    yield { field: 'rail', message: `must be one of ${rails.join(', ')}: the other fields allow only these` }
  }
  if (isGiven(given, 'pixKeyType') && !isPixKey(String(given['pixKeyType']), String(given['pixKey']))) {
    yield {
      field: 'pixKey',
      message: `must be a Pix key of the kind ${given['pixKeyType']}`,
      format: formatOf('PIX_KEY'),
    }
  }
}

const PHONE_IN_BRAZIL = /^\+55\d{10,11}$/

const isPixKey = (kind: string, key: string): boolean => {
  switch (kind) {
    case 'CPF':
      return isCpf(key)
    case 'CNPJ':
      return isCnpj(key)
    case 'EMAIL':
      return emailAddress.safeParse(key).success
    case 'PHONE':
      return PHONE_IN_BRAZIL.test(key)
    default:
      return isUuid(key)
  }
}

/**
 * The details of a new account as they are stored: the fields in the order of the table, with IBANs in upper case, then the rails and the
 * beneficiary. Unknown fields are left out. Throws 400 `INVALID_BANK_ACCOUNT` with every invalid field below `accountInfo`.
 */
export const parseAccountInfo = (
  type: AccountType,
  environment: Environment,
  input: unknown,
): Omit<AccountInfo, 'accountType'> => {
  const given = parseDetails(checkedSchema(type, environment), input)
  const details = fieldsOf(type).flatMap(([name, { check }]) => {
    const value = given[name]
    if (typeof value !== 'string') return []
    return [[name, check === 'IBAN' ? value.toUpperCase() : value]]
  })
  if (!isBankAccount(type)) return Object.fromEntries(details)
  const rails = railsFor(ACCOUNT_TYPE_RULES[type], given)
  const chosen = (given['paymentRails'] ?? []) as readonly PaymentRail[]
  return {
    ...Object.fromEntries(details),
    paymentRails: chosen.length === 0 ? rails : rails.filter((rail) => chosen.includes(rail)),
    beneficiary: withoutNulls(given['beneficiary']),
  }
}

const parseDetails = (schema: z.ZodType<Given>, input: unknown): Given => {
  try {
    return parse(schema, input, 'accountInfo')
  } catch (error) {
    throw error instanceof ApiError ? new ApiError('INVALID_BANK_ACCOUNT', error.message, error.details) : error
  }
}

const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, member: unknown) => member ?? undefined))
