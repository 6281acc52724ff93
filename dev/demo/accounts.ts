import type { InternalAccountStatus } from '#generated/prisma/client.ts'
import { Dice } from './dice.ts'
import type { Funds } from './ledger.ts'
import { customerId, type Person } from './people.ts'
import { type CurrencyCode, worth } from './rates.ts'
import { DAY, type World } from './world.ts'

export const internalAccountId = (world: World, owner: string, currency: CurrencyCode) =>
  world.id(`internal-account/${owner}/${currency}`)

/** The owner name that stands for the platform's own accounts. */
export const PLATFORM = 'platform'
export const PLATFORM_CURRENCIES: readonly CurrencyCode[] = ['USD', 'EUR', 'USDC', 'BTC']

const CRYPTO: readonly CurrencyCode[] = ['BTC', 'USDC', 'USDT']

/** Accounts with a status other than active. */
const STATUS: Readonly<Record<string, InternalAccountStatus>> = {
  'lotus-health/USD': 'PENDING',
  'casa-verde/USD': 'FAILED',
  'liam-oconnor/GBP': 'CLOSED',
}

const statusOf = (person: Person, currency: CurrencyCode): InternalAccountStatus => {
  if (person.isDeleted) return 'CLOSED'
  if (person.status === 'HOLD') return 'FROZEN'
  return STATUS[`${person.key}/${currency}`] ?? 'ACTIVE'
}

/** Customers get accounts when they are approved. A customer on hold was approved before. */
const currenciesOf = ({ status, currencies }: Person): readonly CurrencyCode[] => {
  if (status === 'APPROVED') return [...currencies, 'USDB']
  return status === 'HOLD' ? currencies : []
}

export const activeCurrenciesOf = (person: Person) =>
  currenciesOf(person).filter((currency) => statusOf(person, currency) === 'ACTIVE')

/** Adds the accounts and returns the target balance of each, by id. */
export const addInternalAccounts = (world: World, people: readonly Person[]): ReadonlyMap<string, Funds> =>
  new Map([
    ...people.flatMap((person) =>
      currenciesOf(person).map((currency) =>
        addInternalAccount(world, person.key, customerId(world, person.key), currency, statusOf(person, currency)),
      ),
    ),
    ...PLATFORM_CURRENCIES.map((currency) => addInternalAccount(world, PLATFORM, null, currency, 'ACTIVE')),
  ])

const addInternalAccount = (
  world: World,
  owner: string,
  ownerId: string | null,
  currency: CurrencyCode,
  status: InternalAccountStatus,
): [id: string, funds: Funds] => {
  const id = internalAccountId(world, owner, currency)
  const dice = new Dice(`${world.platform}/internal-account/${owner}/${currency}`)
  const isWallet = currency === 'USDB'
  const hasMoney = status === 'ACTIVE' || status === 'FROZEN'
  const spendable = hasMoney ? worth(dice.int(2_500, ownerId ? 1_500_000 : 90_000_000), currency) : 0n
  const held = hasMoney && dice.chance(40) ? worth(dice.int(500, 60_000), currency) : 0n
  world.rows.internalAccounts.push({
    platformId: world.platformId,
    id,
    customerId: ownerId,
    type: isWallet ? 'EMBEDDED_WALLET' : CRYPTO.includes(currency) ? 'INTERNAL_CRYPTO' : 'INTERNAL_FIAT',
    status,
    currency,
    privateEnabled: isWallet ? dice.chance(50) : null,
    createdAt: world.ago(dice.int(121, 129) * DAY + dice.int(0, DAY)),
    updatedAt: world.ago(dice.int(60, 3 * DAY)),
  })
  return [id, { spendable, held }]
}
