// Payments between internal accounts need no provider: all their money is in our ledger.
import type { PlatformId } from '#core/ids.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction, timeOf } from '#database/unit-of-work.ts'
import { OUTCOMES, unlessMovedOn } from './payment-outcomes.ts'

interface Payment extends Record<string, string> {
  readonly platformId: string
  readonly transactionId: string
}

/** Completes the payment. If the receiving account cannot take the money, the payment fails and is refunded. */
export const completeInternal: Task<Payment> = {
  name: 'completeInternal',
  run: ({ platformId: platform, transactionId: id }) =>
    unlessMovedOn(() =>
      inTransaction(async (tx) => {
        const platformId = platform as PlatformId
        const payment = await tx.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
        await OUTCOMES.complete(tx, platformId, payment, { reason: 'QUOTE_EXECUTION_FAILED', now: await timeOf(tx) })
      }),
    ),
}
