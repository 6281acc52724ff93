// The facts about its customer that one institution gives to the other.
import type { Customer } from '#customers/customer.ts'
import type { PostalAddress, Profile } from '#customers/profile/profile.ts'
import type { CustomerInfoField } from '#platforms/settings/customer-info-fields.ts'
import { fromWire, toWire } from './names.ts'

export type Facts = Partial<Readonly<Record<CustomerInfoField, string>>>

type Known = Pick<Customer, 'customerType' | 'name' | 'email' | 'phoneNumber' | 'umaAddress' | 'region'>

/**
 * The facts that the platform has given us. Tax numbers are not among them. BIRTH_DATE and NATIONALITY of a business are those of its
 * incorporation (docs/domain/platform.md#required-fields).
 */
export const factsOf = (customer: Known & { readonly profile: unknown }): Facts => {
  const { birthDate, nationality, address, businessInfo } = (customer.profile ?? {}) as Profile
  const isBusiness = customer.customerType === 'BUSINESS'
  const facts: { readonly [K in CustomerInfoField]?: string | null | undefined } = {
    FULL_NAME: customer.name,
    EMAIL: customer.email,
    PHONE_NUMBER: customer.phoneNumber,
    BIRTH_DATE: birthDate,
    NATIONALITY: nationality,
    POSTAL_ADDRESS: address && lineOf(address),
    COUNTRY_OF_RESIDENCE: address?.country ?? customer.region,
    USER_TYPE: customer.customerType,
    IDENTIFIER: customer.umaAddress,
    ...(isBusiness && {
      COMPANY_LEGAL_NAME: customer.name,
      BIRTH_DATE: businessInfo?.incorporatedOn,
      NATIONALITY: businessInfo?.country,
      REGISTRATION_NUMBER: businessInfo?.registrationNumber,
      BUSINESS_TYPE: businessInfo?.businessType,
    }),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value)) as Facts
}

/** In a fixed order, because the database does not keep that of the fields. */
const lineOf = ({ line1, line2, city, state, postalCode, country }: PostalAddress): string =>
  [line1, line2, city, state, postalCode, country].filter(Boolean).join(', ')

/** The facts by the names of the protocol. */
export const wireFacts = (facts: Facts, asked: readonly CustomerInfoField[]): Record<string, string> =>
  Object.fromEntries(asked.flatMap((field) => (facts[field] === undefined ? [] : [[toWire(field), facts[field]]])))

const LONGEST_FACT = 1_000

/** The facts of a message that the interface knows. Everything else is dropped. */
export const receivedFacts = (data: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(data) as Record<string, unknown>).flatMap(([name, value]) => {
      const field = fromWire(name)
      const isFact = typeof value === 'string' && value !== '' && value.length <= LONGEST_FACT && value.isWellFormed()
      return field && isFact && !value.includes('\0') ? [[field, value]] : []
    }),
  )

/** The originator as IVMS 101 writes it: what the travel rule requires of a payment. */
export const travelRuleOf = (payer: string, facts: Facts): object => {
  const name = facts.COMPANY_LEGAL_NAME ?? facts.FULL_NAME ?? ''
  const addressType = facts.COMPANY_LEGAL_NAME ? 'BIZZ' : 'HOME'
  const geographicAddress = facts.POSTAL_ADDRESS
    ? [{ addressType, addressLine: [facts.POSTAL_ADDRESS], country: facts.COUNTRY_OF_RESIDENCE }]
    : undefined
  const person = facts.COMPANY_LEGAL_NAME
    ? {
        legalPerson: {
          name: { nameIdentifier: [{ legalPersonName: name, legalPersonNameIdentifierType: 'LEGL' }] },
          geographicAddress,
          countryOfRegistration: facts.NATIONALITY,
        },
      }
    : {
        naturalPerson: {
          name: { nameIdentifier: [{ primaryIdentifier: name, nameIdentifierType: 'LEGL' }] },
          geographicAddress,
          dateAndPlaceOfBirth: facts.BIRTH_DATE && { dateOfBirth: facts.BIRTH_DATE },
          countryOfResidence: facts.COUNTRY_OF_RESIDENCE,
        },
      }
  return { originator: { originatorPersons: [person], accountNumber: [payer] } }
}
