// The steps that a card transaction allows, by its status.
import { ApiError, invalidInput } from '#core/errors.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import type { Transaction as TransactionRow } from '#generated/prisma/client.ts'
import type { CardEventKind, CardTransactionStatus } from './history.ts'

export type CardStep = Exclude<CardEventKind, 'AUTHORIZATION'>

const OPEN = ['AUTHORIZED', 'PARTIALLY_SETTLED'] as const

/** The statuses that each step may follow. */
export const CARD_STEPS: Readonly<Record<CardStep, readonly CardTransactionStatus[]>> = {
  AUTHORIZATION_ADVICE: OPEN,
  CLEARING: OPEN,
  RETURN: ['SETTLED', 'REFUNDED'],
  RETURN_REVERSAL: ['REFUNDED'],
}

type Facts = Pick<TransactionRow, 'status' | 'direction' | 'settledAmount' | 'refundedAmount'>

/**
 * Throws 400 `INVALID_INPUT`, reason `WRONG_STATUS`, for a step that may not follow, 400 `INVALID_INPUT` for an amount that the step cannot
 * have, and 400 `AMOUNT_OUT_OF_RANGE` if the clearings would add up to more than 9e15.
 */
export const requireStep = (
  { status, direction, settledAmount, refundedAmount }: Facts,
  step: CardStep,
  amount: bigint,
): void => {
  if (!CARD_STEPS[step].some((allowed) => allowed === status) || (step === 'RETURN' && direction === 'CREDIT')) {
    throw new ApiError(
      'INVALID_INPUT',
      `This step is not allowed for a ${direction} card transaction that is ${status}`,
      {
        field: 'cardTransactionId',
        reason: 'WRONG_STATUS',
      },
    )
  }
  const settled = settledAmount ?? 0n
  const net = settled - (refundedAmount ?? 0n)
  if (step === 'CLEARING' && settled + amount > MAX_AMOUNT) {
    throw new ApiError(
      'AMOUNT_OUT_OF_RANGE',
      'The clearings would exceed the largest amount that the gateway accepts',
      { field: 'amount' },
    )
  }
  if (step === 'AUTHORIZATION_ADVICE' && amount < settled) {
    throw invalidInput('amount', 'amount must not be below the cleared amount', { minimum: Number(settled) })
  }
  if (step === 'RETURN' && amount > net) {
    throw invalidInput('amount', 'amount must not exceed the settled amount that has not been returned', {
      maximum: Number(net),
    })
  }
}
