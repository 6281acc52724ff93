// Payments that have not changed for a while. The lists are read in pages, oldest first.
import type { Environment } from '#core/caller.ts'
import { db, sql } from '#database/db.ts'
import { isAfter, type Position } from '#database/jobs/take-all.ts'
import { SETTLED_ENVIRONMENTS } from '#settlement/providers.ts'

interface LateQuote extends Position {
  readonly platformId: string
}

export interface StalePayment extends Position {
  readonly platformId: string
  readonly environment: Environment
}

const PAGE_SIZE = 200

/** Longer than any step of the sandbox. */
const LONG_AGO = sql`now() - interval '10 minutes'`

/** An agent's payment waits as long as its approval may still come. */
const NOT_WAITING = sql`not exists (
  select from agent_actions action
  where action.platform_id = payment.platform_id and action.transaction_id = payment.id and action.status = 'PENDING_APPROVAL')`

/** `resumeUma` continues payments that a demand settles. */
const NOT_DEMANDED = sql`not (payment.status = 'PROCESSING' and exists (
  select from uma_demands demand where demand.platform_id = payment.platform_id and demand.transaction_id = payment.id))`

/** Quotes whose outgoing payment should have expired with them, on every platform. */
export const lateQuotes = (after?: Position): Promise<LateQuote[]> => db.$queryRaw`
  select quote.platform_id as "platformId", quote.id, quote.expires_at as at
  from quotes quote
  join transactions payment on (payment.platform_id, payment.quote_id) = (quote.platform_id, quote.id)
  where quote.status = 'PENDING' and quote.expires_at < ${LONG_AGO}
    and payment.type = 'OUTGOING' and ${NOT_WAITING} and ${isAfter(sql`quote.expires_at, quote.id`, after)}
  order by quote.expires_at, quote.id limit ${PAGE_SIZE}`

/** Quotes whose challenge was not passed in time, on every platform. Only open challenges are stored. */
export const lateAuthorizations = (after?: Position): Promise<LateQuote[]> => db.$queryRaw`
  select platform_id as "platformId", quote_id as id, expires_at as at from sca_challenges
  where action = 'PAY' and expires_at < ${LONG_AGO} and ${isAfter(sql`expires_at, quote_id`, after)}
  order by expires_at, quote_id limit ${PAGE_SIZE}`

/** Payments of every platform whose refund is pending. A partial index holds only these. */
export const staleRefunds = (after?: Position): Promise<StalePayment[]> => db.$queryRaw`
  select payment.platform_id as "platformId", platform.environment::text, payment.id, payment.created_at as at
  from transactions payment
  join platforms platform on platform.id = payment.platform_id
  where payment.refund_status = 'PENDING' and payment.updated_at < ${LONG_AGO}
    and ${isAfter(sql`payment.created_at, payment.id`, after)}
  order by payment.created_at, payment.id limit ${PAGE_SIZE}`

/**
 * All other payments, on the platforms whose payments a provider settles: payments on other platforms are not even read. Every platform has a
 * stream of events. A distributed database has it on the node of the platform's payments, so each node finds its own.
 */
export const stalePayments = (after?: Position): Promise<StalePayment[]> => db.$queryRaw`
  select stream.platform_id as "platformId", platform.environment::text, stale.id, stale.created_at as at
  from event_streams stream
  join platforms platform on platform.id = stream.platform_id
  cross join lateral (
    select payment.id, payment.created_at from transactions payment
    where payment.platform_id = stream.platform_id and payment.listed_status = 'PENDING'
      and payment.refund_status is null and payment.updated_at < ${LONG_AGO}
      and not (payment.status = 'PENDING' and payment.type = 'OUTGOING' and payment.quote_id is not null)
      and (payment.status <> 'PROCESSING' or payment.expected_settlement_at is null or payment.expected_settlement_at < now())
      and ${NOT_WAITING} and ${NOT_DEMANDED} and ${isAfter(sql`payment.created_at, payment.id`, after)}
    order by payment.created_at, payment.id limit ${PAGE_SIZE}) stale
  where platform.environment = any(${SETTLED_ENVIRONMENTS}::environment[])
  order by stale.created_at, stale.id limit ${PAGE_SIZE}`
