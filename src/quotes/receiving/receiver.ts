// The customers of a platform whom other institutions can pay, and the currencies that they accept (docs/domain/uma.md#receiving).
import type { Environment } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { Customer } from '#generated/prisma/client.ts'
import { findCurrencies, type PlatformCurrency } from '#platforms/settings/currencies.ts'
import { hasRate, msatsPerUnit, type RateTable } from '#quotes/rates/rate.ts'
import { currentRates } from '#quotes/rates/rate-table.ts'
import { providerOf } from '#settlement/providers.ts'
import type { AskedField } from '#uma/names.ts'

/** The limit keeps amounts small enough for exact arithmetic in a double. */
const MOST_MSATS = 9e15

/** Where the money arrives: in an internal account, or outside. */
export interface Deposit {
  readonly currency: string
  readonly destinationInternalAccountId: string | null
  readonly destinationExternalAccountId: string | null
}

export interface Taken {
  readonly deposit: Deposit
  readonly multiplier: number
  /** In the smallest unit of the deposit's currency. */
  readonly min: number
  readonly max: number
}

export interface Payable {
  readonly customer: Customer
  readonly taken: readonly Taken[]
  /** What the platform requires about the payer, in any of the currencies. */
  readonly payerData: readonly AskedField[]
}

/** Undefined for an unknown address, and for a customer who cannot receive anything at the moment. */
export const findPayable = async (platformId: PlatformId, address: string): Promise<Payable | undefined> => {
  const [row] = await db.$queryRaw<{ id: string }[]>`
    select id from customers
    where platform_id = ${platformId}::uuid and lower(uma_address) = ${address} and not is_deleted`
  return row && payable(platformId, row.id)
}

export const payable = async (platformId: PlatformId, customerId: string): Promise<Payable | undefined> => {
  const customer = await db.customer.findUnique({ where: { platformId_id: { platformId, id: customerId } } })
  if (!customer || customer.isDeleted || customer.verificationStatus !== 'APPROVED') return undefined
  const supported = await findCurrencies({ platformId })
  const { environment } = await db.platform.findUniqueOrThrow({
    where: { id: platformId },
    select: { environment: true },
  })
  const { rates } = await currentRates(environment)
  const deposits = await depositsOf(platformId, environment, customerId)
  const taken = deposits
    .filter(({ currency }, index) => deposits.findIndex((other) => other.currency === currency) === index)
    .flatMap((deposit) => takenBy(rates, deposit, supported) ?? [])
  return taken.length === 0 ? undefined : { customer, taken, payerData: askedBy(taken, supported) }
}

/**
 * The customer's default account for UMA payments comes first, if the environment has a provider that can pay it out. Then come the
 * customer's internal accounts.
 */
export const depositsOf = async (
  platformId: PlatformId,
  environment: Environment,
  customerId: string,
): Promise<readonly Deposit[]> => {
  const outside = providerOf(environment)
    ? await db.externalAccount.findMany({
        where: { platformId, customerId, defaultUmaDepositAccount: true, deletedAt: null, status: 'ACTIVE' },
      })
    : []
  const inside = await db.internalAccount.findMany({
    where: { platformId, customerId, status: 'ACTIVE' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return [
    ...outside.map(({ id, currency }) => ({
      currency,
      destinationInternalAccountId: null,
      destinationExternalAccountId: id,
    })),
    ...inside.map(({ id, currency }) => ({
      currency,
      destinationInternalAccountId: id,
      destinationExternalAccountId: null,
    })),
  ]
}

const takenBy = (rates: RateTable, deposit: Deposit, supported: readonly PlatformCurrency[]): Taken | undefined => {
  if (!hasRate(rates, 'BTC') || !hasRate(rates, deposit.currency)) return undefined
  const multiplier = msatsPerUnit(rates, deposit.currency)
  const limits = supported.find(({ currency }) => currency === deposit.currency)
  const isOpen = supported.length === 0 || limits?.enabledTransactionTypes.includes('INCOMING')
  if (!isOpen) return undefined
  const most = Math.floor(Math.min(MOST_MSATS, MOST_MSATS / multiplier))
  const min = Math.max(1, Number(limits?.minAmount ?? 1))
  const max = Math.min(most, Number(limits?.maxAmount ?? most))
  return min <= max ? { deposit, multiplier, min, max } : undefined
}

/** A fact is mandatory if it is mandatory for any of the currencies. */
const askedBy = (taken: readonly Taken[], supported: readonly PlatformCurrency[]): AskedField[] => {
  const asked = new Map<AskedField['name'], boolean>()
  for (const { currency, requiredCounterpartyFields } of supported) {
    if (!taken.some(({ deposit }) => deposit.currency === currency)) continue
    for (const { name, mandatory } of requiredCounterpartyFields) asked.set(name, asked.get(name) || mandatory)
  }
  return [...asked].map(([name, mandatory]) => ({ name, mandatory }))
}
