// Requests a demand for a payment from the payee's institution (docs/domain/uma.md#payment-request).
import { ApiError, type ErrorCode } from '#core/errors.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import type { UmaProvider } from '#generated/prisma/client.ts'
import { type Offered, pathAt } from './ask.ts'
import { type Answered, callProvider } from './call.ts'
import { type Demand, readDemand } from './demand.ts'
import { type Facts, receivedFacts, travelRuleOf, wireFacts } from './facts.ts'
import { type AskedField, optionsOf } from './names.ts'
import type { Institution } from './own-keys.ts'
import { keysOf, pointOf } from './provider-keys.ts'
import { sdk, type Uma } from './sdk.ts'
import { isVerified } from './verified.ts'
import { counterpartyCode, MAJOR_VERSION, MSATS, SETTLEMENT } from './wire.ts'

export interface PayRequest {
  /** The path of the request. */
  readonly callback: string
  /** UMA addresses in lower case. */
  readonly payer: string
  readonly payee: string
  readonly facts: Facts
  /** What the payee's institution wants to know. */
  readonly payerData: readonly AskedField[]
  /** What the payer's platform wants to know. */
  readonly payeeData: readonly AskedField[]
  /** What the look-up offered. */
  readonly offered: Offered
  /** The fixed amount: what is paid in satoshis, or what is received in the smallest unit of the currency. */
  readonly locked: { readonly satoshis: bigint } | { readonly amount: bigint }
}

export interface Demanded extends Demand {
  /** The path to notify of the payment. */
  readonly callback: string
  /** Millisatoshis for one smallest unit of `currency`. */
  readonly multiplier: number
  /** The fee of the payee's institution, in millisatoshis. */
  readonly fee: number
  readonly payeeFacts: Readonly<Record<string, string>>
}

/** A demand is open for a minute, and never for longer than this. */
const LONGEST_LIFE_MS = 10 * 60_000

/** Throws what docs/domain/uma.md#errors lists for a payment request. */
export const requestPayment = async (
  own: Institution,
  provider: UmaProvider,
  request: PayRequest,
): Promise<Demanded> => {
  const keys = await keysOf(own, provider)
  const body = await bodyOf(own, pointOf(keys.encryption.publicKey), request)
  const { text } = accepted(await callProvider(provider, own.environment, request.callback, body))
  const response = await read(text)
  if (!response.isUma()) throw wrong('INCOMPLETE')
  const { verifyPayReqResponseSignature } = await sdk()
  const isTrue = await isVerified(own, provider, (found, nonces) =>
    verifyPayReqResponseSignature(response, request.payer, request.payee, found, nonces),
  )
  if (!isTrue) throw wrong('INVALID_SIGNATURE')
  const { signing } = await keysOf(own, provider)
  const demand = readDemand(response.pr, signing.publicKey)
  if (!demand) throw wrong('INVALID_DEMAND')
  const problem = problemOf(request, provider, demand, response.converted)
  if (problem) throw wrong(problem)
  const callback = pathAt(provider.domain, response.payeeData.compliance?.utxoCallback ?? '')
  if (callback === undefined) throw wrong('INVALID_CALLBACK')
  const { multiplier, fee } = response.converted
  return { ...demand, callback, multiplier, fee, payeeFacts: receivedFacts(response.payeeData) }
}

const bodyOf = async (own: Institution, receiverEncryptionPubKey: Uint8Array, request: PayRequest) => {
  const { getPayRequest, KycStatus } = await sdk()
  const { payer, facts, payerData, locked, offered } = request
  const isReceiving = 'amount' in locked
  const made = await getPayRequest({
    receiverEncryptionPubKey,
    sendingVaspPrivateKey: own.signingKey,
    receivingCurrencyCode: offered.code,
    isAmountInReceivingCurrency: isReceiving,
    amount: isReceiving ? Number(locked.amount) : Number(locked.satoshis) * MSATS,
    payerIdentifier: payer,
    payerKycStatus: KycStatus.Verified,
    payerData: wireFacts(
      facts,
      payerData.map(({ name }) => name).filter((name) => name !== 'IDENTIFIER'),
    ),
    trInfo: JSON.stringify(travelRuleOf(payer, facts)),
    travelRuleFormat: 'ivms@101.2023',
    requestedPayeeData: { ...optionsOf(request.payeeData), identifier: { mandatory: true } },
    umaMajorVersion: MAJOR_VERSION,
    settlement: SETTLEMENT,
  })
  return made.toJsonString()
}

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  SENDER_NOT_ACCEPTED: 'SENDER_NOT_ACCEPTED',
  COUNTERPARTY_NOT_ALLOWED: 'SENDER_NOT_ACCEPTED',
  INVALID_CURRENCY: 'INVALID_CURRENCY',
  AMOUNT_OUT_OF_RANGE: 'AMOUNT_OUT_OF_RANGE',
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: 'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY',
  MISSING_REQUIRED_UMA_PARAMETERS: 'MISSING_REQUIRED_UMA_PARAMETERS',
  MISSING_MANDATORY_PAYER_DATA: 'MISSING_REQUIRED_UMA_PARAMETERS',
  USER_NOT_FOUND: 'UMA_NOT_FOUND',
}

