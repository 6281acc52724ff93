// Answers the look-up of one of the platform's customers (docs/domain/uma.md#receiving).
import { currencyOf } from '#core/codes/currencies.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { optionsOf } from '#uma/names.ts'
import type { Institution } from '#uma/own-keys.ts'
import { allowedProvider } from '#uma/providers/provider.ts'
import { sdk, type Uma } from '#uma/sdk.ts'
import { isVerified } from '#uma/verified.ts'
import { MAJOR_VERSION, MSATS, SETTLEMENT, UmaProtocolError, VERSION_FORM } from '#uma/wire.ts'
import { findPayable, type Payable, type Taken } from './receiver.ts'

const LIFE_MINUTES = 15
const LONGEST_DOMAIN = 253
const DOMAIN = /^[a-z0-9.-]+$/

/**
 * `name` is the last part of the path, `query` the query string. Whether the address exists is checked last, so that
 * only institutions that the platform deals with learn it.
 */
export const answerLookup = async (own: Institution, name: string, query: string): Promise<object> => {
  const address = `${name}@${own.domain}`.toLowerCase()
  const request = await parseRequest(own, name, query)
  const domain = request.vaspDomain.toLowerCase()
  if (domain.length > LONGEST_DOMAIN || !DOMAIN.test(domain)) {
    throw new UmaProtocolError('PARSE_LNURLP_REQUEST_ERROR', 'vaspDomain is not a domain')
  }
  const provider = await allowedProvider(own.platformId, domain)
  const { verifyUmaLnurlpQuerySignature } = await sdk()
  // The signer writes the address in the same case as the request.
  const signed = { ...request, receiverAddress: `${name}@${own.domain}` }
  const isTrue = await isVerified(own, provider, (keys, nonces) => verifyUmaLnurlpQuerySignature(signed, keys, nonces))
  if (!isTrue) throw new UmaProtocolError('INVALID_SIGNATURE', 'The signature is not valid')
  const payable = await findPayable(own.platformId, address)
  if (!payable) throw new UmaProtocolError('USER_NOT_FOUND', 'Nobody has this address')
  const id = newUuid()
  const [row] = await db.$queryRaw<{ at: Date }[]>`select now() + make_interval(mins => ${LIFE_MINUTES}) as at`
  await db.umaAnsweredLookup.create({
    data: {
      platformId: own.platformId,
      id,
      providerId: provider.id,
      customerId: payable.customer.id,
      umaAddress: address,
      expiresAt: row?.at ?? new Date(),
    },
    select: { id: true },
  })
  return offerOf(own, signed, address, payable, id)
}

const parseRequest = async (own: Institution, name: string, query: string) => {
  const { isLnurlpRequestForUma, parseLnurlpRequest, UmaError } = await sdk()
  const url = new URL(`https://${own.domain}/.well-known/lnurlp/${encodeURIComponent(name).replace('%24', '$')}`)
  url.search = query
  // Backing signatures come from other institutions, which we do not ask.
  url.searchParams.delete('backingSignatures')
  const version = url.searchParams.get('umaVersion')
  if (version !== null) requireVersion(version)
  try {
    const request = parseLnurlpRequest(url)
    if (isLnurlpRequestForUma(request)) return request
  } catch (error) {
    if (error instanceof UmaError && error.code === 'MISSING_REQUIRED_UMA_PARAMETERS') {
      throw new ApiError('MISSING_REQUIRED_UMA_PARAMETERS', 'The request lacks parameters of the protocol')
    }
    throw new UmaProtocolError('PARSE_LNURLP_REQUEST_ERROR', 'The request cannot be read')
  }
  throw new UmaProtocolError('NON_UMA_LNURL_NOT_SUPPORTED', 'Only UMA requests are answered')
}

const requireVersion = (version: string) => {
  const major = VERSION_FORM.exec(version)?.[1]
  if (major === undefined) throw new UmaProtocolError('PARSE_LNURLP_REQUEST_ERROR', 'umaVersion is not a version')
  if (Number(major) !== MAJOR_VERSION) {
    throw new UmaProtocolError('UNSUPPORTED_UMA_VERSION', 'This version of the protocol is not supported', {
      supportedMajorVersions: [MAJOR_VERSION],
    })
  }
}

const offerOf = async (
  own: Institution,
  request: Uma.LnurlpRequest,
  address: string,
  { taken, payerData }: Payable,
  id: string,
): Promise<object> => {
  const { getLnurlpResponse, KycStatus } = await sdk()
  const currencyOptions = await Promise.all(taken.map(optionOf))
  const multipliers = Object.fromEntries(taken.map(({ deposit, multiplier }) => [deposit.currency, multiplier]))
  const satoshis = (bound: (...all: number[]) => number, side: 'min' | 'max') =>
    Math.max(1, bound(...taken.map((one) => Math.ceil((one[side] * one.multiplier) / MSATS))))
  const { layer: settlementLayer, assetIdentifier: identifier } = SETTLEMENT
  const response = await getLnurlpResponse({
    request: { ...request, receiverAddress: address },
    privateKeyBytes: own.signingKey,
    requiresTravelRuleInfo: true,
    receiverKycStatus: KycStatus.Verified,
    callback: `https://${own.domain}/uma/payreq/${id}`,
    encodedMetadata: metadataOf(address),
    minSendableSats: satoshis(Math.min, 'min'),
    maxSendableSats: satoshis(Math.max, 'max'),
    currencyOptions,
    payerDataOptions: { ...optionsOf(payerData), identifier: { mandatory: true }, compliance: { mandatory: true } },
    settlementOptions: [{ settlementLayer, assets: [{ identifier, multipliers }] }],
  })
  return response.toJsonSchemaObject()
}

export const metadataOf = (address: string): string =>
  JSON.stringify([
    ['text/plain', `Pay ${address}`],
    ['text/identifier', address],
  ])

const optionOf = async ({ deposit, multiplier, min, max }: Taken): Promise<Uma.Currency> => {
  const { Currency } = await sdk()
  const { code, name, symbol, decimals } = currencyOf(deposit.currency)
  return new Currency(code, name, symbol, multiplier, min, max, decimals)
}
