// Looks up who can be paid, and how: a UMA address at its institution, or an external account (docs/domain/uma.md#look-up).
import { z } from 'zod'
import { unknownAccount } from '#accounts/list.ts'
import { partsOfUma, requireUmaAddress } from '#core/addresses/uma.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { type Currency, currencyOf } from '#core/codes/currencies.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { partsOfId, publicId, requireUuid } from '#core/ids.ts'
import { idOf, parse, textOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { unknownCustomer } from '#customers/customer.ts'
import { db } from '#database/db.ts'
import type { Customer } from '#generated/prisma/client.ts'
import { type CounterpartyField, findCurrencies } from '#platforms/settings/currencies.ts'
import { customerFieldsOf } from '#platforms/settings/customer-fields.ts'
import { msatsPerUnit, RATE_SCALE, type RateTable, rateOf, rateText } from '#quotes/rates/rate.ts'
import { currentRates } from '#quotes/rates/rate-table.ts'
import { findExternalAccount } from '#settlement/parties.ts'
import { askAbout, type Offered } from '#uma/ask.ts'
import { storeLookup } from '#uma/lookup.ts'
import { ownInstitution } from '#uma/own-keys.ts'
import { allowedProvider } from '#uma/providers/provider.ts'
import { sandboxAddress } from '#uma/sandbox-address.ts'
import { MSATS } from '#uma/wire.ts'

export const lookupSender = z.object({
  senderUmaAddress: textOf(320)
    .nullish()
    .describe('UMA address of the customer who pays. Either this or `customerId`.'),
  customerId: idOf('Customer')
    .nullish()
    .describe('`Customer:<uuid>` of the customer who pays. Either this or `senderUmaAddress`.'),
})
/** The parameters that REST offers. */
export const LOOKUP_PARAMETERS = ['senderUmaAddress', 'customerId'] as const

export interface LookedUpCurrency {
  readonly currency: Currency
  /** Units of the sending currency per unit of this one. */
  readonly estimatedExchangeRate: number
  /** In the smallest unit of the currency. */
  readonly min: bigint
  readonly max: bigint
}

export interface Lookup {
  /** `LookupRequest:<uuid>`. */
  readonly lookupId: string
  readonly supportedCurrencies: readonly LookedUpCurrency[]
  readonly requiredPayerDataFields: readonly CounterpartyField[]
  /** One of the two. */
  readonly receiverUmaAddress: string | null
  readonly accountId: string | null
}

export const LOOKUP_TEXTS = {
  lookupId: '`LookupRequest:<uuid>`. A quote that pays the receiver must name it within 15 minutes.',
  supportedCurrencies: 'The currencies that the receiver accepts, the preferred one first.',
  currency: 'A currency or token.',
  estimatedExchangeRate:
    "Units of the sender's currency per unit of this currency, before fees. A quote gives the real one.",
  min: 'The smallest amount that can be received, in the smallest unit of the currency.',
  max: 'The largest amount that can be received, in the smallest unit of the currency.',
  requiredPayerDataFields: 'Facts about the sender that the receiver asks for.',
  receiverUmaAddress: 'The UMA address of the receiver, in lower case.',
  accountId: '`ExternalAccount:<uuid>` of the receiver.',
} as const

/**
 * Needs the permission VIEW. Throws 400 `INVALID_UMA_ADDRESS`, 400 `SELF_PAYMENT`, 403 `COUNTERPARTY_NOT_ALLOWED`, 404 `USER_NOT_FOUND` for
 * an unknown sender, 501 `NOT_IMPLEMENTED` for a platform without keys, what `currentRates` throws, and what docs/domain/uma.md#errors lists for a look-up.
 */
export const lookUpUmaAddress = async (caller: PlatformCaller, umaAddress: string, input: unknown): Promise<Lookup> => {
  requirePermission(caller, 'VIEW')
  requireUmaAddress(umaAddress, 'receiverUmaAddress')
  const address = umaAddress.toLowerCase()
  const sender = await senderOf(caller, input)
  if (sender.umaAddress.toLowerCase() === address) {
    throw new ApiError('SELF_PAYMENT', 'The sender and the receiver are the same', { field: 'receiverUmaAddress' })
  }
  const { providerId, callback, currencies, payerData } = await receiverOf(caller, address)
  const id = await storeLookup({
    platformId: caller.platformId,
    customerId: sender.id,
    receiver: { umaAddress: address, providerId, callback },
    currencies,
    payerData,
  })
  return {
    lookupId: publicId('LookupRequest', id),
    supportedCurrencies: await describe(caller, sender, currencies),
    requiredPayerDataFields: payerData,
    receiverUmaAddress: address,
    accountId: null,
  }
}

const receiverOf = async (caller: PlatformCaller, address: string) => {
  const simulated = caller.environment === 'SANDBOX' ? sandboxAddress(address) : undefined
  if (simulated) {
    const { currency: code } = simulated
    const { rates } = await currentRates(caller.environment)
    const currencies = [{ code, multiplier: msatsPerUnit(rates, code), min: 1, max: Number(MAX_AMOUNT) }]
    return { providerId: null, callback: null, currencies, payerData: [] }
  }
  const provider = await allowedProvider(caller.platformId, partsOfUma(address).domain)
  const own = await ownInstitution(caller.platformId)
  return { providerId: provider.id, ...(await askAbout(own, provider, address)) }
}

/**
 * Needs the permission VIEW. Throws 404 `REFERENCE_NOT_FOUND` for an unknown account, 403 `USER_NOT_READY` for one that is not active, 404
 * `USER_NOT_FOUND` for an unknown sender, 400 `INVALID_UMA_ADDRESS` for a malformed one, and what `currentRates` and `rateOf` throw.
 */
export const lookUpExternalAccount = async (caller: PlatformCaller, id: string, input: unknown): Promise<Lookup> => {
  requirePermission(caller, 'VIEW')
  const uuid = requireUuid('ExternalAccount', id, unknownAccount)
  const sender = await senderOf(caller, input)
  const account = await findExternalAccount(caller, uuid)
  const limits = (await findCurrencies(caller)).find(({ currency }) => currency === account.currency)
  const { rates } = await currentRates(caller.environment)
  const rate = rateOf(rates, await sendingCurrency(caller, sender), account.currency)
  const payerData = customerFieldsOf(account.currency).map((name) => ({ name, mandatory: true }))
  const lookupId = await storeLookup({
    platformId: caller.platformId,
    customerId: sender.id,
    receiver: { externalAccountId: account.id },
    currencies: [],
    payerData,
  })
  return {
    lookupId: publicId('LookupRequest', lookupId),
    supportedCurrencies: [
      {
        currency: currencyOf(account.currency),
        estimatedExchangeRate: Number(rateText(rate)),
        min: limits?.minAmount || 1n,
        max: limits?.maxAmount ?? MAX_AMOUNT,
      },
    ],
    requiredPayerDataFields: payerData,
    receiverUmaAddress: null,
    accountId: publicId('ExternalAccount', account.id),
  }
}

const senderOf = async ({ platformId }: PlatformCaller, input: unknown): Promise<Customer> => {
  const { customerId, senderUmaAddress } = parse(lookupSender, input)
  if (!customerId && !senderUmaAddress) {
    throw invalidInput('customerId', 'customerId or senderUmaAddress is required')
  }
  if (senderUmaAddress) requireUmaAddress(senderUmaAddress, 'senderUmaAddress')
  const [row] = customerId
    ? [{ id: partsOfId(customerId).uuid }]
    : await db.$queryRaw<{ id: string }[]>`
        select id from customers
        where platform_id = ${platformId}::uuid and lower(uma_address) = lower(${senderUmaAddress}) and not is_deleted`
  const customer = row && (await db.customer.findUnique({ where: { platformId_id: { platformId, id: row.id } } }))
  const isOther = senderUmaAddress && customer?.umaAddress.toLowerCase() !== senderUmaAddress.toLowerCase()
  if (!customer || customer.isDeleted || isOther) throw unknownCustomer()
  return customer
}

const DEFAULT_CURRENCY = 'USD'

/** The first of the customer's currencies with an active account, or else the currency of the oldest one. */
const sendingCurrency = async (
  { platformId }: PlatformCaller,
  { id: customerId, currencies }: Customer,
): Promise<string> => {
  const accounts = await db.internalAccount.findMany({
    select: { currency: true },
    where: { platformId, customerId, status: 'ACTIVE' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  const active = accounts.map(({ currency }) => currency)
  return currencies.find((code) => active.includes(code)) ?? active[0] ?? DEFAULT_CURRENCY
}

const describe = async (
  caller: PlatformCaller,
  sender: Customer,
  currencies: readonly Offered[],
): Promise<LookedUpCurrency[]> => {
  const sending = await sendingCurrency(caller, sender)
  const { rates } = await currentRates(caller.environment)
  return currencies.map((offered) => ({
    currency: currencyOf(offered.code),
    estimatedExchangeRate: estimateOf(rates, sending, offered),
    min: BigInt(offered.min),
    max: BigInt(offered.max),
  }))
}

const SATOSHIS = 1e8
/** Digits that an estimate is worth. */
const DIGITS = 8

/** Converts through bitcoin: our rate for the sending side, and the rate of the receiver's institution for the other. */
const estimateOf = (rates: RateTable, sending: string, { code, multiplier }: Offered): number => {
  const perBitcoin = Number(rateOf(rates, sending, 'BTC').scaled) / 10 ** RATE_SCALE
  const bitcoins = (multiplier * 10 ** currencyOf(code).decimals) / MSATS / SATOSHIS
  return Number((perBitcoin * bitcoins).toPrecision(DIGITS))
}
