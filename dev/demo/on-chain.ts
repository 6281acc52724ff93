// Transaction hashes in the format of each blockchain network.
import type { BlockchainNetwork } from '#generated/prisma/client.ts'
import type { Dice } from './dice.ts'

const EVM_NETWORKS: readonly BlockchainNetwork[] = ['ETHEREUM', 'BASE', 'POLYGON']

/** On Solana, a transaction is identified by its signature. */
export const transactionHash = (dice: Dice, network: BlockchainNetwork): string => {
  if (network === 'SOLANA') return dice.base58(88)
  return EVM_NETWORKS.includes(network) ? `0x${dice.hex(64)}` : dice.hex(64)
}
