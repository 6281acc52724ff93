// The details that only persons or only businesses have.
import type { z } from 'zod'
import { builder, type FieldBuilder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { PostalAddressType } from './graphql-address.ts'
import {
  ENTITY_TYPES,
  individualFields,
  newBusinessFields,
  newBusinessInfo,
  PEP_STATUSES,
  type Profile,
  TAX_ID_TYPES,
} from './profile/profile.ts'

const TaxIdTypeEnum = enumOf('TaxIdType', 'Kind of tax number.', TAX_ID_TYPES, {
  SSN: 'Social Security number, United States.',
  ITIN: 'Individual Taxpayer Identification Number, United States.',
  EIN: 'Employer Identification Number, United States.',
  NON_US_TAX_ID: 'Tax number of another country.',
})

const PepStatusEnum = enumOf('PepStatus', 'Whether a person is politically exposed.', PEP_STATUSES, {
  NONE: 'Not exposed.',
  DOMESTIC: "Holds public office in the person's own country.",
  FOREIGN: 'Holds public office in another country.',
  HIO: 'Heads an international organization.',
  FAMILY_OR_ASSOCIATE: 'Family member or close associate of an exposed person.',
})

const EntityTypeEnum = enumOf('EntityType', 'Legal form of a business.', ENTITY_TYPES, {
  SOLE_PROPRIETORSHIP: 'A business owned by one person.',
  PARTNERSHIP: 'Partnership.',
  LLC: 'Limited liability company.',
  CORPORATION: 'Corporation.',
  S_CORPORATION: 'Corporation that is taxed through its shareholders, United States.',
  NON_PROFIT: 'Non-profit organization.',
  OTHER: 'Another legal form.',
})

export type IndividualDetails = Omit<Profile, 'businessInfo'> & { readonly fullName: string | null }
export type BusinessDetails = Profile['businessInfo'] & Pick<Profile, 'address'> & { readonly legalName: string | null }

const describe = ({ shape }: z.ZodObject, name: string) => {
  const { description } = shape[name] as z.ZodType
  if (description === undefined) throw new Error(`${name} has no description`)
  return { description }
}

/** Fields that are texts, and lists of texts. */
const textFields = <D extends object>(t: FieldBuilder<D>, schema: z.ZodObject) => ({
  text: (name: keyof D & string) =>
    t.string({ ...describe(schema, name), resolve: (details: D) => details[name] as string | undefined }),
  texts: (name: keyof D & string) =>
    t.stringList({
      nullable: { list: true, items: false },
      ...describe(schema, name),
      resolve: (details: D) => details[name] as string[] | undefined,
    }),
})

export const IndividualDetailsType = builder.objectRef<IndividualDetails>('IndividualDetails').implement({
  description: 'Details of a person. The tax number is never returned.',
  fields: (t) => {
    const { text, texts } = textFields(t, individualFields)
    return {
      fullName: text('fullName'),
      birthDate: text('birthDate'),
      nationality: text('nationality'),
      address: t.expose('address', { type: PostalAddressType, description: 'Postal address.' }),
      taxIdType: t.expose('taxIdType', { type: TaxIdTypeEnum, ...describe(individualFields, 'taxIdType') }),
      taxIdCountryOfIssuance: text('taxIdCountryOfIssuance'),
      sourceOfFundsCategories: texts('sourceOfFundsCategories'),
      sourceOfFundsOtherDescription: text('sourceOfFundsOtherDescription'),
      sourceOfWealthCategories: texts('sourceOfWealthCategories'),
      sourceOfWealthOtherDescription: text('sourceOfWealthOtherDescription'),
      purposeOfAccount: text('purposeOfAccount'),
      purposeOfAccountOtherDescription: text('purposeOfAccountOtherDescription'),
      expectedMonthlyTransactionCount: text('expectedMonthlyTransactionCount'),
      expectedMonthlyTransactionVolume: text('expectedMonthlyTransactionVolume'),
      annualIncomeRange: text('annualIncomeRange'),
      netWorthRange: text('netWorthRange'),
      pepStatus: t.expose('pepStatus', { type: PepStatusEnum, ...describe(individualFields, 'pepStatus') }),
    }
  },
})

export const BusinessDetailsType = builder.objectRef<BusinessDetails>('BusinessDetails').implement({
  description: 'Details of a business. REST: `businessInfo` and `address`.',
  fields: (t) => {
    const { text, texts } = textFields(t, newBusinessInfo)
    return {
      legalName: text('legalName'),
      incorporatedOn: text('incorporatedOn'),
      taxId: text('taxId'),
      address: t.expose('address', { type: PostalAddressType, ...describe(newBusinessFields, 'address') }),
      doingBusinessAs: text('doingBusinessAs'),
      country: text('country'),
      registrationNumber: text('registrationNumber'),
      entityType: t.expose('entityType', { type: EntityTypeEnum, ...describe(newBusinessInfo, 'entityType') }),
      countriesOfOperation: texts('countriesOfOperation'),
      businessType: text('businessType'),
      purposeOfAccount: text('purposeOfAccount'),
      sourceOfFunds: text('sourceOfFunds'),
      sourceOfFundsCategories: texts('sourceOfFundsCategories'),
      expectedMonthlyTransactionCount: text('expectedMonthlyTransactionCount'),
      expectedMonthlyTransactionVolume: text('expectedMonthlyTransactionVolume'),
      expectedRecipientJurisdictions: texts('expectedRecipientJurisdictions'),
      expectedCounterpartyCountries: texts('expectedCounterpartyCountries'),
      naicsCode: text('naicsCode'),
    }
  },
})
