// Answers a payment request: the platform approves the payment, and the payer's institution gets a demand (docs/domain/uma.md#receiving).
import { currencyOf } from '#core/codes/currencies.ts'
import { isUuid } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { UmaAnsweredLookup, UmaProvider } from '#generated/prisma/client.ts'
import { receivedFacts } from '#uma/facts.ts'
import { askedOf, toWire } from '#uma/names.ts'
import type { Institution } from '#uma/own-keys.ts'
import { sdk, type Uma } from '#uma/sdk.ts'
import { openTravelRule } from '#uma/travel-rule.ts'
import { isVerified } from '#uma/verified.ts'
import { jsonOf, MSATS, SETTLEMENT, UmaProtocolError } from '#uma/wire.ts'
import { metadataOf } from './answer-lookup.ts'
import { approvedPayment, createPayment, failPayment, type IncomingTerms, openDemand } from './payment.ts'
import { payable, type Taken } from './receiver.ts'

/** Whole numbers without sign, exponent or leading zero; the library takes more. */
const AMOUNT = /^[1-9]\d{0,15}(\.[A-Z0-9]{3,8})?$/
const ADDRESS = /^\$[a-z0-9._+-]{1,64}@[a-z0-9.-]{1,253}$/

export const answerPayreq = async (own: Institution, lookupId: string, text: string): Promise<object> => {
  const lookup = isUuid(lookupId) ? await findLookup(own, lookupId) : null
  if (!lookup) throw new UmaProtocolError('REQUEST_NOT_FOUND', 'There is no such look-up')
  const { provider } = lookup
  const request = await read(text)
  const payer = await requireSender(own, provider, request)
  const payeeData = askedOf(request.requestedPayeeData)
  const fields = payeeData.fields
  const transactionId = await createPayment(own, lookup, { payer, fields, facts: receivedFacts(request.payerData) })
  const open = async () => {
    if (payeeData.unknownMandatory.length > 0) {
      throw new Failure(
        'MISSING_MANDATORY_PAYEE_DATA',
        'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY',
        'A fact about the payee is unknown',
      )
    }
    const terms = await termsOf(own, lookup, request)
    return { terms, demand: await openDemand(own, lookup, transactionId, { ...terms, payer }) }
  }
  const { terms, demand } = await open().catch(async (error) => {
    await failPayment(own, transactionId, error instanceof Failure ? error.reason : 'PAY_REQUEST_FAILED')
    throw error
  })
  const facts = await approvedPayment(own, transactionId, demand.id, fields)
  return responseOf(own, lookup, request, { ...terms, demandText: demand.text(), demandId: demand.demandId, facts })
}

type Lookup = UmaAnsweredLookup & { readonly provider: UmaProvider; readonly isOver: boolean }

