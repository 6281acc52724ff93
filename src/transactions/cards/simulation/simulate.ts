// Simulated card use in the sandbox (docs/domain/cards.md#simulated-card-use). A call only checks and accepts; a job does what the issuer would
// report.

import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { unknownCard } from '#cards/card.ts'
import { requireIssuer } from '#cards/issuers.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { partsOfId, requireUuid } from '#core/ids.ts'
import { parse } from '#core/input.ts'
import { requireSandbox } from '#core/only-sandbox.ts'
import { db } from '#database/db.ts'
import { addJob } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { Card as CardRow, CardState } from '#generated/prisma/client.ts'
import { type CardStep, requireStep } from '#transactions/cards/steps.ts'
import { reportCardUse, type Use } from './report-use.ts'
import {
  type AuthorizationKind,
  adviceRequest,
  authorizationRequest,
  clearingRequest,
  inquiryRequest,
  returnRequest,
  reversalRequest,
} from './request.ts'

export interface SimulationAccepted {
  readonly issuerTransactionToken: string
}

export const SIMULATION_TEXTS = {
  issuerTransactionToken:
    'Id of the card transaction at the issuer. For an authorization, the `issuerTransactionToken` of the transaction that it creates.',
} as const

/** Needs the permission MANAGE. Throws 403 `FORBIDDEN` outside the sandbox, and 501 `NOT_IMPLEMENTED` if cards are switched off. */
export const requireSimulation = (caller: PlatformCaller): void => {
  requireSandbox(caller, 'MANAGE')
  requireIssuer(caller)
}

/** Whether a use of the card can be simulated, by its state. A frozen card declines. */
const USABLE: Readonly<Record<CardState, boolean>> = {
  PENDING_KYC: false,
  PROCESSING: false,
  ACTIVE: true,
  FROZEN: true,
  CLOSED: false,
}

const findCard = async ({ platformId }: PlatformCaller, id: string): Promise<CardRow> => {
  const uuid = requireUuid('Card', id, unknownCard)
  const card = await db.card.findUnique({ where: { platformId_id: { platformId, id: uuid } } })
  if (!card) throw unknownCard()
  return card
}

const findUsableCard = async (caller: PlatformCaller, id: string): Promise<CardRow> => {
  const card = await findCard(caller, id)
  if (USABLE[card.state]) return card
  throw new ApiError('INVALID_INPUT', `A card that is ${card.state} cannot be used`, {
    field: 'cardId',
    reason: 'CARD_NOT_ACTIVE',
  })
}

const DIRECTIONS: Readonly<Record<AuthorizationKind, Pick<Use, 'direction' | 'isFinancial'>>> = {
  AUTHORIZATION: { direction: 'DEBIT', isFinancial: false },
  CREDIT_AUTHORIZATION: { direction: 'CREDIT', isFinancial: false },
  FINANCIAL_AUTHORIZATION: { direction: 'DEBIT', isFinancial: true },
  FINANCIAL_CREDIT_AUTHORIZATION: { direction: 'CREDIT', isFinancial: true },
  CREDIT_AUTHORIZATION_ADVICE: { direction: 'CREDIT', isFinancial: false },
}

/**
 * A new use of the card, which may still be declined. Throws the errors of `requireSimulation` before anything else, 400 `INVALID_INPUT`, 404
 * `REFERENCE_NOT_FOUND` for an unknown card, 400 `INVALID_INPUT`, reason `CARD_NOT_ACTIVE`, and 400 `INVALID_CURRENCY`.
 */
export const simulateAuthorization = async (
  caller: PlatformCaller,
  cardId: string,
  kind: AuthorizationKind,
  input: unknown,
): Promise<SimulationAccepted> => {
  requireSimulation(caller)
  const { amount, currency, merchant } = parse(authorizationRequest, input)
  const { platformId, id, accountId } = await findUsableCard(caller, cardId)
  const account = await db.internalAccount.findUniqueOrThrow({
    where: { platformId_id: { platformId, id: accountId } },
  })
  if (account.currency !== currency.code) {
    throw new ApiError('INVALID_CURRENCY', `The currency of the card is ${account.currency}`, {
      field: 'currency.code',
    })
  }
  const issuerTransactionToken = newToken('itx')
  const { descriptor, mcc = null, country = null } = merchant
  await report({
    ...{ platformId, cardId: id, step: 'AUTHORIZATION', transactionId: null, ...DIRECTIONS[kind] },
    ...{ amount: Number(amount), currency: account.currency, descriptor, mcc, country, token: issuerTransactionToken },
  })
  return { issuerTransactionToken }
}

/** Throws the same errors, `INVALID_CURRENCY` excepted. It changes nothing. */
export const simulateInquiry = async (
  caller: PlatformCaller,
  cardId: string,
  input: unknown,
): Promise<SimulationAccepted> => {
  requireSimulation(caller)
  parse(inquiryRequest, input)
  await findUsableCard(caller, cardId)
  return { issuerTransactionToken: newToken('itx') }
}

/** The body of each later step. */
const STEP_REQUESTS = {
  AUTHORIZATION_ADVICE: adviceRequest,
  CLEARING: clearingRequest,
  RETURN: returnRequest,
  RETURN_REVERSAL: reversalRequest,
} as const satisfies Readonly<Record<CardStep, z.ZodType>>

/**
 * A later step of a transaction of the card, even if the card has been closed since. Throws the errors of `requireSimulation` before anything
 * else, 400 `INVALID_INPUT`, 404 `REFERENCE_NOT_FOUND` for an unknown card and for a transaction that is not this card's, and the errors of
 * `requireStep`. A step that is no longer allowed when its turn comes changes nothing.
 */
export const simulateStep = async (
  caller: PlatformCaller,
  cardId: string,
  step: CardStep,
  input: unknown,
): Promise<SimulationAccepted> => {
  requireSimulation(caller)
  const request = parse<{ readonly cardTransactionId: string; readonly amount?: bigint }>(STEP_REQUESTS[step], input)
  const { platformId, id } = await findCard(caller, cardId)
  const transactionId = partsOfId(request.cardTransactionId).uuid
  const found = await db.transaction.findFirst({ where: { platformId, id: transactionId, cardId: id, type: 'CARD' } })
  if (!found) throw new ApiError('REFERENCE_NOT_FOUND', 'The card has no such transaction')
  const amount = request.amount ?? 0n
  requireStep(found, step, amount)
  const token = newToken('iev')
  await report({
    ...{ platformId, cardId: id, step, transactionId, direction: found.direction, isFinancial: false },
    ...{ amount: Number(amount), currency: null, descriptor: null, mcc: null, country: null, token },
  })
  return { issuerTransactionToken: found.issuerTransactionToken ?? token }
}

/** The reports about one card keep their order. */
const report = (use: Use): Promise<void> =>
  inTransaction((tx) => addJob(tx, reportCardUse, use, { queue: `card use ${use.cardId.slice(-2)}` }))

const newToken = (prefix: 'itx' | 'iev') => `${prefix}_${randomBytes(12).toString('hex')}`
