// All job types that the gateway runs.

import { expireApprovals } from '#agents/actions/expire.ts'
import { issueCard } from '#cards/sandbox/issuer.ts'
import { deleteOldNumberPages } from '#cards/sandbox/number-page.ts'
import { refreshExchangeRates } from '#corridors/rates/refresh.ts'
import { forgetExpired } from '#credentials/signed-retry/pending-request.ts'
import { importCustomers } from '#customers/bulk/import.ts'
import { query, sql } from '#database/db.ts'
import { deleteFailedJobs } from '#database/jobs/failed-jobs.ts'
import { knownTasks, type Task } from '#database/jobs/jobs.ts'
import { forgetSpentNodes } from '#database/spent-nodes.ts'
import { expireAuthorization, expireQuote } from '#quotes/expire.ts'
import { expireIncoming } from '#quotes/receiving/payment.ts'
import { sendScaCode } from '#sca/challenge/send-code.ts'
import { forgetExpiredCodes } from '#sca/contacts/verification.ts'
import { completeInternal } from '#settlement/internal.ts'
import { advancePayment, settleRefund } from '#settlement/sandbox/events.ts'
import { tellPayment } from '#settlement/uma/pay.ts'
import { expireDemand } from '#settlement/uma/receive.ts'
import { forgetUma, resumeUma } from '#settlement/uma/resume.ts'
import { resumeStablecoins } from '#stablecoins/resume.ts'
import { advanceStablecoin } from '#stablecoins/sandbox/provider.ts'
import { endCardPull } from '#transactions/cards/confirm.ts'
import { reportCardUse } from '#transactions/cards/simulation/report-use.ts'
import { startTransfer } from '#transfers/start.ts'
import { deleteUnusedUploads } from '#uploads/clean-up.ts'
import { deleteOldKycLinks } from '#verification/kyc-link.ts'
import { recheckVerification } from '#verification/recheck.ts'
import { decideVerification } from '#verification/sandbox/decide.ts'
import { endApproval } from '#webhooks/approval.ts'
import { skipDeliveries } from '#webhooks/removal.ts'
import { finishRotations } from '#webhooks/rotation.ts'
import { keepPartitionsInTime } from './partitions.ts'
import { resumePayments } from './resume-payments.ts'

/** In the worst case, all of different customers and accounts, folding this many takes one of the five seconds that a statement may take. */
const FOLD_AT_ONCE = 5_000
/** Under steady load there are always new changes. They wait for the next run, in the next minute. */
const FOLD_WITHIN_MS = 25_000

const foldCounts: Task = {
  name: 'foldCounts',
  cron: '* * * * *',
  run: async () => {
    const end = performance.now() + FOLD_WITHIN_MS
    // A call folds at most a thousand platforms.
    let moved = 1
    while (moved > 0 && performance.now() < end) {
      const [row] = await query(sql`select fold_transaction_counts(${FOLD_AT_ONCE})`)
      moved = Number(row?.[0])
    }
    // Every count reads past the rows that were folded until they are vacuumed away. Their space serves the next ones: giving it back would
    // wait for a moment without writers, longer than a statement may take.
    await query(sql`vacuum (skip_locked, truncate false) transaction_count_changes`)
  },
}

const forgetExpiredRequests: Task = {
  name: 'forgetExpiredRequests',
  cron: '*/10 * * * *',
  run: async () => {
    await forgetExpired()
    await forgetSpentNodes()
    await forgetExpiredCodes()
  },
}

export const tasks = knownTasks([
  foldCounts,
  forgetExpiredRequests,
  deleteFailedJobs,
  keepPartitionsInTime,
  expireQuote,
  expireAuthorization,
  expireIncoming,
  sendScaCode,
  expireApprovals,
  startTransfer,
  issueCard,
  deleteOldNumberPages,
  reportCardUse,
  endCardPull,
  importCustomers,
  advancePayment,
  completeInternal,
  settleRefund,
  resumePayments,
  finishRotations,
  endApproval,
  skipDeliveries,
  tellPayment,
  expireDemand,
  resumeUma,
  forgetUma,
  deleteUnusedUploads,
  deleteOldKycLinks,
  decideVerification,
  recheckVerification,
  refreshExchangeRates,
  advanceStablecoin,
  resumeStablecoins,
])
