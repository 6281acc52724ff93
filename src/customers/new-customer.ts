// Customers as platforms send them: one at a time, or as rows of a CSV file.
import { z } from 'zod'
import { emailAddress, requirePublicDomain } from '#core/addresses/email.ts'
import { UMA_ADDRESS } from '#core/addresses/uma.ts'
import type { Caller } from '#core/caller.ts'
import { countryCode } from '#core/codes/countries.ts'
import { newUuid } from '#core/ids.ts'
import { currencyCode, labelOf, parse, parseChanges, textOf } from '#core/input.ts'
import { requireSupported, usesOf } from '#platforms/settings/currencies.ts'
import { CUSTOMER_TYPES, CustomerRecord, type CustomerType } from './customer.ts'
import { checkNewOwner } from './owners/change.ts'
import { fixedOwnerFields, newOwners } from './owners/list-in-customer.ts'
import type { OwnerFields } from './owners/owner.ts'
import { individualFields, merged, newBusinessFields, type Profile } from './profile/profile.ts'
import { requireInfo } from './profile/required-info.ts'
import { checkTaxIdentifier } from './profile/tax-identifier.ts'

const { texts } = CustomerRecord

const MOST_CURRENCIES = 50

export const phoneNumber = textOf(16).regex(
  /^\+[1-9]\d{1,14}$/,
  'must be an E.164 phone number, for example +14155550123',
)
export const currencies = z
  .array(currencyCode)
  .max(MOST_CURRENCIES, `must have at most ${MOST_CURRENCIES} values`)
  .describe(texts.currencies)
export const region = countryCode.nullish().describe(texts.region)
export const umaAddress = textOf(320).regex(UMA_ADDRESS, 'must have the form $name@domain')

export const newCustomer = z.object({
  platformCustomerId: textOf(255).nullish().describe(`${texts.platformCustomerId} Generated if it is not sent.`),
  region,
  currencies: currencies.nullish().describe(texts.currencies),
  email: emailAddress.nullish().describe(texts.email),
  phoneNumber: phoneNumber.nullish().describe(texts.phoneNumber),
  umaAddress: umaAddress.nullish().describe(`${texts.umaAddress} Generated if it is not sent.`),
})

const newIndividual = newCustomer.extend(individualFields.shape)
const newBusiness = newCustomer.extend({ ...newBusinessFields.shape, beneficialOwners: newOwners })

/** A field of either type, as both faces document it. */
export const newCustomerRequest = z
  .discriminatedUnion('customerType', [
    newIndividual
      .extend({ customerType: z.literal('INDIVIDUAL').describe(texts.customerType) })
      .meta({ id: 'NewIndividualCustomer', description: 'A new person.' }),
    newBusiness
      .extend({ customerType: z.literal('BUSINESS').describe(texts.customerType) })
      .meta({ id: 'NewBusinessCustomer', description: 'A new business.' }),
  ])
  .meta({ id: 'NewCustomer', description: 'A new customer.' })

const customerType = z.object({ customerType: labelOf(CUSTOMER_TYPES).describe(texts.customerType) })

/** Fields that only the service writes. */
const FIXED_FIELDS = [
  'id',
  'kycStatus',
  'kybStatus',
  'verificationStatus',
  'contactVerification',
  'createdAt',
  'updatedAt',
  'isDeleted',
]

/** Fields of the other type, which would be lost silently. */
const ONLY_INDIVIDUAL = Object.keys(individualFields.omit({ address: true }).shape)
const FOREIGN_FIELDS: Readonly<Record<CustomerType, readonly string[]>> = {
  INDIVIDUAL: ['businessInfo', 'beneficialOwners'],
  BUSINESS: ONLY_INDIVIDUAL,
}

export const fixedFieldsOf = (type: CustomerType): readonly string[] => [...FIXED_FIELDS, ...FOREIGN_FIELDS[type]]

/** The columns of a new customer. Null where a value is generated. */
export interface NewCustomer {
  readonly id: string
  readonly customerType: CustomerType
  readonly platformCustomerId: string
  readonly umaAddress: string | null
  readonly name: string | null
  readonly email: string | null
  readonly phoneNumber: string | null
  readonly region: string | null
  readonly currencies: readonly string[]
  readonly profile: Profile
  readonly taxIdentifier: string | null
  readonly owners: readonly OwnerFields[]
}

/** The fields that are checked for each type, and required. */
type Forms = Readonly<Record<CustomerType, z.ZodType<Given>>>
type Given = z.infer<typeof newCustomer> & Details & { readonly beneficialOwners?: OwnerFields[] | null | undefined }
const FORMS: Forms = { INDIVIDUAL: newIndividual, BUSINESS: newBusiness }

/**
 * 400 `INVALID_INPUT`, `INVALID_CURRENCY`, and `MISSING_MANDATORY_USER_INFO` if a currency requires information that is absent. `input` has the form of
 * REST.
 */
export const parseNewCustomer = async (
  caller: Pick<Caller, 'platformId' | 'environment'>,
  input: unknown,
  forms = FORMS,
): Promise<NewCustomer> => {
  const { customerType: type } = parse(customerType, input)
  const fields = parseChanges(forms[type], input, [...fixedFieldsOf(type), ...fixedOwnerFields(input, true)])
  const { platformCustomerId, email, phoneNumber, umaAddress, region, currencies, beneficialOwners, ...details } =
    fields
  if (email) requirePublicDomain(caller.environment, email, 'email')
  const owners = beneficialOwners ?? []
  for (const [index, owner] of owners.entries()) checkNewOwner(caller, owner, `beneficialOwners.${index}.`)
  const known = await supportedCurrencies(caller, currencies ?? [])
  requireInfo({ ...fields, customerType: type, currencies: known })
  return {
    id: newUuid(),
    customerType: type,
    platformCustomerId: platformCustomerId ?? newUuid(),
    umaAddress: umaAddress ?? null,
    email: email ?? null,
    phoneNumber: phoneNumber ?? null,
    region: region ?? details.address?.country ?? null,
    currencies: known,
    ...splitDetails(details),
    owners,
  }
}

/** Without repeats. 400 `INVALID_CURRENCY` for one that is unknown or that the platform does not support. */
const supportedCurrencies = async (caller: Pick<Caller, 'platformId'>, codes: readonly string[]): Promise<string[]> => {
  await requireSupported(caller, usesOf(codes))
  return [...new Set(codes)]
}

interface Details {
  readonly fullName?: string | null | undefined
  readonly taxIdentifier?: string | null | undefined
  readonly taxIdType?: Profile['taxIdType']
  readonly address?: Profile['address']
  readonly businessInfo?: { readonly legalName?: string | undefined } | undefined
}

/** The details as they are stored: the name in its column, the tax number apart, and the rest in the profile. */
export const splitDetails = ({ fullName, taxIdentifier = null, businessInfo, ...rest }: Details) => {
  checkTaxIdentifier(rest.taxIdType, taxIdentifier)
  const { legalName, ...info } = businessInfo ?? {}
  const parts = {
    ...(rest.address && { address: merged({}, rest.address) }),
    ...(businessInfo && { businessInfo: merged({}, info) }),
  }
  return { name: fullName ?? legalName ?? null, taxIdentifier, profile: merged({}, { ...rest, ...parts }) as Profile }
}
