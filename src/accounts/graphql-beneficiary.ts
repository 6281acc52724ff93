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
import { BUSINESS_TEXTS, PERSON_TEXTS } from './texts.ts'

export const BeneficiaryTypeEnum = enumOf('BeneficiaryType', 'Discriminator of a beneficiary.', BENEFICIARY_TYPES, {
  INDIVIDUAL: '`IndividualBeneficiary`.',
  BUSINESS: '`BusinessBeneficiary`.',
})

export const BeneficiaryInterface = builder.interfaceRef<Beneficiary>('Beneficiary').implement({
  description: 'The holder of a bank or mobile money account, discriminated by `beneficiaryType`.',
  resolveType: ({ beneficiaryType }) =>
    beneficiaryType === 'INDIVIDUAL' ? 'IndividualBeneficiary' : 'BusinessBeneficiary',
  fields: (t) => ({
    beneficiaryType: t.expose('beneficiaryType', {
      type: BeneficiaryTypeEnum,
      nullable: false,
      description: PERSON_TEXTS.beneficiaryType,
    }),
    email: t.exposeString('email', { description: PERSON_TEXTS.email }),
    phoneNumber: t.exposeString('phoneNumber', { description: PERSON_TEXTS.phoneNumber }),
    countryOfResidence: t.exposeString('countryOfResidence', { description: PERSON_TEXTS.countryOfResidence }),
    address: t.expose('address', { type: PostalAddressType, description: PERSON_TEXTS.address }),
  }),
})

builder.objectType(builder.objectRef<IndividualBeneficiary>('IndividualBeneficiary'), {
  description: 'A person who holds an account.',
  interfaces: [BeneficiaryInterface],
  fields: (t) => ({
    fullName: t.exposeString('fullName', { nullable: false, description: PERSON_TEXTS.fullName }),
    birthDate: t.exposeString('birthDate', { description: PERSON_TEXTS.birthDate }),
    nationality: t.exposeString('nationality', { description: PERSON_TEXTS.nationality }),
    documentType: t.exposeString('documentType', {
      description: PERSON_TEXTS.documentType,
    }),
    documentNumber: t.exposeString('documentNumber', {
      description: PERSON_TEXTS.documentNumber,
    }),
  }),
})

builder.objectType(builder.objectRef<BusinessBeneficiary>('BusinessBeneficiary'), {
  description: 'A business that holds an account.',
  interfaces: [BeneficiaryInterface],
  fields: (t) => ({
    legalName: t.exposeString('legalName', { nullable: false, description: BUSINESS_TEXTS.legalName }),
    registrationNumber: t.exposeString('registrationNumber', { description: BUSINESS_TEXTS.registrationNumber }),
    taxId: t.exposeString('taxId', { description: BUSINESS_TEXTS.taxId }),
  }),
})
