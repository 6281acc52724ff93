// Payouts on blockchains, simulated.
import { createHash } from 'node:crypto'
import type { DepositNetwork } from '#accounts/funding/deposit-address.ts'
import type { ExternalAccount, Transaction } from '#generated/prisma/client.ts'
import type { OnChain } from '#settlement/payment-outcomes.ts'

/** By the type of the account. */
export const NETWORK_OF_WALLET: Readonly<Record<string, DepositNetwork>> = {
  SOLANA_WALLET: 'SOLANA',
  TRON_WALLET: 'TRON',
  POLYGON_WALLET: 'POLYGON',
  BASE_WALLET: 'BASE',
  ETHEREUM_WALLET: 'ETHEREUM',
  SPARK_WALLET: 'SPARK',
}

/** What pays the external account of the payment. Undefined unless it is a wallet on a blockchain. The hash is always the same for one payment. */
export const payoutOf = (
  { id, destinationExternalAccountId: paidId }: Transaction,
  account: ExternalAccount | null,
): OnChain | undefined => {
  const network = account?.id === paidId ? NETWORK_OF_WALLET[account?.accountType ?? ''] : undefined
  return network && { transactionHash: createHash('sha256').update(id).digest('hex'), network }
}
