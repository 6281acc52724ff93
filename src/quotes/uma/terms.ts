// The terms of a payment to a UMA address: the payee's institution names its side in a demand, and we add ours
// (docs/domain/uma.md#quotes).
import type { Caller } from '#core/caller.ts'
import { currencyOf } from '#core/codes/currencies.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { requireWithinAll } from '#platforms/settings/currencies.ts'
import { CUSTOMER_INFO_FIELDS, type CustomerInfoField } from '#platforms/settings/customer-info-fields.ts'
import { platformFeeOf } from '#quotes/platform-fee.ts'
import { type Fee, type Price, priceOf, serviceFeeOf } from '#quotes/price.ts'
import { msatsPerUnit, type RateTable, rateOf, rateOfAmounts, rateText } from '#quotes/rates/rate.ts'
import { currentRates } from '#quotes/rates/rate-table.ts'
import type { QuoteRequest } from '#quotes/request.ts'
import { type PriceFacts, type Terms, termsOf, type UmaTerms } from '#quotes/terms.ts'
import type { Parties } from '#settlement/parties.ts'
import type { RateDetails } from '#transactions/rate-details.ts'
import { type Facts, factsOf } from '#uma/facts.ts'
import type { UmaReceiver } from '#uma/lookup.ts'
import { ownInstitution } from '#uma/own-keys.ts'
import { type Demanded, requestPayment, wrong } from '#uma/pay-request.ts'
import { MSATS } from '#uma/wire.ts'

type Request = Pick<
  QuoteRequest,
  'lockedCurrencySide' | 'lockedCurrencyAmount' | 'senderCustomerInfo' | 'purposeOfPayment'
>

/**
 * Throws 400 `MISSING_MANDATORY_USER_INFO` for facts about the payer that the receiver needs, and what docs/domain/uma.md#errors lists for a
 * payment request.
 */
export const umaTermsOf = async (
  caller: Pick<Caller, 'platformId' | 'environment'>,
  parties: Parties,
  receiver: UmaReceiver,
  request: Request,
  priceFacts: PriceFacts,
): Promise<Terms> => {
  const facts = requireFacts(parties.customer, receiver, request)
  if (request.lockedCurrencySide === 'RECEIVING') requireRange(receiver, request.lockedCurrencyAmount)
  const fees = await feesOf(caller, parties, priceFacts)
  const { rates } = await currentRates(caller.environment, priceFacts.rates)
  if (!receiver.provider) {
    const terms = await termsOf(caller, parties, request, priceFacts)
    const demanded = { multiplier: msatsPerUnit(rates, receiver.offered.code), fee: 0 }
    const msats = Number(terms.totalReceivingAmount) * demanded.multiplier
    const rateDetails = rateDetailsOf(terms, fees, msats, demanded)
    return { ...terms, uma: { rateDetails, counterpartyInformation: {}, demand: null } }
  }
  const payer = parties.customer?.umaAddress.toLowerCase()
  if (!payer) {
    throw new ApiError('MISSING_MANDATORY_USER_INFO', 'The payer has no UMA address', { field: 'source' })
  }
  const own = await ownInstitution(caller.platformId)
  const demanded = await requestPayment(own, receiver.provider, {
    callback: receiver.callback ?? '',
    payer,
    payee: receiver.umaAddress,
    facts,
    payerData: receiver.payerData,
    payeeData: payeeDataOf(priceFacts, receiver),
    offered: receiver.offered,
    locked: lockedOf(rates, parties, request, fees),
  })
  // The amount that a fixed sending amount delivers is known only now.
  requireRange(receiver, demanded.amount)
  return pricedBy(priceFacts, rates, parties, request, fees, { ...demanded, providerId: receiver.provider.id })
}

interface Fees {
  readonly platformFee: Fee
  readonly serviceFee: Fee
}

const feesOf = async (
  { platformId }: Pick<Caller, 'platformId'>,
  { sender, receiver }: Parties,
  facts: PriceFacts,
): Promise<Fees> => ({
  platformFee: await platformFeeOf(platformId, facts.fees, sender.currency, receiver.currency),
  serviceFee: serviceFeeOf(sender.currency, receiver.currency),
})

/** The sending side of the payment, in satoshis. */
const satoshiPrice = (
  rates: RateTable,
  { sender }: Parties,
  lockedSide: 'SENDING' | 'RECEIVING',
  lockedAmount: bigint,
  fees: Fees,
) =>
  priceOf({
    lockedSide,
    lockedAmount,
    rate: rateOf(rates, sender.currency, 'BTC'),
    sendingDecimals: currencyOf(sender.currency).decimals,
    receivingDecimals: currencyOf('BTC').decimals,
    ...fees,
  })

const lockedOf = (
  rates: RateTable,
  parties: Parties,
  { lockedCurrencySide, lockedCurrencyAmount: amount }: Request,
  fees: Fees,
) =>
  lockedCurrencySide === 'RECEIVING'
    ? { amount }
    : { satoshis: satoshiPrice(rates, parties, 'SENDING', amount, fees).totalReceivingAmount }

