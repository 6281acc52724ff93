import type { PlatformId } from '#core/ids.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { movePayment, paymentOf } from '#settlement/payment-status.ts'

interface Expiry extends Record<string, string> {
  readonly platformId: string
  readonly quoteId: string
}

/** Fails a quote with its payment if its challenge was not passed in time. No money has moved. */
export const expireAuthorization: Task<Expiry> = {
  name: 'expireAuthorization',
  run: ({ platformId: platform, quoteId }) =>
    inTransaction(async (tx) => {
      const platformId = platform as PlatformId
      const [waiting] = await tx.$queryRaw<unknown[]>`
        select 1 from quotes
        where platform_id = ${platformId}::uuid and id = ${quoteId}::uuid and status = 'PENDING_AUTHORIZATION' for no key update`
      const [open] = await tx.$queryRaw<unknown[]>`
        select 1 from sca_challenges
        where platform_id = ${platformId}::uuid and quote_id = ${quoteId}::uuid and expires_at > now()`
      if (!waiting || open) return
      await tx.scaChallenge.deleteMany({ where: { platformId, quoteId } })
      const payment = await paymentOf(tx, platformId, quoteId)
      await movePayment(tx, platformId, payment, 'FAILED', { failureReason: 'QUOTE_EXPIRED' })
    }),
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
