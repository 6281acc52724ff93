// The sandbox: simulated payments, whose outcomes depend on magic values (docs/domain/sandbox.md#simulated-payments).

import { depositAddress } from '#accounts/funding/deposit-address.ts'
import type { FundingNetwork } from '#accounts/funding/networks.ts'
import { sandboxAccount } from '#accounts/funding/sandbox-account.ts'
import type { PlatformId } from '#core/ids.ts'
import type { InternalAccount } from '#generated/prisma/client.ts'
import { lightningInvoice } from '#settlement/lightning-invoice.ts'
import { completeRefund } from '#settlement/payment-outcomes.ts'
import type { SettlementProvider } from '#settlement/provider.ts'
import { advancePayment, scheduleRefund, schedulingEvent } from './events.ts'
import { scenarioFor } from './scenario.ts'

export const sandboxProvider: SettlementProvider = {
  carrying: (payment, accountInfo) => schedulingEvent(payment, scenarioFor(payment, accountInfo), 0),
  refund: scheduleRefund,
  resume: ({ platformId, id: transactionId }) => advancePayment.run({ platformId, transactionId, event: 0 }),
  resumeRefund: ({ platformId, id }) => completeRefund(platformId as PlatformId, id),
  fundingAccount: sandboxAccount,
  depositAddress,
  lightningInvoice,
  networkFee: (network, amount, ofCents) =>
    network === 'LIGHTNING' ? ceil(amount, LIGHTNING_SHARE) : ofCents(NETWORK_CENTS[network]),
  walletAlternatives: (wallet) => [sparkWallet(wallet)],
}

/** A typical fee of each network in US cents. Spark takes none. */
const NETWORK_CENTS: Readonly<Record<Exclude<FundingNetwork, 'LIGHTNING'>, bigint>> = {
  SOLANA: 1n,
  TRON: 150n,
  POLYGON: 1n,
  BASE: 1n,
  ETHEREUM: 250n,
  SPARK: 0n,
}

/** Routing takes a thousandth of the amount. */
const LIGHTNING_SHARE = 1_000n

const ceil = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator

/** A push over Spark to an address of the wallet. */
const sparkWallet = ({ id, currency }: Pick<InternalAccount, 'id' | 'currency'>) => ({
  accountType: 'SPARK_WALLET',
  assetType: currency,
  address: depositAddress('SPARK', id),
})
