import type { PlatformId } from '#core/ids.ts'
import type { Task } from '#database/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { movePayment, paymentOf } from '#settlement/payment-status.ts'

interface Expiry extends Record<string, string> {
  readonly platformId: string
  readonly quoteId: string
}

/** Expires a quote with its transaction, unless the quote was executed or funded. No money has moved. */
export const expireQuote: Task<Expiry> = {
  name: 'expireQuote',
  run: ({ platformId: platform, quoteId }) =>
    inTransaction(async (tx) => {
      const platformId = platform as PlatformId
      const [pending] = await tx.$queryRaw<unknown[]>`
        select 1 from quotes
        where platform_id = ${platformId}::uuid and id = ${quoteId}::uuid and status = 'PENDING' and expires_at <= now()
        for no key update`
      if (!pending) return
      await movePayment(tx, platformId, await paymentOf(tx, platformId, quoteId), 'EXPIRED')
    }),
}
