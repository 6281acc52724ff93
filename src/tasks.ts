// Every kind of job that the gateway runs.
import { query, sql } from '#core/db.ts'
import type { Task } from '#core/jobs.ts'
import { forgetExpired } from '#credentials/signed-request.ts'
import { expireQuote } from '#payments/expire-quote.ts'
import { forgetAnswers } from '#payments/idempotency.ts'
import { advancePayment } from '#payments/settle.ts'
import { startTransfer } from '#payments/transfer.ts'

const foldCounts: Task = {
  name: 'foldCounts',
  cron: '* * * * *',
  run: async () => {
    await query(sql`select fold_transaction_counts()`)
  },
}

const forgetExpiredRequests: Task = { name: 'forgetExpiredRequests', cron: '*/10 * * * *', run: forgetExpired }
const forgetOldAnswers: Task = { name: 'forgetOldAnswers', cron: '*/10 * * * *', run: forgetAnswers }

export const tasks: readonly Task<never>[] = [
  foldCounts,
  forgetExpiredRequests,
  forgetOldAnswers,
  expireQuote,
  startTransfer,
  advancePayment,
]
