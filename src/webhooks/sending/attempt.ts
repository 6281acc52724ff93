// Records the result of an attempt.
import type { PlatformId } from '#core/ids.ts'
import { type Sql, sql } from '#database/db.ts'
import type { Reply } from '#http/outgoing/call.ts'
import type { WEBHOOK_TRIGGERS } from '#webhooks/delivery.ts'

export interface Attempt {
  readonly platformId: PlatformId
  readonly deliveryId: string
  readonly trigger: (typeof WEBHOOK_TRIGGERS)[number]
  readonly at: Date
  readonly reply: Reply
}

const SHOWN_CHARACTERS = 1024

/** Text that Postgres can store. */
const storable = (text: string) => text.replaceAll('\0', '\uFFFD').slice(0, SHOWN_CHARACTERS).toWellFormed()

/** Records an attempt. The attempts of a delivery are numbered from 1. The caller must hold the lock of the endpoint. */
export const recordingAttempt = ({ platformId, deliveryId, trigger, at, reply }: Attempt): Sql =>
  sql`
    insert into webhook_attempts (platform_id, delivery_id, number, trigger, at, milliseconds, response_status, response_body, failure)
    select ${platformId}::uuid, ${deliveryId}::uuid, coalesce(max(number), 0) + 1, ${trigger}::webhook_trigger, ${at.toISOString()}::timestamptz, ${reply.milliseconds}::int,
      ${reply.status}::smallint, ${reply.status === null ? null : storable(reply.body)}::text, ${reply.failure}::webhook_failure
    from webhook_attempts where platform_id = ${platformId}::uuid and delivery_id = ${deliveryId}::uuid`
