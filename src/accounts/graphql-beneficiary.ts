// Who holds an account outside the service, as the platform named them (docs/domain/account-types.md#beneficiaries).
import { PostalAddressType } from '#customers/graphql-address.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import {
  BENEFICIARY_TYPES,
  type Beneficiary,
  type BusinessBeneficiary,
  type IndividualBeneficiary,
} from './account-info.ts'

export const BeneficiaryTypeEnum = enumOf('BeneficiaryType', 'Discriminator of a beneficiary.', BENEFICIARY_TYPES, {
  INDIVIDUAL: '`IndividualBeneficiary`.',
  BUSINESS: '`BusinessBeneficiary`.',
})

const COUNTRY = 'ISO 3166-1 alpha-2.'

export const BeneficiaryInterface = builder.interfaceRef<Beneficiary>('Beneficiary').implement({
  description: 'The holder of a bank or mobile money account, discriminated by `beneficiaryType`.',
  resolveType: ({ beneficiaryType }) =>
    beneficiaryType === 'INDIVIDUAL' ? 'IndividualBeneficiary' : 'BusinessBeneficiary',
  fields: (t) => ({
    beneficiaryType: t.expose('beneficiaryType', {
      type: BeneficiaryTypeEnum,
      nullable: false,
      description: 'Person or business.',
    }),
    email: t.exposeString('email', { description: 'Email address.' }),
    phoneNumber: t.exposeString('phoneNumber', { description: 'E.164, for example `+14155550123`.' }),
    countryOfResidence: t.exposeString('countryOfResidence', { description: COUNTRY }),
    address: t.expose('address', { type: PostalAddressType, description: 'Postal address.' }),
  }),
})

builder.objectType(builder.objectRef<IndividualBeneficiary>('IndividualBeneficiary'), {
  description: 'A person who holds an account.',
  interfaces: [BeneficiaryInterface],
  fields: (t) => ({
    fullName: t.exposeString('fullName', { nullable: false, description: 'First and last name.' }),
    birthDate: t.exposeString('birthDate', { description: '`YYYY-MM-DD`.' }),
    nationality: t.exposeString('nationality', { description: COUNTRY }),
    documentType: t.exposeString('documentType', {
      description: 'Kind of identity document. Only for a `COP_ACCOUNT`.',
    }),
    documentNumber: t.exposeString('documentNumber', {
      description: 'Number of the identity document. Only for a `COP_ACCOUNT`.',
    }),
  }),
})

builder.objectType(builder.objectRef<BusinessBeneficiary>('BusinessBeneficiary'), {
  description: 'A business that holds an account.',
  interfaces: [BeneficiaryInterface],
  fields: (t) => ({
    legalName: t.exposeString('legalName', { nullable: false, description: 'Registered name.' }),
    registrationNumber: t.exposeString('registrationNumber', { description: 'Number in the register of companies.' }),
    taxId: t.exposeString('taxId', { description: 'Tax number.' }),
  }),
})
