import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { currencyAmountSchema, currencyCodeSchema, listSchema, pageSchema, timeSchema } from '#rest/schema.ts'
import { ACCOUNT_TYPES } from './account-info.ts'
import { BENEFICIARY_VERIFICATION_STATUSES, EXTERNAL_ACCOUNT_STATUSES } from './external-account.ts'
import { INTERNAL_ACCOUNT_STATUSES, INTERNAL_ACCOUNT_TYPES } from './internal-account.ts'
import { PAYMENT_RAILS } from './payment-rail.ts'

export const paymentRailSchema = z
  .enum(PAYMENT_RAILS)
  .meta({ id: 'PaymentRail', description: 'The network that money travels on.' })

const accountInfoSchema = z
  .looseObject({ accountType: z.enum(ACCOUNT_TYPES).describe('Which kind of account or wallet.') })
  .meta({
    id: 'AccountInfo',
    description: 'How to pay into an account or wallet: its type, and the fields of that type beside it.',
  })

export const paymentInstructionsSchema = z
  .object({
    accountOrWalletInfo: accountInfoSchema.describe('Where to pay.'),
    instructionsNotes: z.string().optional().describe('For people.'),
    isPlatformAccount: z.boolean().optional().describe('Whether the account is the platform’s, not the customer’s.'),
  })
  .meta({ id: 'PaymentInstructions', description: 'Where to send money to.' })

const owner = idOf('Customer').optional().describe('Absent for an account of the platform itself.')

export const internalAccountSchema = z
  .object({
    id: idOf('InternalAccount'),
    customerId: owner,
    type: z.enum(INTERNAL_ACCOUNT_TYPES).describe('EMBEDDED_WALLET has credentials, with which its owner signs.'),
    status: z.enum(INTERNAL_ACCOUNT_STATUSES).describe('Only ACTIVE moves money.'),
    balance: currencyAmountSchema.describe('What can be spent.'),
    totalBalance: currencyAmountSchema.describe('With what is pending or held.'),
    fundingPaymentInstructions: z.array(paymentInstructionsSchema).describe('The ways to pay into it.'),
    privateEnabled: z.boolean().optional().describe('Only of wallets: whether it is hidden from others.'),
    createdAt: timeSchema('When it was opened.'),
    updatedAt: timeSchema('When it last changed.'),
  })
  .meta({ id: 'InternalAccount', description: 'An account held here.' })

export const externalAccountSchema = z
  .object({
    id: idOf('ExternalAccount'),
    customerId: owner,
    status: z.enum(EXTERNAL_ACCOUNT_STATUSES).describe('Only ACTIVE can be paid.'),
    currency: currencyCodeSchema,
    platformAccountId: z.string().optional().describe('The platform’s own name for it.'),
    defaultUmaDepositAccount: z.boolean().describe('Whether UMA payments to the customer go there.'),
    beneficiaryVerificationStatus: z
      .enum(BENEFICIARY_VERIFICATION_STATUSES)
      .optional()
      .describe('Whether the name that was given is the holder’s.'),
    beneficiaryVerifiedData: z
      .object({ fullName: z.string().describe('Name of the holder.') })
      .optional()
      .describe('What the bank has of the holder.'),
    accountInfo: accountInfoSchema.describe('Number, bank, address: what the account type has.'),
  })
  .meta({ id: 'ExternalAccount', description: 'An account with a bank, or a wallet, outside.' })

export const internalAccountPageSchema = pageSchema('InternalAccountPage', internalAccountSchema)
export const externalAccountPageSchema = pageSchema('ExternalAccountPage', externalAccountSchema)
export const internalAccountListSchema = listSchema('InternalAccountList', internalAccountSchema)
