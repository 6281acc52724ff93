// The demand for one payment: the "invoice" of our settlement layer (docs/domain/uma.md#settlement). The protocol signs
// no amounts, so the demand has its own signature, and so do the statements of both institutions about it.
import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { privateKeyOf } from './certificate.ts'
import type { Institution } from './own-keys.ts'
import { jsonOf, MSATS, SETTLEMENT } from './wire.ts'

export interface Demand {
  readonly demandId: string
  readonly payer: string
  readonly payee: string
  /** The domain of the payee's institution. */
  readonly payeeDomain: string
  readonly satoshis: bigint
  readonly currency: string
  /** What the payee receives, in the smallest unit of `currency`. */
  readonly amount: bigint
  readonly expiresAt: Date
}

const PREFIX = 'ledger1'

/** It cannot be mistaken for a Lightning invoice. */
export const demandText = (own: Institution, demand: Demand): string => {
  const { demandId, payer, payee, payeeDomain, satoshis, currency, amount, expiresAt } = demand
  const fields = [
    demandId,
    payer,
    payee,
    payeeDomain,
    SETTLEMENT.assetIdentifier,
    Number(satoshis) * MSATS,
    currency,
    Number(amount),
    Math.floor(expiresAt.getTime() / 1_000),
  ]
  const text = JSON.stringify(fields)
  return `${PREFIX}.${Buffer.from(text).toString('base64url')}.${signText(own, text)}`
}

const positive = z.int().min(1)
const fields = z.tuple([
  z.uuid(),
  z.string(),
  z.string(),
  z.string(),
  z.literal(SETTLEMENT.assetIdentifier),
  positive.multipleOf(MSATS),
  z.string(),
  positive,
  positive,
])

/** Undefined unless it is a demand that the key has signed. */
export const readDemand = (text: string, key: KeyObject): Demand | undefined => {
  const [prefix, body = '', signature = '', ...rest] = text.split('.')
  if (prefix !== PREFIX || rest.length > 0) return undefined
  const clear = Buffer.from(body, 'base64url').toString('utf8')
  if (!isSigned(clear, signature, key)) return undefined
  const { data } = fields.safeParse(jsonOf(clear))
  if (!data) return undefined
  const [demandId, payer, payee, payeeDomain, , msats, currency, amount, expires] = data
  return {
    demandId,
    payer,
    payee,
    payeeDomain,
    satoshis: BigInt(msats / MSATS),
    currency,
    amount: BigInt(amount),
    expiresAt: new Date(expires * 1_000),
  }
}

/** The hash of the settlement transfer, which both institutions can compute. */
export const movementHash = (demandId: string, payerDomain: string): string =>
  createHash('sha256').update(`${demandId} ${payerDomain}`).digest('hex')

/** ECDSA over SHA-256, DER in hexadecimal: the form of the protocol's own signatures. */
const signText = ({ signingKey }: Institution, text: string): string =>
  sign('sha256', Buffer.from(text), privateKeyOf(signingKey)).toString('hex')

const isSigned = (text: string, signature: string, key: KeyObject): boolean => {
  try {
    return verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'hex'))
  } catch {
    return false
  }
}

/** A statement of one institution to the other about a demand: it is paid, settled or refused. */
export interface SettlementStatement {
  readonly said: 'PAID' | 'SETTLED' | 'REFUSED'
  readonly demandId: string
  readonly satoshis: bigint
  readonly movement: string
  /** Why it was refused. */
  readonly code?: string | null
}

const statementText = ({ said, demandId, satoshis, movement, code = null }: SettlementStatement) =>
  JSON.stringify([said, demandId, SETTLEMENT.assetIdentifier, Number(satoshis) * MSATS, movement, code])

export const signStatement = (own: Institution, statement: SettlementStatement): string =>
  signText(own, statementText(statement))

export const isSignedStatement = (statement: SettlementStatement, signature: unknown, key: KeyObject): boolean =>
  typeof signature === 'string' && isSigned(statementText(statement), signature, key)
