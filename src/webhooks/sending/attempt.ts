// Records the results of attempts.
import type { PlatformId } from '#core/ids.ts'
import { type Sql, sql } from '#database/db.ts'
import type { Reply } from '#http/outgoing/call.ts'
import type { WEBHOOK_TRIGGERS } from '#webhooks/delivery.ts'

export interface Attempt {
  readonly deliveryId: string
  readonly trigger: (typeof WEBHOOK_TRIGGERS)[number]
  readonly at: Date
  readonly reply: Reply
}

const SHOWN_CHARACTERS = 1024

/** Text that Postgres can store. */
const storable = (text: string) => text.replaceAll('\0', '\uFFFD').slice(0, SHOWN_CHARACTERS).toWellFormed()

/** Records an attempt of each delivery. Those of a delivery are numbered from 1. The caller must hold the lock of the endpoint. */
export const recordingAttempts = (platformId: PlatformId, attempts: readonly Attempt[]): Sql => {
  const each = <T>(value: (attempt: Attempt) => T) => attempts.map(value)
  return sql`
    insert into webhook_attempts (platform_id, delivery_id, number, trigger, at, milliseconds, response_status, response_body, failure)
    select ${platformId}::uuid, attempt.delivery_id, earlier.attempts + 1, attempt.trigger, attempt.at, attempt.milliseconds, attempt.status, attempt.body, attempt.failure
    from unnest(
      ${each(({ deliveryId }) => deliveryId)}::uuid[], ${each(({ trigger }) => trigger)}::webhook_trigger[],
      ${each(({ at }) => at.toISOString())}::timestamptz[], ${each(({ reply }) => reply.milliseconds)}::int[],
      ${each(({ reply }) => reply.status)}::smallint[], ${each(({ reply }) => (reply.status === null ? null : storable(reply.body)))}::text[],
      ${each(({ reply }) => reply.failure)}::webhook_failure[]
    ) as attempt (delivery_id, trigger, at, milliseconds, status, body, failure)
    cross join lateral (
      select coalesce(max(number), 0) as attempts from webhook_attempts
      where platform_id = ${platformId}::uuid and delivery_id = attempt.delivery_id) earlier`
}
