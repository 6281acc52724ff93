// All job types that the gateway runs.

import { expireApprovals } from '#agents/actions/expire.ts'
import { forgetExpired } from '#credentials/signed-retry/pending-request.ts'
import { importCustomers } from '#customers/bulk/import.ts'
import { query, sql } from '#database/db.ts'
import type { Task } from '#database/jobs.ts'
import { deleteOldEvents } from '#events/retention.ts'
import { deleteOldAnswers } from '#idempotency/idempotency.ts'
import { expireAuthorization, expireQuote } from '#quotes/expire.ts'
import { resumePayments } from '#resume-payments.ts'
import { sendScaCode } from '#sca/challenge/send-code.ts'
import { forgetSentCodes } from '#sca/sent-codes.ts'
import { advancePayment } from '#settlement/sandbox/events.ts'
import { startTransfer } from '#transfers/transfer.ts'
import { deleteUnusedUploads } from '#uploads/clean-up.ts'
import { deleteOldKycLinks } from '#verification/kyc-link.ts'
import { recheckVerification } from '#verification/recheck.ts'
import { decideVerification } from '#verification/sandbox/decide.ts'
import { endApproval } from '#webhooks/approval.ts'
import { finishRotations } from '#webhooks/rotation.ts'

/** In the worst case, all of different customers, folding this many takes two of the five seconds that a statement may take. */
const FOLD_AT_ONCE = 20_000

const foldCounts: Task = {
  name: 'foldCounts',
  cron: '* * * * *',
  run: async () => {
    let moved = FOLD_AT_ONCE
    while (moved === FOLD_AT_ONCE) {
      const [row] = await query(sql`select fold_transaction_counts(${FOLD_AT_ONCE})`)
      moved = Number(row?.[0])
    }
    // Every count reads past the rows that were folded until they are vacuumed away. Their space serves the next ones: giving it back would
    // wait for a moment without writers, longer than a statement may take.
    await query(sql`vacuum (skip_locked, truncate false) transaction_count_changes`)
  },
}

const forgetCodesAndRequests = async () => {
  await forgetExpired()
  await forgetSentCodes()
}
const forgetExpiredRequests: Task = { name: 'forgetExpiredRequests', cron: '*/10 * * * *', run: forgetCodesAndRequests }
const forgetOldAnswers: Task = { name: 'forgetOldAnswers', cron: '*/10 * * * *', run: deleteOldAnswers }

export const tasks: readonly Task<never>[] = [
  foldCounts,
  forgetExpiredRequests,
  forgetOldAnswers,
  deleteOldEvents,
  expireQuote,
  expireAuthorization,
  sendScaCode,
  expireApprovals,
  startTransfer,
  importCustomers,
  advancePayment,
  resumePayments,
  finishRotations,
  endApproval,
  deleteUnusedUploads,
  deleteOldKycLinks,
  decideVerification,
  recheckVerification,
]
