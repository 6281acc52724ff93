// Continues payments that no job drives: seeded rows, which have no jobs, and payments whose job was lost.
import type { Environment } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { logFailure } from '#core/log.ts'
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import { expireQuote } from '#quotes/expire.ts'
import { movePayment } from '#settlement/payment-status.ts'
import { providerOf, SETTLED_ENVIRONMENTS } from '#settlement/providers.ts'
import { startTransfer } from '#transfers/transfer.ts'

/** Payments per run. The next run, a minute later, takes the following ones. */
const AT_ONCE = 200

/** Longer than any step of the sandbox. */
const STALE_AFTER = '10 minutes'

/**
 * Takes every stale payment one step further. Without a settlement provider only quotes expire here. Payments that wait for the approval
 * of a platform keep waiting.
 */
export const resumePayments: Task = {
  name: 'resumePayments',
  cron: '* * * * *',
  run: async () => {
    const stale = await db.$queryRawUnsafe<Stale[]>(STALE)
    for (const { platform_id: platformId, id, environment } of stale) {
      try {
        await resume(
          environment,
          await db.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } }),
        )
      } catch (error) {
        logFailure({ task: 'resumePayments' }, error)
      }
    }
  },
}

interface Stale {
  readonly platform_id: string
  readonly id: string
  readonly environment: Environment
}

const STALE = `
  select payment.platform_id, payment.id, platform.environment::text
  from transactions payment
  join platforms platform on platform.id = payment.platform_id
  left join quotes quote on (quote.platform_id, quote.id) = (payment.platform_id, payment.quote_id)
  where (payment.status in ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING') or payment.refund_status = 'PENDING')
    and payment.updated_at < now() - interval '${STALE_AFTER}'
    and case
      when payment.status = 'PENDING' and quote.id is not null then quote.expires_at < now()
      else platform.environment = any(array[${SETTLED_ENVIRONMENTS.map((each) => `'${each}'`)}]::environment[])
        and (payment.status <> 'PROCESSING' or payment.expected_settlement_at is null or payment.expected_settlement_at < now())
    end
    and not exists (
      select from agent_actions action
      where action.platform_id = payment.platform_id and action.transaction_id = payment.id and action.status = 'PENDING_APPROVAL')
  order by payment.updated_at limit ${AT_ONCE}`

const resume = async (environment: Environment, payment: Transaction): Promise<void> => {
  const { id: transactionId, status, quoteId, refundStatus } = payment
  const platformId = payment.platformId as PlatformId
  const provider = providerOf(environment)
  if (refundStatus === 'PENDING') return provider?.resumeRefund(payment)
  switch (status) {
    case 'CREATED':
      return end(payment, 'EXPIRED')
    case 'PENDING_AUTHORIZATION':
      return end(payment, 'FAILED', 'QUOTE_EXPIRED')
    case 'PENDING':
      if (payment.type === 'INCOMING' && payment.sourceType === 'UMA_ADDRESS') {
        return end(payment, 'FAILED', 'PAYMENT_APPROVAL_TIMED_OUT')
      }
      return quoteId === null
        ? startTransfer.run({ platformId, transactionId })
        : expireQuote.run({ platformId, quoteId })
    default:
      return provider?.resume(payment)
  }
}

/** Ends a payment that has not moved any money. */
const end = (payment: Transaction, status: 'EXPIRED' | 'FAILED', failureReason?: Transaction['failureReason']) =>
  inTransaction((tx) =>
    movePayment(tx, payment.platformId as PlatformId, payment, status, failureReason ? { failureReason } : {}),
  )
