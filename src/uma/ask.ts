// Looks up a UMA address at its institution, as the protocol describes (docs/domain/uma.md#look-up).
import { CURRENCIES } from '#core/codes/currencies.ts'
import { ApiError, type ErrorCode } from '#core/errors.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import type { UmaProvider } from '#generated/prisma/client.ts'
import { type Answered, callProvider } from './call.ts'
import { type AskedField, askedOf } from './names.ts'
import type { Institution } from './own-keys.ts'
import { sdk, type Uma } from './sdk.ts'
import { isVerified } from './verified.ts'
import { counterpartyCode, jsonOf, MAJOR_VERSION, SETTLEMENT, VERSION, VERSION_FORM } from './wire.ts'

/** A currency that the receiver accepts. `min` and `max` are in its smallest unit. */
export interface Offered {
  readonly code: string
  /** Millisatoshis for one smallest unit. */
  readonly multiplier: number
  readonly min: number
  readonly max: number
}

export interface Receiver {
  /** The path of the payment request. */
  readonly callback: string
  readonly currencies: readonly Offered[]
  readonly payerData: readonly AskedField[]
}

/** `address` is in lower case. Throws what docs/domain/uma.md#errors lists for a look-up. */
export const askAbout = async (own: Institution, provider: UmaProvider, address: string): Promise<Receiver> => {
  const { text } = await answerAbout(own, provider, address)
  const response = await read(text)
  if (!response.isUma()) {
    throw new ApiError('MISSING_REQUIRED_UMA_PARAMETERS', 'The answer of the UMA provider is incomplete')
  }
  if (VERSION_FORM.exec(response.umaVersion)?.[1] !== String(MAJOR_VERSION)) {
    throw new ApiError('UNSUPPORTED_UMA_VERSION', 'The UMA provider answered in another version of the protocol')
  }
  if (response.compliance.receiverIdentifier.toLowerCase() !== address) throw failed('OTHER_RECEIVER')
  const { verifyUmaLnurlpResponseSignature } = await sdk()
  const isTrue = await isVerified(own, provider, (keys, nonces) =>
    verifyUmaLnurlpResponseSignature(response, keys, nonces),
  )
  if (!isTrue) throw failed('INVALID_SIGNATURE')
  const callback = pathAt(provider.domain, response.callback)
  if (callback === undefined) throw failed('INVALID_CALLBACK')
  const offered = response.currencies.flatMap((currency) => offeredOf(currency) ?? [])
  const currencies = offered.filter(({ code }, index) => offered.findIndex((one) => one.code === code) === index)
  if (!hasLedger(response) || currencies.length === 0) {
    throw new ApiError(
      'INVALID_RECEIVER',
      'The receiver cannot be paid: the UMA provider offers no settlement layer that this gateway supports',
    )
  }
  return { callback, currencies, payerData: askedOf(response.payerData).fields }
}

/** The answer with the status 200. If the provider refuses the version but lists ours as supported, the request is repeated once. */
const answerAbout = async (own: Institution, provider: UmaProvider, address: string): Promise<Answered> => {
  const first = await requestTo(own, provider, address)
  if (first.status !== 412) return accepted(first)
  const majors: unknown = Object(jsonOf(first.text)).supportedMajorVersions
  if (!Array.isArray(majors) || !majors.includes(MAJOR_VERSION)) throw noCompatibleVersion()
  const second = await requestTo(own, provider, address)
  if (second.status === 412) throw noCompatibleVersion()
  return accepted(second)
}

const noCompatibleVersion = () =>
  new ApiError(
    'NO_COMPATIBLE_UMA_VERSION',
    'The UMA provider and this gateway have no version of the protocol in common',
  )

const requestTo = async (own: Institution, provider: UmaProvider, receiverAddress: string): Promise<Answered> => {
  const { getSignedLnurlpRequestUrl } = await sdk()
  const { href, origin } = await getSignedLnurlpRequestUrl({
    receiverAddress,
    senderVaspDomain: own.domain,
    isSubjectToTravelRule: true,
    signingPrivateKey: own.signingKey,
    umaVersionOverride: VERSION,
  })
  const answered = await callProvider(provider, own.environment, href.slice(origin.length))
  if (!answered || (answered.status >= 500 && counterpartyCode(answered.text) === undefined)) {
    throw new ApiError('LNURLP_REQUEST_FAILED', 'The UMA provider did not answer the look-up')
  }
  return answered
}

/** The codes under which the platform sees the other institution's refusals. Refusals of our own keys are not among them. */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  USER_NOT_FOUND: 'UMA_NOT_FOUND',
  SENDER_NOT_ACCEPTED: 'SENDER_NOT_ACCEPTED',
  COUNTERPARTY_NOT_ALLOWED: 'SENDER_NOT_ACCEPTED',
  MISSING_REQUIRED_UMA_PARAMETERS: 'MISSING_REQUIRED_UMA_PARAMETERS',
  MISSING_MANDATORY_PAYER_DATA: 'MISSING_REQUIRED_UMA_PARAMETERS',
}

const accepted = (answered: Answered): Answered => {
  if (answered.status === 200) return answered
  const code = counterpartyCode(answered.text)
  const known = code && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
  if (known === 'UMA_NOT_FOUND') throw new ApiError(known, 'The UMA address does not exist')
  if (known) throw new ApiError(known, 'The UMA provider refused the look-up')
  throw new ApiError(
    'LOOKUP_REQUEST_FAILED',
    'The UMA provider refused the look-up',
    code ? { counterpartyCode: code } : {},
  )
}

const failed = (reason: string) =>
  new ApiError('LOOKUP_REQUEST_FAILED', 'The answer of the UMA provider cannot be trusted', { reason })

const read = async (text: string): Promise<Uma.LnurlpResponse> => {
  const { LnurlpResponse } = await sdk()
  try {
    return LnurlpResponse.fromJson(text)
  } catch {
    throw new ApiError('PARSE_LNURLP_RESPONSE_ERROR', 'The answer of the UMA provider cannot be read')
  }
}

/** The path of an address at the domain. Otherwise the counterparty could choose what we call. */
export const pathAt = (domain: string, address: string): string | undefined => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isThere = url?.protocol === 'https:' && url.host === domain && url.username === '' && url.password === ''
  return isThere && address.length <= 2_000 ? `${url.pathname}${url.search}` : undefined
}

const hasLedger = ({ settlementOptions }: Uma.LnurlpResponse) =>
  (settlementOptions ?? []).some(
    ({ settlementLayer, assets }) =>
      settlementLayer === SETTLEMENT.layer &&
      assets.some(({ identifier }) => identifier === SETTLEMENT.assetIdentifier),
  )

/** A price above this is refused, because computing with it could give infinity. */
const MOST_MSATS = 9e15
const LEAST_MSATS = 1e-9

/** Undefined for a currency that we do not have, that has different decimals here, or of which no amount can be paid. */
const offeredOf = ({ code, multiplier, minSendable, maxSendable, decimals }: Uma.Currency): Offered | undefined => {
  const isOurs = CURRENCIES.get(code)?.decimals === decimals
  const [min, max] = [Math.max(1, minSendable), Math.min(maxSendable, Number(MAX_AMOUNT))]
  const isSound =
    multiplier >= LEAST_MSATS &&
    multiplier <= MOST_MSATS &&
    Number.isSafeInteger(minSendable) &&
    Number.isSafeInteger(maxSendable) &&
    minSendable >= 0 &&
    max >= min
  return isOurs && isSound ? { code, multiplier, min, max } : undefined
}
