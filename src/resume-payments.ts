// Continues payments that no job drives: seeded rows, which have no jobs, and payments whose job was lost.
import type { PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { takeAll } from '#database/jobs/take-all.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import { expireAuthorization, expireQuote } from '#quotes/expire.ts'
import { isSettledByDemand } from '#settlement/carry.ts'
import { isIncomingUma } from '#settlement/incoming-decision.ts'
import { completeRefund } from '#settlement/payment-outcomes.ts'
import { lockPayment, movePayment } from '#settlement/payment-status.ts'
import { providerOf } from '#settlement/providers.ts'
import { newReference } from '#settlement/reference.ts'
import type { Changes } from '#transactions/transition.ts'
import { startTransfer } from '#transfers/start.ts'
import { lateAuthorizations, lateQuotes, type StalePayment, stalePayments, staleRefunds } from './stale-payments.ts'

/**
 * Takes every stale payment one step further. Without a settlement provider, only quotes and challenges expire here, and refunds complete.
 * Agents' payments that wait for approval keep waiting; incoming UMA payments time out.
 */
export const resumePayments: Task = {
  name: 'resumePayments',
  cron: '* * * * *',
  run: async () => {
    await takeAll('resumePayments', lateQuotes, ({ platformId, id: quoteId }) =>
      expireQuote.run({ platformId, quoteId }),
    )
    await takeAll('resumePayments', lateAuthorizations, ({ platformId, id: quoteId }) =>
      expireAuthorization.run({ platformId, quoteId }),
    )
    await takeAll('resumePayments', staleRefunds, resume)
    await takeAll('resumePayments', stalePayments, resume)
  },
}

const resume = async ({ platformId: platform, id: transactionId, environment }: StalePayment): Promise<void> => {
  const platformId = platform as PlatformId
  const payment = await db.transaction.findUniqueOrThrow({
    where: { platformId_id: { platformId, id: transactionId } },
  })
  const { status, quoteId, refundStatus } = payment
  const provider = providerOf(environment)
  // The payment may have started since the list was read. Another job continues it then.
  if (status === 'PROCESSING' && (await isSettledByDemand(payment))) return
  // Without a provider, the money is still in our ledger.
  if (refundStatus === 'PENDING')
    return provider ? provider.resumeRefund(payment) : completeRefund(platformId, transactionId)
  switch (status) {
    case 'CREATED':
      return end(payment, 'EXPIRED', { reconciliationReference: newReference() })
    case 'PENDING_AUTHORIZATION':
      return end(payment, 'FAILED', { failureReason: 'QUOTE_EXPIRED' })
    case 'PENDING':
      if (isIncomingUma(payment)) return end(payment, 'FAILED', { failureReason: 'PAYMENT_APPROVAL_TIMED_OUT' })
      return quoteId === null
        ? startTransfer.run({ platformId, transactionId })
        : expireQuote.run({ platformId, quoteId })
    default:
      return provider?.resume(payment)
  }
}

/** Ends a payment that has not moved any money, unless it has moved on since it was read. */
const end = (payment: Transaction, status: 'EXPIRED' | 'FAILED', changes: Changes) =>
  inTransaction(async (tx) => {
    if ((await lockPayment(tx, payment)) !== payment.status) return
    await movePayment(tx, payment.platformId as PlatformId, payment, status, changes)
  })
