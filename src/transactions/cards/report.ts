// Applies the issuer's reports about a card transaction: advices, clearings, returns and their reversals (docs/domain/cards.md#card-money).
import { requireFunds } from '#accounts/ledger.ts'
import { lockAccounts } from '#accounts/lock.ts'
import type { CardIssuer } from '#cards/issuer.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { isConfirmed, scheduleEnd } from './confirm.ts'
import { authorizedOf, coveredOf, hasRoomFor, openReturns, owedOf, summaryOf, surplusOf } from './history.ts'
import { endPull, giveBack, mayPull, moveMoney, oweMoney, pullAfterwards, startPull, takeBack } from './pulls.ts'
import { type CardStep, requireStep } from './steps.ts'
import { addEvent, type CardTransaction, isReported, lockCardTransaction, writeSummary } from './stored.ts'

export interface Report {
  readonly transactionId: string
  readonly step: CardStep
  /** In the smallest unit of the card's currency. For an advice, the new total; unused for a reversal. */
  readonly amount: bigint
  /** Identifies the report: one that arrives twice counts once. */
  readonly token: string
}

/**
 * Applies the report. Throws the errors of `requireStep`, 404 `REFERENCE_NOT_FOUND`, 400 `INVALID_AMOUNT` for an advice that the account
 * cannot pay, and 400 `AMOUNT_OUT_OF_RANGE` if the account would hold, or an advice would pull in total, more than 9e15; nothing has changed
 * then.
 */
export const applyReport = async (
  tx: Tx,
  platformId: PlatformId,
  issuer: CardIssuer,
  { transactionId, step, amount, token }: Report,
): Promise<void> => {
  const transaction = await lockCardTransaction(tx, platformId, transactionId)
  if (!transaction) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such card transaction')
  if (await isReported(tx, platformId, token)) return
  requireStep(transaction.row, step, amount)
  await lockAccounts(tx, { platformId }, [transaction.accountId])
  switch (step) {
    case 'AUTHORIZATION_ADVICE':
      return advise(tx, transaction, issuer, amount, token)
    case 'CLEARING':
      return clear(tx, transaction, amount, token)
    case 'RETURN':
      return takeReturn(tx, transaction, amount, token)
    case 'RETURN_REVERSAL':
      return reverseReturn(tx, transaction, token)
  }
}

/** More is held and pulled at once, and less is given back at once. */
const advise = async (tx: Tx, before: CardTransaction, issuer: CardIssuer, total: bigint, token: string) => {
  const more = total - authorizedOf(before.events)
  let after = before
  if (before.direction === 'DEBIT' && more > 0n) {
    await requireFunds(tx, before.platformId, before.accountId, more)
    if (!(await mayPull(tx, before, coveredOf(before.pulls) + more))) {
      throw new ApiError('INVALID_AMOUNT', 'The card may not pull that much', { reason: 'PULL_NOT_ALLOWED' })
    }
    if (!hasRoomFor(before.pulls, more)) {
      throw new ApiError('AMOUNT_OUT_OF_RANGE', 'The pulls would exceed the largest amount that the gateway accepts')
    }
    after = await startPull(tx, before, more)
    await scheduleEnd(tx, after, issuer.pullOutcome(before.row.merchantDescriptor ?? '').afterSeconds)
  }
  if (before.direction === 'DEBIT' && more < 0n) {
    const tooMuch = coveredOf(before.pulls) - total
    after = await giveBack(tx, before, tooMuch > 0n ? tooMuch : 0n)
  }
  await writeSummary(tx, await addEvent(tx, after, { kind: 'AUTHORIZATION_ADVICE', amount: total }, token), 'ADVISED')
}

/** Ends the pending pulls, pulls what is missing, and gives back what is left when it was the last clearing. */
const clear = async (tx: Tx, before: CardTransaction, amount: bigint, token: string) => {
  let after = await addEvent(tx, before, { kind: 'CLEARING', amount }, token)
  if (before.direction === 'CREDIT') await moveMoney(tx, after, amount)
  else {
    const confirmed = await isConfirmed(tx, before)
    for (const pull of before.pulls) after = await endPull(tx, after, pull, confirmed)
    const hasFailed = after.pulls.some(({ status }) => status === 'FAILED')
    if (owedOf(after) > 0n && !hasFailed) after = await pullAfterwards(tx, after, owedOf(after))
    if (owedOf(after) > 0n) await oweMoney(tx, after, owedOf(after))
    if (summaryOf(after).status === 'SETTLED') after = await giveBack(tx, after, surplusOf(after))
  }
  await writeSummary(tx, after, 'REPORTED')
}

const takeReturn = async (tx: Tx, before: CardTransaction, amount: bigint, token: string) => {
  const after = await addEvent(tx, before, { kind: 'RETURN', amount }, token)
  await moveMoney(tx, after, amount)
  await writeSummary(tx, after, 'REPORTED')
}

const reverseReturn = async (tx: Tx, before: CardTransaction, token: string) => {
  const amount = openReturns(before.events).at(-1)?.amount ?? 0n
  const after = await addEvent(tx, before, { kind: 'RETURN_REVERSAL', amount }, token)
  await takeBack(tx, after, amount)
  await writeSummary(tx, after, 'REPORTED')
}
