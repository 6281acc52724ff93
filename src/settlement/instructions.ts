// How a quote is funded (docs/domain/quotes.md#payment-instructions): by a transfer to an account of the service, or with the signature of
// a wallet's owner.

import { ACCOUNT_TYPES } from '#accounts/account-info.ts'
import type { DepositNetwork } from '#accounts/funding/deposit-address.ts'
import type { FundingNetwork } from '#accounts/funding/networks.ts'
import { ACCOUNT_TYPE_RULES } from '#accounts/types/table.ts'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { canonicalJson } from '#core/json/canonical-json.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import type { Sender } from './parties.ts'
import type { SettlementProvider } from './provider.ts'
import { providerOf } from './providers.ts'

interface Payment {
  readonly quoteId: string
  readonly destinationId: string
  readonly totalSendingAmount: bigint
  readonly totalReceivingAmount: bigint
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Undefined when the money is in an account that needs no signature. 501 `NOT_IMPLEMENTED` for real-time funding without a provider. */
export const instructionsOf = (
  { environment }: Pick<Caller, 'environment'>,
  { account, currency, network }: Sender,
  reference: string | null,
  payment: Payment,
): Prisma.InputJsonValue[] | undefined => {
  const provider = providerOf(environment)
  if (account === null) {
    if (!provider) throw new ApiError('NOT_IMPLEMENTED', 'Real-time funding is not available in production yet')
    return [pushTo(provider, currency, network, reference ?? '', payment)]
  }
  if (account.type !== 'EMBEDDED_WALLET') return undefined
  const signature = { accountType: 'EMBEDDED_WALLET', payloadToSign: payloadOf(account, payment) }
  const alternatives = provider?.walletAlternatives(account) ?? []
  return [signature, ...alternatives].map((accountOrWalletInfo) => ({ accountOrWalletInfo }))
}

const pushTo = (
  provider: SettlementProvider,
  currency: string,
  network: FundingNetwork | null,
  reference: string,
  payment: Payment,
) => {
  if (network === null) return toBank(provider, currency, reference)
  if (network === 'LIGHTNING') return overLightning(provider, payment)
  const address = provider.depositAddress(network, payment.quoteId)
  return onChain(network, { assetType: currency, address })
}

/** 400 `INVALID_CURRENCY` when the provider offers no account for this currency. */
const toBank = (provider: SettlementProvider, currency: string, reference: string) => {
  const accountType = ACCOUNT_TYPES.find((known) => known === `${currency}_ACCOUNT`)
  const account = accountType && provider.fundingAccount(accountType)
  if (!account) {
    throw new ApiError('INVALID_CURRENCY', 'This currency cannot be funded in real time', { field: 'source.currency' })
  }
  if (!ACCOUNT_TYPE_RULES[accountType].instruction.reference) {
    return { accountOrWalletInfo: { accountType, ...account }, isPlatformAccount: true }
  }
  return {
    accountOrWalletInfo: { accountType, ...account, reference },
    instructionsNotes: `Include the reference ${reference} with the payment.`,
    isPlatformAccount: true,
  }
}

/** The address belongs to this quote alone, so it identifies the payment. */
const onChain = (network: DepositNetwork, wallet: { readonly assetType: string; readonly address: string }) => ({
  accountOrWalletInfo: { accountType: `${network}_WALLET`, ...wallet },
  instructionsNotes: `Send ${wallet.assetType} over this network to this address. It is for this quote alone.`,
  isPlatformAccount: true,
})

const overLightning = (provider: SettlementProvider, { totalSendingAmount, ...payment }: Payment) => ({
  accountOrWalletInfo: {
    accountType: 'LIGHTNING',
    invoice: provider.lightningInvoice({ ...payment, satoshis: totalSendingAmount }),
  },
  instructionsNotes: 'Pay this invoice over Lightning before it expires.',
  isPlatformAccount: true,
})

/** What the owner's device signs. Executing the quote then needs only that signature (docs/domain/credentials.md#activities). */
const payloadOf = ({ id: accountId }: { readonly id: string }, payment: Payment): string => {
  const { quoteId, destinationId, totalSendingAmount, totalReceivingAmount, expiresAt } = payment
  const transaction = canonicalJson({
    quoteId,
    sourceId: accountId,
    destinationId,
    totalSendingAmount: Number(totalSendingAmount),
    totalReceivingAmount: Number(totalReceivingAmount),
    expiresAt: expiresAt.toISOString(),
  })
  return canonicalJson({
    organizationId: accountId,
    parameters: {
      signWith: accountId,
      type: 'TRANSACTION_TYPE_SPARK',
      unsignedTransaction: Buffer.from(transaction, 'utf8').toString('hex'),
    },
    requestId: quoteId,
    timestampMs: String(Date.now()),
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
  })
}
