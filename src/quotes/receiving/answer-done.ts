// Answers the message that a payment was made: with our own signed answer about the demand (docs/domain/uma.md#settlement).
import { z } from 'zod'
import { isUuid } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { settleDemand } from '#settlement/uma/receive.ts'
import { isSignedStatement, movementHash, type SettlementStatement, signStatement } from '#uma/demand.ts'
import type { Institution } from '#uma/own-keys.ts'
import { keysOf } from '#uma/provider-keys.ts'
import { sdk } from '#uma/sdk.ts'
import { isVerified } from '#uma/verified.ts'
import { answerOf, jsonOf, MSATS, type UmaErrorCode, UmaProtocolError, type WireAnswer } from '#uma/wire.ts'

/** Fields that the protocol's own message does not have. */
const note = z.object({
  settlement: z.object({ demandId: z.string(), movement: z.string(), signature: z.string().max(1_000) }),
})

export const answerDone = async (own: Institution, demandId: string, text: string): Promise<WireAnswer> => {
  const { platformId } = own
  const demand = isUuid(demandId)
    ? await db.umaDemand.findFirst({ where: { platformId, role: 'PAYEE', demandId }, include: { provider: true } })
    : null
  if (!demand) throw new UmaProtocolError('REQUEST_NOT_FOUND', 'There is no such demand')
  const { provider, satoshis } = demand
  const { settlement } = await verifiedNote(own, demand, text)
  const movement = movementHash(demandId, provider.domain)
  const about = { demandId, satoshis, movement }
  const { signing } = await keysOf(own, provider)
  const isSigned = isSignedStatement({ ...about, said: 'PAID' }, settlement.signature, signing.publicKey)
  if (settlement.demandId !== demandId || settlement.movement !== movement || !isSigned) {
    throw new UmaProtocolError('INVALID_SIGNATURE', 'The note about the payment is not valid')
  }
  const end = await settleDemand(platformId, demand.id, movement, JSON.stringify(settlement))
  if (end.isSettled)
    return { status: 200, body: { status: 'OK', settlement: signed(own, { ...about, said: 'SETTLED' }) } }
  const refusal: SettlementStatement = { ...about, said: 'REFUSED', code: end.code }
  return answerOf(
    new UmaProtocolError(end.code as UmaErrorCode, 'The payment is refused', { settlement: signed(own, refusal) }),
  )
}

const signed = (own: Institution, statement: SettlementStatement) => ({
  demandId: statement.demandId,
  movement: statement.movement,
  signature: signStatement(own, statement),
})

/** Checks that the message comes from the payer's institution, is new, and is about the amount of the demand. */
const verifiedNote = async (
  own: Institution,
  { provider, satoshis }: { readonly provider: Parameters<typeof keysOf>[1]; readonly satoshis: bigint },
  text: string,
) => {
  const { parsePostTransactionCallback, verifyPostTransactionCallbackSignature } = await sdk()
  const { data } = note.safeParse(jsonOf(text))
  const callback = data && parsed(() => parsePostTransactionCallback(text))
  if (!data || !callback) throw new UmaProtocolError('PARSE_UTXO_CALLBACK_ERROR', 'The message cannot be read')
  if (callback.vaspDomain.toLowerCase() !== provider.domain) {
    throw new UmaProtocolError('SENDER_NOT_ACCEPTED', 'The message comes from another institution')
  }
  const isTrue = await isVerified(own, provider, (keys, nonces) =>
    verifyPostTransactionCallbackSignature(callback, keys, nonces),
  )
  if (!isTrue) throw new UmaProtocolError('INVALID_SIGNATURE', 'The signature is not valid')
  const paid = callback.utxos.reduce((sum, { amountMsats }) => sum + amountMsats, 0)
  if (paid !== Number(satoshis) * MSATS)
    throw new UmaProtocolError('AMOUNT_OUT_OF_RANGE', 'The amount is not that of the demand')
  return data
}

const parsed = <T>(parse: () => T): T | undefined => {
  try {
    return parse()
  } catch {
    return undefined
  }
}
