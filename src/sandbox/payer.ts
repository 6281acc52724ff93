// The payer of pushed money in the sandbox: an external bank account or address.
import type { BlockchainNetwork } from '#generated/prisma/client.ts'
import type { Funding } from '#settlement/arrivals/funding.ts'
import { newReference } from '#settlement/reference.ts'
import { NETWORK_OF_WALLET } from '#settlement/sandbox/payout.ts'

/** The network of a pushed token if no quote names one. */
const NETWORKS: Readonly<Record<string, BlockchainNetwork>> = {
  BTC: 'BITCOIN',
  USDC: 'BASE',
  USDT: 'TRON',
  USDB: 'SPARK',
}

// Lightning payments are not recorded on a blockchain.
const ADDRESS_TYPES: Readonly<Record<string, BlockchainNetwork | null>> = { ...NETWORK_OF_WALLET, LIGHTNING: null }

interface Push {
  readonly currency: string
  /** Simulates the hash of a transaction on a blockchain. */
  readonly hash: string
  readonly reference?: string | undefined
  /** The type of the account that the money is pushed to. */
  readonly accountType?: string | undefined
}

/** Describes the source of pushed money. */
export const payerOfSandbox = ({
  currency,
  hash,
  reference = newReference(),
  accountType = '',
}: Push): Pick<Funding, 'details' | 'onChain'> => {
  const network = accountType in ADDRESS_TYPES ? ADDRESS_TYPES[accountType] : NETWORKS[currency]
  if (network) return { details: null, onChain: { transactionHash: hash, network } }
  if (network === null) return { details: null, onChain: null }
  return {
    details: {
      accountHolderName: 'Sandbox Payer',
      accountIdentifier: '****6789',
      bankName: 'Sandbox Bank',
      remittanceInformation: reference,
    },
    onChain: null,
  }
}
