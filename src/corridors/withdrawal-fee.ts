// What a withdrawal to a wallet would cost (docs/domain/corridors.md#withdrawal-fees).
import { z } from 'zod'
import type { AccountType } from '#accounts/account-info.ts'
import { CRYPTO_NETWORKS, type FundingNetwork } from '#accounts/funding/networks.ts'
import { parseAccountInfo } from '#accounts/types/account-input.ts'
import { ACCOUNT_TYPE_RULES, ADDABLE_TYPES } from '#accounts/types/table.ts'
import { type Caller, type PlatformCaller, requirePermission, requirePlatform } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { partsOfId } from '#core/ids.ts'
import { amountOf, currencyCode, idOf, labelOf, parse, textOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { requireKnownCurrency } from '#platforms/settings/currencies.ts'
import { convertUp, isSameValue } from '#quotes/rates/rate.ts'
import { currentRates } from '#quotes/rates/rate-table.ts'
import { findInternalAccount } from '#settlement/parties.ts'
import { providerOf } from '#settlement/providers.ts'
import { networkOf } from './rails.ts'

/** The longest text that fits in a QR code, as for Lightning invoices. */
const LONGEST_ADDRESS = 7_089

export const withdrawalRequest = z.object({
  internalAccountId: idOf('InternalAccount').describe('`InternalAccount:<uuid>` to withdraw from.'),
  currency: currencyCode.describe('Code of the currency of the account.'),
  cryptoNetwork: labelOf(CRYPTO_NETWORKS).describe('The network of the destination.'),
  amount: amountOf(1n, MAX_AMOUNT).describe('The amount that leaves the account, in the smallest unit of `currency`.'),
  destinationAddress: textOf(LONGEST_ADDRESS).describe(
    'Address of the wallet. On Lightning an invoice, an offer or a Lightning address.',
  ),
})

/** Amounts are in the smallest unit of the withdrawn currency. */
export interface WithdrawalFee {
  readonly networkFee: bigint
  /** Code of the currency in which the network takes its fee. */
  readonly networkFeeAsset: string
  readonly applicationFee: bigint
  readonly totalFee: bigint
  readonly netAmount: bigint
}

export const WITHDRAWAL_FEE_TEXTS = {
  networkFee: "The network's fee, in the smallest unit of `networkFeeAsset`.",
  networkFeeAsset: 'Code of the currency of the network fee: the withdrawn one.',
  applicationFee:
    'The fee of the service and the platform, as in a quote, in the smallest unit of the withdrawn currency.',
  totalFee: 'Both fees together, in the smallest unit of the withdrawn currency.',
  netAmount: 'The amount that arrives, in the smallest unit of the withdrawn currency.',
} as const

/**
 * Needs the permission VIEW, and moves nothing. Throws 404 `REFERENCE_NOT_FOUND` for an unknown account, 403 `USER_NOT_READY` for one that is
 * not active, 400 `INVALID_CURRENCY` for a currency other than that of the account, 400 `INVALID_INPUT` for a network that does not carry it and
 * for a malformed address, 400 `INVALID_AMOUNT` if nothing would arrive, and 501 `NOT_IMPLEMENTED` without a provider.
 */
export const estimateWithdrawalFee = async (caller: Caller, input: unknown): Promise<WithdrawalFee> => {
  const platform = requirePlatform(caller)
  requirePermission(platform, 'VIEW')
  const { internalAccountId, currency, cryptoNetwork, amount, destinationAddress } = parse(withdrawalRequest, input)
  requireKnownCurrency(currency, 'currency')
  const account = await findInternalAccount(platform, partsOfId(internalAccountId).uuid)
  if (account.currency !== currency) {
    throw new ApiError('INVALID_CURRENCY', `The account is in ${account.currency}`, { field: 'currency' })
  }
  requireAddress(platform, requireWallet(cryptoNetwork, currency), destinationAddress)
  const provider = providerOf(platform.environment)
  if (!provider) throw new ApiError('NOT_IMPLEMENTED', 'Withdrawals are not available in production yet')
  const rates = isSameValue(currency, 'USD') ? {} : (await currentRates(platform.environment)).rates
  const networkFee = provider.networkFee(cryptoNetwork, amount, (cents) => convertUp(rates, cents, 'USD', currency))
  if (networkFee >= amount) {
    throw new ApiError('INVALID_AMOUNT', 'The amount is too small: nothing would arrive', { field: 'amount' })
  }
  // A quote within one currency has no fee of the service or of the platform.
  const fees = { networkFee, networkFeeAsset: currency, applicationFee: 0n, totalFee: networkFee }
  return { ...fees, netAmount: amount - networkFee }
}

/** The type of the wallets on the network that hold the currency. */
const requireWallet = (network: FundingNetwork, currency: string): AccountType => {
  const carrying = ADDABLE_TYPES.filter(
    (type) => networkOf(type) && ACCOUNT_TYPE_RULES[type].currencies.includes(currency),
  )
  const wallet = carrying.find((type) => networkOf(type) === network)
  if (wallet) return wallet
  throw invalidInput('cryptoNetwork', `${network} does not carry ${currency}`, {
    enum: carrying.flatMap((type) => networkOf(type) ?? []),
  })
}

const OFFER = /^lno1/i

const detailOfAddress = (type: AccountType, address: string) => {
  if (type !== 'LIGHTNING') return { address }
  if (address.includes('@')) return { lightningAddress: address }
  return OFFER.test(address) ? { bolt12: address } : { invoice: address }
}

const requireAddress = ({ environment }: PlatformCaller, accountType: AccountType, address: string): void => {
  try {
    parseAccountInfo(accountType, environment, { accountType, ...detailOfAddress(accountType, address) })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalidInput('destinationAddress', `destinationAddress is not an address of ${networkOf(accountType)}`)
  }
}
