import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { currencyAmountSchema, currencyCodeSchema, listSchema, pageSchema, timeSchema } from '#rest/schema.ts'
import {
  BENEFICIARY_VERIFICATION_STATUSES,
  EXTERNAL_ACCOUNT_STATUSES,
  ExternalAccountRecord,
  OWNERSHIP_TYPES,
} from './external-account.ts'
import { INTERNAL_ACCOUNT_STATUSES, INTERNAL_ACCOUNT_TYPES, InternalAccountRecord } from './internal-account.ts'
import { PAYMENT_RAILS } from './payment-rail.ts'
import { accountInfoSchema } from './rest-account-info.ts'
import { ACCOUNT_TEXTS, INSTRUCTIONS_TEXTS } from './texts.ts'

const internal = InternalAccountRecord.texts
const external = ExternalAccountRecord.texts

export const paymentRailSchema = z.enum(PAYMENT_RAILS)

export const paymentInstructionsSchema = z
  .object({
    accountOrWalletInfo: accountInfoSchema.describe(INSTRUCTIONS_TEXTS.accountOrWalletInfo),
    instructionsNotes: z.string().optional().describe(INSTRUCTIONS_TEXTS.instructionsNotes),
    isPlatformAccount: z.boolean().optional().describe(INSTRUCTIONS_TEXTS.isPlatformAccount),
  })
  .meta({ id: 'PaymentInstructions', description: 'How to pay into an account or wallet.' })

const owner = idOf('Customer').optional().describe(ACCOUNT_TEXTS.customerId)

export const internalAccountSchema = z
  .object({
    id: idOf('InternalAccount').describe(internal.id),
    customerId: owner,
    type: z.enum(INTERNAL_ACCOUNT_TYPES).describe(internal.type),
    status: z.enum(INTERNAL_ACCOUNT_STATUSES).describe(internal.status),
    balance: currencyAmountSchema.describe(internal.balance),
    totalBalance: currencyAmountSchema.describe(internal.totalBalance),
    fundingPaymentInstructions: z.array(paymentInstructionsSchema).describe(ACCOUNT_TEXTS.fundingPaymentInstructions),
    privateEnabled: z.boolean().optional().describe(internal.privateEnabled),
    createdAt: timeSchema(internal.createdAt),
    updatedAt: timeSchema(internal.updatedAt),
  })
  .meta({ id: 'InternalAccount', description: 'An account held by the service.' })

export const externalAccountSchema = z
  .object({
    id: idOf('ExternalAccount').describe(external.id),
    customerId: owner,
    status: z.enum(EXTERNAL_ACCOUNT_STATUSES).describe(external.status),
    currency: currencyCodeSchema.describe(external.currency),
    platformAccountId: z.string().optional().describe(external.platformAccountId),
    defaultUmaDepositAccount: z.boolean().describe(external.defaultUmaDepositAccount),
    ownershipType: z.enum(OWNERSHIP_TYPES).describe(external.ownershipType),
    beneficiaryVerificationStatus: z
      .enum(BENEFICIARY_VERIFICATION_STATUSES)
      .optional()
      .describe(external.beneficiaryVerificationStatus),
    beneficiaryVerifiedData: z
      .object({ fullName: z.string().describe('Name of the holder.') })
      .optional()
      .describe(ACCOUNT_TEXTS.beneficiaryVerifiedData),
    accountInfo: accountInfoSchema.describe(external.accountInfo),
  })
  .meta({ id: 'ExternalAccount', description: 'A bank account or wallet outside the service.' })

export const internalAccountPageSchema = pageSchema('InternalAccountPage', internalAccountSchema)
export const externalAccountPageSchema = pageSchema('ExternalAccountPage', externalAccountSchema)
export const internalAccountListSchema = listSchema('InternalAccountList', internalAccountSchema)
