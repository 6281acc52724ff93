// The sandbox: simulated payments, whose outcomes depend on magic values (docs/domain/sandbox.md#simulated-payments).

import type { PlatformId } from '#core/ids.ts'
import type { InternalAccount } from '#generated/prisma/client.ts'
import { depositAddress } from '#settlement/deposit-address.ts'
import { lightningInvoice } from '#settlement/lightning-invoice.ts'
import { completeRefund } from '#settlement/payment-outcomes.ts'
import type { SettlementProvider } from '#settlement/provider.ts'
import { SANDBOX_ACCOUNTS } from './accounts.ts'
import { advancePayment, scheduleEvents } from './events.ts'

export const sandboxProvider: SettlementProvider = {
  carry: scheduleEvents,
  resume: ({ platformId, id: transactionId }) => advancePayment.run({ platformId, transactionId, event: 0 }),
  resumeRefund: ({ platformId, id }) => completeRefund(platformId as PlatformId, id),
  fundingAccount: (accountType) => SANDBOX_ACCOUNTS[accountType],
  depositAddress,
  lightningInvoice,
  walletAlternatives: (wallet) => [sparkWallet(wallet)],
}

/** A push over Spark to an address of the wallet. */
const sparkWallet = ({ id, currency }: InternalAccount) => ({
  accountType: 'SPARK_WALLET',
  assetType: currency,
  address: depositAddress('SPARK', id),
})
