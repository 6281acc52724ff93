// Accounts as the specification writes them. A field without a value is absent (undefined).
import type { Caller } from '#core/caller.ts'
import { currencyOf } from '#core/codes/currencies.ts'
import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import { accountInfoOf, type ExternalAccount } from './external-account.ts'
import { fundingInstructionsOf } from './funding/instructions.ts'
import type { InternalAccount } from './internal-account.ts'
import type { externalAccountSchema, internalAccountSchema } from './rest-schema.ts'

export const internalAccountBody = (
  caller: Pick<Caller, 'environment'>,
  account: InternalAccount,
): BodyOf<typeof internalAccountSchema> => ({
  id: publicId('InternalAccount', account.id),
  customerId: account.customerId === null ? undefined : publicId('Customer', account.customerId),
  type: account.type,
  status: account.status,
  balance: amountBody(account.balance, account.currency),
  totalBalance: amountBody(account.totalBalance, account.currency),
  fundingPaymentInstructions: fundingInstructionsOf(caller, account),
  privateEnabled: account.privateEnabled ?? undefined,
  createdAt: account.createdAt,
  updatedAt: account.updatedAt,
})

export const externalAccountBody = (account: ExternalAccount): BodyOf<typeof externalAccountSchema> => ({
  id: publicId('ExternalAccount', account.id),
  customerId: account.customerId === null ? undefined : publicId('Customer', account.customerId),
  status: account.status,
  currency: account.currency,
  platformAccountId: account.platformAccountId ?? undefined,
  defaultUmaDepositAccount: account.defaultUmaDepositAccount,
  ownershipType: account.ownershipType,
  beneficiaryVerificationStatus: account.beneficiaryVerificationStatus ?? undefined,
  beneficiaryVerifiedData:
    account.beneficiaryVerifiedName === null ? undefined : { fullName: account.beneficiaryVerifiedName },
  accountInfo: accountInfoOf(account),
})

/** Exact: the database keeps amounts within ±2^53. */
const amountBody = (amount: bigint, currency: string) => ({ amount: Number(amount), currency: currencyOf(currency) })