const pricedBy = (
  { currencies, readAt }: PriceFacts,
  rates: RateTable,
  parties: Parties,
  { lockedCurrencySide, lockedCurrencyAmount }: Request,
  fees: Fees,
  demand: Demanded & { readonly providerId: string },
): Terms => {
  const { sender, receiver } = parties
  const isSending = lockedCurrencySide === 'SENDING'
  const sending = satoshiPrice(
    rates,
    parties,
    lockedCurrencySide,
    isSending ? lockedCurrencyAmount : demand.satoshis,
    fees,
  )
  const price: Price = { ...sending, totalReceivingAmount: demand.amount }
  const amountField = 'lockedCurrencyAmount'
  requireWithinAll(currencies, [
    {
      currency: sender.currency,
      field: 'source.accountId',
      payment: { type: 'OUTGOING', amount: price.totalSendingAmount, amountField },
    },
    {
      currency: receiver.currency,
      field: 'destination.currency',
      payment: { amount: price.totalReceivingAmount, amountField },
    },
  ])
  const net = price.totalSendingAmount - price.feesIncluded
  const rate = rateOfAmounts(net, sender.currency, price.totalReceivingAmount, receiver.currency)
  if (!rate) throw wrong('OTHER_RATE')
  const rateDetails = rateDetailsOf(price, fees, Number(demand.satoshis) * MSATS, demand)
  return {
    ...price,
    exchangeRate: rateText(rate),
    pricedAt: readAt,
    uma: { rateDetails, counterpartyInformation: demand.payeeFacts, demand },
  }
}

const rateDetailsOf = (
  { totalSendingAmount, feesIncluded }: Price,
  { platformFee, serviceFee }: Fees,
  msats: number,
  { multiplier, fee }: Pick<Demanded, 'multiplier' | 'fee'>,
): RateDetails => {
  const fixed = platformFee.fixed + serviceFee.fixed
  return {
    counterpartyMultiplier: multiplier,
    counterpartyFixedFee: Math.round(fee / multiplier),
    serviceApiMultiplier: msats / Number(totalSendingAmount - fixed),
    serviceApiFixedFee: Number(fixed),
    serviceApiVariableFeeRate: Number(platformFee.rate + serviceFee.rate) / 1_000_000,
    serviceApiVariableFeeAmount: Number(feesIncluded - fixed),
  }
}

const isField = (name: string): name is CustomerInfoField => CUSTOMER_INFO_FIELDS.some((field) => field === name)

/** What is known about the payer, and what the platform gives for this payment. */
const requireFacts = (customer: Parties['customer'], { payerData }: UmaReceiver, request: Request): Facts => {
  const given = Object.entries(request.senderCustomerInfo ?? {}).filter(
    ([name, value]) => isField(name) && value !== '',
  )
  const purpose = request.purposeOfPayment ? { PURPOSE_OF_PAYMENT: request.purposeOfPayment } : {}
  const facts: Facts = { ...(customer ? factsOf(customer) : {}), ...purpose, ...Object.fromEntries(given) }
  const missing = payerData.filter(({ name, mandatory }) => mandatory && facts[name] === undefined)
  const [first] = missing
  if (!first) return facts
  throw new ApiError('MISSING_MANDATORY_USER_INFO', 'The receiver needs more facts about the sender', {
    field: `senderCustomerInfo.${first.name}`,
    requiredFields: missing.map(({ name }) => name),
  })
}

const requireRange = ({ offered }: UmaReceiver, amount: bigint): void => {
  if (amount < BigInt(offered.min) || amount > BigInt(offered.max)) {
    throw new ApiError('AMOUNT_OUT_OF_RANGE', `The receiver accepts ${offered.min} to ${offered.max}`, {
      field: 'lockedCurrencyAmount',
      currencyCode: offered.code,
      minAmount: offered.min,
      maxAmount: offered.max,
    })
  }
}

/** The facts that the payer's platform requires about the other party, and the name if there is one. */
const payeeDataOf = ({ currencies }: PriceFacts, { offered }: UmaReceiver) => {
  const required = currencies.find(({ currency }) => currency === offered.code)?.requiredCounterpartyFields ?? []
  const hasName = required.some(({ name }) => name === 'FULL_NAME')
  return hasName ? required : [...required, { name: 'FULL_NAME' as const, mandatory: false }]
}

/** Throws 400 `INVALID_PAYREQ_RESPONSE` if another quote has the demand. */
export const requireNewDemand = async ({ platformId }: Pick<Caller, 'platformId'>, { uma }: Terms): Promise<void> => {
  if (!uma?.demand) return
  const { demandId, providerId } = uma.demand
  const [used] = await db.$queryRaw<object[]>`
    select from uma_demands
    where platform_id = ${platformId}::uuid and role = 'PAYER' and provider_id = ${providerId}::uuid and demand_id = ${demandId}::uuid`
  if (used) throw wrong('DEMAND_USED')
}

/** The columns of the demand at the payer's institution. */
export const demandColumns = ({
  demandId,
  providerId,
  payer,
  payee,
  satoshis,
  currency,
  amount,
  callback,
  expiresAt,
}: NonNullable<UmaTerms['demand']>) => ({
  id: newUuid(),
  role: 'PAYER' as const,
  demandId,
  providerId,
  payer,
  payee,
  satoshis,
  currency,
  amount,
  callback,
  expiresAt,
})
