// Look-ups of receivers that a platform made. A quote to a UMA address names one (docs/domain/uma.md#look-up).
import type { Caller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, type PlatformId, partsOfId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { UmaProvider } from '#generated/prisma/client.ts'
import type { Offered } from './ask.ts'
import type { AskedField } from './names.ts'

const LIFE_MINUTES = 15

interface NewLookup {
  readonly platformId: PlatformId
  readonly customerId: string | null
  readonly receiver:
    | { readonly umaAddress: string; readonly providerId: string | null; readonly callback: string | null }
    | { readonly externalAccountId: string }
  /** What the institution offered. Empty for an account, which a quote pays at its own rate. */
  readonly currencies: readonly Offered[]
  readonly payerData: readonly AskedField[]
}

/** Returns the id. The look-up is valid for 15 minutes. */
export const storeLookup = async ({
  platformId,
  customerId,
  receiver,
  currencies,
  payerData,
}: NewLookup): Promise<string> => {
  const id = newUuid()
  const [row] = await db.$queryRaw<{ at: Date }[]>`
    select now() + make_interval(mins => ${LIFE_MINUTES}) as at`
  await db.umaLookup.create({
    data: {
      platformId,
      id,
      customerId,
      ...receiver,
      currencies: [...currencies].map((offered) => ({ ...offered })),
      payerData: [...payerData].map((field) => ({ ...field })),
      expiresAt: row?.at ?? new Date(),
    },
    select: { id: true },
  })
  return id
}

/** The receiver of a UMA payment, as its look-up found it. */
export interface UmaReceiver {
  readonly umaAddress: string
  /** Null for a sandbox address, which needs no look-up. */
  readonly provider: UmaProvider | null
  readonly callback: string | null
  readonly offered: Offered
  readonly payerData: readonly AskedField[]
  /** The customer or account that the look-up was made for. */
  readonly customerId: string | null
}

interface Wanted {
  readonly lookupId: string
  readonly umaAddress: string
  readonly currency?: string | null | undefined
}

/**
 * Throws 404 `LOOKUP_REQUEST_NOT_FOUND` for a look-up that is unknown, expired, for another address, or to an agent of another customer, and 400
 * `INVALID_CURRENCY` for a currency that the receiver does not accept. Defaults to the first currency.
 */
export const findLookup = async (caller: Caller, { lookupId, umaAddress, currency }: Wanted): Promise<UmaReceiver> => {
  const { platformId } = caller
  const id = partsOfId(lookupId).uuid
  const address = umaAddress.toLowerCase()
  const [current] = await db.$queryRaw<object[]>`
    select from uma_lookups where platform_id = ${platformId}::uuid and id = ${id}::uuid and expires_at > now()`
  const lookup = current
    ? await db.umaLookup.findUnique({ where: { platformId_id: { platformId, id } }, include: { provider: true } })
    : null
  const isForeign = caller.scheme === 'AGENT' && lookup?.customerId !== caller.customerId
  if (lookup?.umaAddress !== address || isForeign) {
    throw new ApiError(
      'LOOKUP_REQUEST_NOT_FOUND',
      'There is no look-up with this id for this address, or it has expired',
    )
  }
  const currencies = lookup.currencies as unknown as readonly Offered[]
  const offered = currency ? currencies.find(({ code }) => code === currency) : currencies[0]
  if (!offered) {
    throw new ApiError('INVALID_CURRENCY', 'The receiver does not accept this currency', {
      field: 'destination.currency',
    })
  }
  if (lookup.provider && !lookup.provider.isAllowed) {
    throw new ApiError('COUNTERPARTY_NOT_ALLOWED', 'The platform does not allow payments with this UMA provider')
  }
  const payerData = lookup.payerData as unknown as readonly AskedField[]
  const { provider, callback, customerId } = lookup
  return { umaAddress: address, provider, callback, offered, payerData, customerId }
}

/** 400 `INVALID_INPUT` unless the look-up was made for the customer who pays. */
export const requireSameCustomer = (receiver: UmaReceiver, customerId: string | null): void => {
  if (receiver.customerId !== customerId) throw invalidInput('lookupId', 'The look-up was made for another customer')
}

/** Deletes expired look-ups, in both directions. */
export const forgetLookups = async (): Promise<void> => {
  await db.$executeRaw`delete from uma_lookups where expires_at < now() - interval '1 day'`
  await db.$executeRaw`delete from uma_answered_lookups where expires_at < now() - interval '1 day'`
}
