// The owners of transactions: each approved customer, and the platform itself.
import { activeCurrenciesOf, PLATFORM, PLATFORM_CURRENCIES } from './accounts.ts'
import type { Dice } from './dice.ts'
import type { Payee } from './external-accounts.ts'
import { customerId, isInScaRegion, type Person, umaAddress } from './people.ts'
import { type CurrencyCode, worth } from './rates.ts'
import type { World } from './world.ts'

export type Owner = {
  key: string
  name: string
  /** The two customer columns of a transaction. Null for the platform. */
  customer: { customerId: string | null; platformCustomerId: string | null }
  umaAddress: string | null
  country: string
  isBusiness: boolean
  needsSca: boolean
  currencies: readonly CurrencyCode[]
  payees: readonly Payee[]
  agentId: string | null
  weight: number
}

export const ownersOf = (
  world: World,
  people: readonly Person[],
  payees: ReadonlyMap<string, readonly Payee[]>,
  agents: ReadonlyMap<string, string>,
): Owner[] => [
  ...people
    .filter((person) => activeCurrenciesOf(person).length > 0)
    .map((person) => ({
      key: person.key,
      name: person.name,
      customer: { customerId: customerId(world, person.key), platformCustomerId: person.key },
      umaAddress: umaAddress(world, person),
      country: person.region,
      isBusiness: person.type === 'BUSINESS',
      needsSca: isInScaRegion(person),
      currencies: activeCurrenciesOf(person),
      payees: payees.get(person.key) ?? [],
      agentId: agents.get(person.key) ?? null,
      weight: person.key === 'ada-lovelace' ? 4 : 1,
    })),
  {
    key: PLATFORM,
    name: 'Paygraph Demo',
    customer: { customerId: null, platformCustomerId: null },
    umaAddress: null,
    country: 'US',
    isBusiness: true,
    needsSca: false,
    currencies: PLATFORM_CURRENCIES,
    payees: payees.get(PLATFORM) ?? [],
    agentId: null,
    weight: 1,
  },
]

/** People send round amounts, while invoices have odd ones. */
export const amountFor = (dice: Dice, owner: Owner, currency: CurrencyCode): bigint => {
  if (owner.isBusiness) return worth(dice.int(12_000, 1_900_000), currency)
  const cents = dice.chance(60) ? dice.pick([20, 50, 75, 100, 120, 250, 400]) * 100 : dice.int(900, 90_000)
  return worth(cents, currency)
}
