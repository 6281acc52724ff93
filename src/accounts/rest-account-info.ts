// The details of an account in answers, as one schema with the fields of all types. Tools that write every reference out could not handle a
// schema for each of the 47 types.
import { z } from 'zod'
import { addressSchema } from '#customers/profile/rest-schema.ts'
import { discriminator } from '#rest/schema.ts'
import { ACCOUNT_TYPES, BANK_ACCOUNT_KINDS, PIX_KEY_TYPES, pascalCase } from './account-info.ts'
import { PAYMENT_RAILS } from './payment-rail.ts'
import { beneficiaryFieldsOf } from './types/beneficiary.ts'
import { type BeneficiaryType, DETAILS } from './types/rule.ts'

/** Only accounts of some types have these. */
const RARE = { individual: { optional: ['documentType', 'documentNumber'] } } as const

const holder = (type: BeneficiaryType, description: string) =>
  z
    .object({
      beneficiaryType: discriminator(type),
      ...Object.fromEntries(
        beneficiaryFieldsOf(RARE, type).map(([name, { label, required }]) => [
          name,
          (required ? z.string() : z.string().optional()).describe(`${label}.`),
        ]),
      ),
      address: addressSchema.optional().describe('Postal address.'),
    })
    .meta({ id: `${pascalCase(type)}Beneficiary`, description })

const beneficiary = z.discriminatedUnion('beneficiaryType', [
  holder('INDIVIDUAL', 'A person who holds an account.'),
  holder('BUSINESS', 'A business that holds an account.'),
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