const accepted = (answered: Answered | null): Answered => {
  if (answered?.status === 200) return answered
  const code = answered ? counterpartyCode(answered.text) : undefined
  const known = code && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
  if (known) throw new ApiError(known, 'The UMA provider refused the payment')
  const message = answered ? 'The UMA provider refused the payment' : 'The UMA provider did not answer'
  throw new ApiError('PAYREQ_REQUEST_FAILED', message, code ? { counterpartyCode: code } : {})
}

const read = async (text: string): Promise<Uma.PayReqResponse> => {
  const { PayReqResponse } = await sdk()
  try {
    return PayReqResponse.fromJson(text)
  } catch {
    throw new ApiError('PARSE_PAYREQ_RESPONSE_ERROR', 'The answer of the UMA provider cannot be read')
  }
}

export const wrong = (reason: string) =>
  new ApiError('INVALID_PAYREQ_RESPONSE', 'The response of the UMA provider does not match the payment request', {
    reason,
  })

/** What in the demand differs from the request. */
const problemOf = (
  { payer, payee, offered, locked }: PayRequest,
  { domain }: UmaProvider,
  demand: Demand,
  converted: NonNullable<Uma.PayReqResponse['converted']>,
): string | undefined => {
  if (demand.payer !== payer || demand.payee !== payee || demand.payeeDomain !== domain) return 'OTHER_PARTIES'
  if (demand.currency !== offered.code || converted.currencyCode !== offered.code) return 'OTHER_CURRENCY'
  const isLocked = 'amount' in locked ? demand.amount === locked.amount : demand.satoshis === locked.satoshis
  if (!isLocked || converted.amount !== Number(demand.amount)) return 'OTHER_AMOUNT'
  const problem = problemOfPrice(converted, demand, offered)
  if (problem) return problem
  const left = demand.expiresAt.getTime() - Date.now()
  return left > 0 && left <= LONGEST_LIFE_MS ? undefined : 'EXPIRED'
}

/** How far the price may be from that of the look-up. */
const TOLERANCE = 0.1

const isNear = (value: number, expected: number, rounding = 0): boolean =>
  Math.abs(value - expected) <= expected * TOLERANCE + rounding

/**
 * What is wrong with the price. The sum of the protocol's fields must be the demand, within one unit of the currency. The rate and the whole
 * price, fee included, must be near those of the look-up. Amounts are rounded to a whole unit or a whole satoshi.
 */
const problemOfPrice = (
  { multiplier, fee }: NonNullable<Uma.PayReqResponse['converted']>,
  demand: Demand,
  offered: Offered,
): string | undefined => {
  const [amount, msats] = [Number(demand.amount), Number(demand.satoshis) * MSATS]
  if (!(multiplier > 0 && fee >= 0 && Number.isFinite(multiplier) && Number.isFinite(fee))) return 'OTHER_AMOUNT'
  if (Math.abs(amount * multiplier + fee - msats) > Math.max(multiplier, 1)) return 'OTHER_AMOUNT'
  if (fee / multiplier > Number(MAX_AMOUNT)) return 'OTHER_AMOUNT'
  const rounding = Math.max(multiplier, MSATS)
  const isFair = isNear(multiplier, offered.multiplier) && isNear(msats, amount * offered.multiplier, rounding)
  return isFair ? undefined : 'OTHER_RATE'
}
