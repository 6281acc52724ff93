// The networks over which money is pushed to the service.

export const CRYPTO_NETWORKS = ['SOLANA', 'TRON', 'POLYGON', 'BASE', 'ETHEREUM', 'LIGHTNING', 'SPARK'] as const
export type FundingNetwork = (typeof CRYPTO_NETWORKS)[number]

/** What each network carries (docs/domain/account-types.md#payment-instructions). */
const CURRENCIES_ON: Readonly<Record<FundingNetwork, readonly string[]>> = {
  SOLANA: ['USDC', 'USDT'],
  TRON: ['USDT'],
  POLYGON: ['USDC'],
  BASE: ['USDC'],
  ETHEREUM: ['USDC'],
  LIGHTNING: ['BTC'],
  SPARK: ['BTC'],
}

/** The networks that carry the currency. Empty for a currency of banks. */
export const networksOf = (currency: string): readonly FundingNetwork[] =>
  CRYPTO_NETWORKS.filter((network) => CURRENCIES_ON[network].includes(currency))