const findLookup = async ({ platformId }: Institution, id: string): Promise<Lookup | null> => {
  const [row] = await db.$queryRaw<{ is_over: boolean }[]>`
    select expires_at <= now() as is_over from uma_answered_lookups where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  const lookup = await db.umaAnsweredLookup.findUnique({
    where: { platformId_id: { platformId, id } },
    include: { provider: true },
  })
  return lookup && row ? { ...lookup, isOver: row.is_over } : null
}

/** A refusal of a payment whose sender is known, with the reason that the platform sees. */
class Failure extends UmaProtocolError {
  readonly reason: 'LNURLP_FAILED' | 'PAY_REQUEST_FAILED' | 'MISSING_MANDATORY_PAYEE_DATA'
  constructor(reason: Failure['reason'], ...wire: ConstructorParameters<typeof UmaProtocolError>) {
    super(...wire)
    this.reason = reason
  }
}

const unreadable = (what: string) => new UmaProtocolError('PARSE_PAYREQ_REQUEST_ERROR', `${what} cannot be read`)

const read = async (text: string): Promise<Uma.PayRequest> => {
  const body = Object(jsonOf(text)) as { amount?: unknown; currency?: unknown }
  if (typeof body.amount !== 'string' || !AMOUNT.test(body.amount) || 'currency' in body) throw unreadable('The amount')
  const { PayRequest } = await sdk()
  try {
    return PayRequest.fromJson(text)
  } catch {
    throw unreadable('The request')
  }
}

/** The payer's address. Up to this point, the request may come from anyone. */
const requireSender = async (own: Institution, provider: UmaProvider, request: Uma.PayRequest): Promise<string> => {
  if (!request.isUma() || !request.payerData.identifier) {
    throw new UmaProtocolError('MISSING_REQUIRED_UMA_PARAMETERS', 'The request lacks parameters of the protocol')
  }
  const payer = request.payerData.identifier.toLowerCase()
  if (!ADDRESS.test(payer) || !payer.endsWith(`@${provider.domain}`)) {
    throw new UmaProtocolError(
      'SENDER_NOT_ACCEPTED',
      'The payer does not belong to the institution that made the look-up',
    )
  }
  const { verifyPayReqSignature } = await sdk()
  const isTrue = await isVerified(own, provider, (keys, nonces) => verifyPayReqSignature(request, keys, nonces))
  if (!isTrue) throw new UmaProtocolError('INVALID_SIGNATURE', 'The signature is not valid')
  if (!provider.isAllowed)
    throw new UmaProtocolError('COUNTERPARTY_NOT_ALLOWED', 'The platform does not deal with the institution')
  return payer
}

/** What the payee receives, and what it costs. The fee takes the remainder, so that the demand is in whole satoshis. */
const termsOf = async (
  own: Institution,
  lookup: Lookup,
  request: Uma.PayRequest,
): Promise<IncomingTerms & { readonly fee: number; readonly taken: Taken }> => {
  const failed = (...wire: ConstructorParameters<typeof UmaProtocolError>) => new Failure('PAY_REQUEST_FAILED', ...wire)
  const receiver = lookup.isOver ? undefined : await payable(own.platformId, lookup.customerId)
  if (!receiver) throw new Failure('LNURLP_FAILED', 'REQUEST_NOT_FOUND', 'The look-up has expired')
  const { layer, assetIdentifier } = request.settlement ?? {}
  if (layer !== SETTLEMENT.layer || assetIdentifier !== SETTLEMENT.assetIdentifier) {
    throw failed('NOT_IMPLEMENTED', 'This way of settling is not offered')
  }
  const taken = receiver.taken.find(({ deposit }) => deposit.currency === request.receivingCurrencyCode)
  const sendingCode = request.sendingAmountCurrencyCode
  if (!taken || (sendingCode && sendingCode !== taken.deposit.currency)) {
    throw failed('INVALID_CURRENCY', 'The payee does not accept this currency')
  }
  const known = receivedFacts(request.payerData)
  const missing = receiver.payerData.filter(({ name, mandatory }) => mandatory && known[name] === undefined)
  if (missing.length > 0) {
    const names = missing.map(({ name }) => toWire(name)).join(', ')
    throw failed('MISSING_MANDATORY_PAYER_DATA', `The payee's institution needs ${names}`)
  }
  requireTravelRule(own, request, failed)
  const { multiplier, min, max, deposit } = taken
  const amount = sendingCode ? request.amount : Math.floor(request.amount / multiplier)
  const msats = sendingCode ? Math.ceil((amount * multiplier) / MSATS) * MSATS : request.amount
  if (amount < min || amount > max || msats % MSATS !== 0 || !Number.isSafeInteger(msats)) {
    throw failed('AMOUNT_OUT_OF_RANGE', `The payee accepts ${min} to ${max}, for whole satoshis`)
  }
  const satoshis = BigInt(msats / MSATS)
  return { satoshis, amount: BigInt(amount), deposit, fee: Math.max(0, msats - amount * multiplier), taken }
}

/** The data must be present and encrypted to us. It is neither used otherwise nor stored: the platform gets the facts separately. */
const requireTravelRule = (
  { encryptionKey }: Institution,
  { payerData }: Uma.PayRequest,
  failed: (...wire: ConstructorParameters<typeof UmaProtocolError>) => UmaProtocolError,
) => {
  const sealed = payerData?.compliance?.encryptedTravelRuleInfo
  if (!sealed) throw failed('MISSING_MANDATORY_PAYER_DATA', 'Travel rule data is missing')
  try {
    if (typeof jsonOf(openTravelRule(encryptionKey, sealed)) !== 'object') throw new Error('No object')
  } catch {
    throw failed('PARSE_PAYREQ_REQUEST_ERROR', 'Travel rule data cannot be read')
  }
}

interface Answered extends IncomingTerms {
  readonly fee: number
  readonly taken: Taken
  readonly demandText: string
  readonly demandId: string
  readonly facts: Readonly<Record<string, string>>
}

const responseOf = async (
  own: Institution,
  { umaAddress }: Lookup,
  request: Uma.PayRequest,
  { demandText, demandId, fee, taken, facts }: Answered,
): Promise<object> => {
  const { getPayReqResponse } = await sdk()
  const { currency } = taken.deposit
  const response = await getPayReqResponse({
    request,
    payeeIdentifier: umaAddress,
    receivingVaspPrivateKey: own.signingKey,
    metadata: metadataOf(umaAddress),
    receivingCurrencyCode: currency,
    receivingCurrencyDecimals: currencyOf(currency).decimals,
    conversionRate: taken.multiplier,
    receiverFeesMillisats: fee,
    receiverChannelUtxos: [],
    utxoCallback: `https://${own.domain}/uma/done/${demandId}`,
    disposable: false,
    payeeData: { ...facts, identifier: umaAddress },
    invoiceCreator: {
      createUmaInvoice: async () => demandText,
      createInvoiceForSettlementLayer: async () => demandText,
    },
  })
  return response.toJsonSchemaObject()
}
