// The ways in which money of each currency arrives: the rails of bank and mobile money accounts, and the networks of wallets.
import type { AccountType } from '#accounts/account-info.ts'
import { CRYPTO_NETWORKS } from '#accounts/funding/networks.ts'
import { PAYMENT_RAILS, type PaymentRail } from '#accounts/payment-rail.ts'
import { ACCOUNT_TYPE_RULES, ADDABLE_TYPES } from '#accounts/types/table.ts'
import { CURRENCIES } from '#core/codes/currencies.ts'

export const CORRIDOR_RAILS = [...PAYMENT_RAILS, ...CRYPTO_NETWORKS] as const
export type CorridorRail = (typeof CORRIDOR_RAILS)[number]

type Network = (typeof CRYPTO_NETWORKS)[number]

/** A wallet has no rail. Its network is the start of the name of its type. */
export const networkOf = (type: AccountType): Network | undefined =>
  CRYPTO_NETWORKS.find((network) => type === network || type === `${network}_WALLET`)

const arriveOn = (type: AccountType): readonly CorridorRail[] => {
  const network = networkOf(type)
  return network ? [network] : (ACCOUNT_TYPE_RULES[type].rails satisfies readonly PaymentRail[])
}

/** Tokens are held by wallets only. */
const TOKENS: ReadonlySet<string> = new Set(
  ADDABLE_TYPES.filter(networkOf).flatMap((type) => ACCOUNT_TYPE_RULES[type].currencies),
)

const admits = (type: AccountType, currency: string) => {
  const { currencies } = ACCOUNT_TYPE_RULES[type]
  return currencies.length === 0 ? !TOKENS.has(currency) : currencies.includes(currency)
}

const RAILS: ReadonlyMap<string, readonly CorridorRail[]> = new Map(
  [...CURRENCIES.keys()].map((currency) => [
    currency,
    [...new Set(ADDABLE_TYPES.filter((type) => admits(type, currency)).flatMap(arriveOn))],
  ]),
)

/** Each rail once, in the order of the account types. */
export const railsTo = (currency: string): readonly CorridorRail[] => RAILS.get(currency) ?? []
