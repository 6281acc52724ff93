// The details of an account in answers, as one schema with the fields of all types. Tools that write every reference out could not handle a
// schema for each of the 47 types.
import { z } from 'zod'
import { addressSchema } from '#customers/profile/rest-schema.ts'
import { ACCOUNT_TYPES, BANK_ACCOUNT_KINDS, PIX_KEY_TYPES } from './account-info.ts'
import { PAYMENT_RAILS } from './payment-rail.ts'
import { BUSINESS_TEXTS, PERSON_TEXTS } from './texts.ts'
import { DETAILS } from './types/rule.ts'

const person = PERSON_TEXTS
const business = BUSINESS_TEXTS
const text = (meaning: string) => z.string().optional().describe(meaning)
const holder = {
  email: text(person.email),
  phoneNumber: text(person.phoneNumber),
  countryOfResidence: text(person.countryOfResidence),
  address: addressSchema.optional().describe(person.address),
}

const beneficiary = z.discriminatedUnion('beneficiaryType', [
  z
    .object({
      beneficiaryType: z.literal('INDIVIDUAL').describe(person.beneficiaryType),
      fullName: z.string().describe(person.fullName),
      birthDate: text(person.birthDate),
      nationality: text(person.nationality),
      documentType: text(person.documentType),
      documentNumber: text(person.documentNumber),
      ...holder,
    })
    .meta({ id: 'IndividualBeneficiary', description: 'A person who holds an account.' }),
  z
    .object({
      beneficiaryType: z.literal('BUSINESS').describe(business.beneficiaryType),
      legalName: z.string().describe(business.legalName),
      registrationNumber: text(business.registrationNumber),
      taxId: text(business.taxId),
      ...holder,
    })
    .meta({ id: 'BusinessBeneficiary', description: 'A business that holds an account.' }),
])

const ENUMS: Readonly<Record<string, z.ZodType>> = {
  bankAccountType: z.enum(BANK_ACCOUNT_KINDS),
  pixKeyType: z.enum(PIX_KEY_TYPES),
  rail: z.enum(PAYMENT_RAILS),
}

const details: z.ZodRawShape = Object.fromEntries(
  Object.entries(DETAILS).map(([name, text]) => [name, (ENUMS[name] ?? z.string()).optional().describe(text)]),
)

export const accountInfoSchema = z
  .object({
    accountType: z.enum(ACCOUNT_TYPES).describe('Kind of account or wallet.'),
    ...details,
    paymentRails: z.array(z.enum(PAYMENT_RAILS)).optional().describe('Rails that reach the account.'),
    reference: z.string().optional().describe('Code to include with the payment. Only in payment instructions.'),
    beneficiary: beneficiary.optional().describe('The holder of the account. Absent in payment instructions.'),
  })
  .meta({
    id: 'AccountInfo',
    description: 'How to pay into an account or wallet: its type, together with the fields of that type.',
  })
