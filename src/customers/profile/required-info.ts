// The information that a customer needs before it can use a currency (docs/domain/customers.md#required-information).
import { ApiError, type FieldError } from '#core/errors.ts'
import { valueAt } from '#core/input.ts'
import type { CustomerType } from '#customers/customer.ts'
import { customerFieldsOf, isToken } from '#platforms/settings/customer-fields.ts'
import type { CustomerInfoField } from '#platforms/settings/customer-info-fields.ts'
import { isInScaRegion } from './sca-region.ts'

/** Path of the field in REST. */
const PLACES: Readonly<Record<CustomerType, Readonly<Partial<Record<CustomerInfoField, string>>>>> = {
  INDIVIDUAL: {
    FULL_NAME: 'fullName',
    BIRTH_DATE: 'birthDate',
    NATIONALITY: 'nationality',
    POSTAL_ADDRESS: 'address',
    TAX_ID: 'taxIdentifier',
    EMAIL: 'email',
    PHONE_NUMBER: 'phoneNumber',
  },
  BUSINESS: {
    FULL_NAME: 'businessInfo.legalName',
    BIRTH_DATE: 'businessInfo.incorporatedOn',
    NATIONALITY: 'businessInfo.country',
    POSTAL_ADDRESS: 'address',
    TAX_ID: 'businessInfo.taxId',
    EMAIL: 'email',
    PHONE_NUMBER: 'phoneNumber',
  },
}

/** What the country requires in addition: the tax number for dollars in the United States, and in SCA regions the address that codes go to. */
const ofCountry = (currency: string, country: string | null): readonly CustomerInfoField[] => [
  ...(country === 'US' && currency === 'USD' ? (['TAX_ID'] as const) : []),
  ...(isInScaRegion(country) && !isToken(currency) ? (['EMAIL', 'PHONE_NUMBER'] as const) : []),
]

const requiredFields = (currency: string, type: CustomerType, country: string | null): string[] => {
  const facts = new Set([...customerFieldsOf(currency), ...ofCountry(currency, country)])
  return [...facts].flatMap((fact) => PLACES[type][fact] ?? [])
}

interface CustomerBody {
  readonly customerType: CustomerType
  readonly currencies: readonly string[]
  readonly address?: { readonly country: string } | null | undefined
}

/** `customer` has the form of REST. 400 `MISSING_MANDATORY_USER_INFO` with every absent field that its currencies need. */
export const requireInfo = (customer: CustomerBody): void => {
  const country = customer.address?.country ?? null
  const missing = new Map<string, string>()
  for (const currency of customer.currencies) {
    for (const field of requiredFields(currency, customer.customerType, country)) {
      if (valueAt(customer, field.split('.')) == null && !missing.has(field)) missing.set(field, currency)
    }
  }
  const errors = [...missing].map(
    ([field, currency]): FieldError => ({
      field,
      message: `${field} is required for ${currency}${country === null ? '' : ` in ${country}`}`,
    }),
  )
  const [first] = errors
  if (first) throw new ApiError('MISSING_MANDATORY_USER_INFO', first.message, { field: first.field, errors })
}
