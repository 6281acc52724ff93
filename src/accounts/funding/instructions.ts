// The ways to pay into an internal account (docs/domain/customers.md#funding-instructions).

import type { PaymentInstructions } from '#accounts/account-info.ts'
import { ACCOUNT_TYPES } from '#accounts/account-info.ts'
import type { InternalAccount } from '#accounts/internal-account.ts'
import { ACCOUNT_TYPE_RULES } from '#accounts/types/table.ts'
import type { Caller } from '#core/caller.ts'
import { deriveSecretKey, mac } from '#core/keys.ts'
import { type DepositNetwork, depositAddress } from './deposit-address.ts'
import { networksOf } from './networks.ts'
import { sandboxAccount } from './sandbox-account.ts'

export type FundedAccount = Pick<InternalAccount, 'id' | 'customerId' | 'type' | 'status' | 'currency'>

/** Empty for an account that is not `ACTIVE`, for a currency that no bank of the service takes, and in production. */
export const fundingInstructionsOf = (
  { environment }: Pick<Caller, 'environment'>,
  account: FundedAccount,
): PaymentInstructions[] => {
  // Production has no bank yet.
  if (environment !== 'SANDBOX' || account.status !== 'ACTIVE') return []
  if (account.type === 'EMBEDDED_WALLET') return [overNetwork(account, 'SPARK')]
  const networks = networksOf(account.currency)
  if (networks.length === 0) return overBank(account)
  // A Lightning invoice asks for one amount, once.
  return networks.flatMap((network) => (network === 'LIGHTNING' ? [] : [overNetwork(account, network)]))
}

const overBank = ({ id, customerId, currency }: FundedAccount): PaymentInstructions[] => {
  const accountType = ACCOUNT_TYPES.find((known) => known === `${currency}_ACCOUNT`)
  const fields = accountType && sandboxAccount(accountType)
  if (!fields) return []
  const isPlatformAccount = customerId === null
  if (!ACCOUNT_TYPE_RULES[accountType].instruction.reference) {
    return [{ accountOrWalletInfo: { accountType, ...fields }, isPlatformAccount }]
  }
  const reference = referenceOf(id)
  return [
    {
      accountOrWalletInfo: { accountType, ...fields, reference },
      instructionsNotes: `Include the reference ${reference} with each payment.`,
      isPlatformAccount,
    },
  ]
}

const overNetwork = ({ id, customerId, currency }: FundedAccount, network: DepositNetwork): PaymentInstructions => ({
  accountOrWalletInfo: { accountType: `${network}_WALLET`, assetType: currency, address: addressFor(network, id) },
  instructionsNotes: `Send ${currency} over this network to this address. It belongs to this account alone.`,
  isPlatformAccount: customerId === null,
})

const referenceKey = deriveSecretKey('funding reference')
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const REFERENCE_LENGTH = 12

/** Always the same for one account, and never the same for two: 60 bits of a MAC. */
const referenceOf = (accountId: string): string =>
  Array.from(mac(referenceKey, accountId).subarray(0, REFERENCE_LENGTH), (byte) => ALPHABET[byte % 32]).join('')

/** Deriving an address takes part of a millisecond, and lists show many of them again and again. */
const addresses = new Map<string, string>()
const MAX_ADDRESSES = 10_000

const addressFor = (network: DepositNetwork, accountId: string): string => {
  const key = `${network} ${accountId}`
  const address = addresses.get(key) ?? depositAddress(network, accountId)
  addresses.delete(key)
  addresses.set(key, address)
  if (addresses.size > MAX_ADDRESSES) addresses.delete(addresses.keys().next().value ?? '')
  return address
}
