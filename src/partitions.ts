// Tables whose rows matter only for some days have partitions of a day or a week, which are dropped whole (docs/scale.md#retention).
import { query, sql } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { DAYS_OF_PARTITION, KEPT_DAYS } from '#events/retention.ts'

/** The number of days in a partition of the table, and for how many days it is kept afterwards. */
const PARTITIONED = {
  idempotent_replies: { days: 1, keptDays: 1 },
  oidc_token_uses: { days: 1, keptDays: 1 },
  uma_nonces: { days: 1, keptDays: 1 },
  sent_codes: { days: 1, keptDays: 1 },
  webhook_attempts: { days: DAYS_OF_PARTITION, keptDays: KEPT_DAYS },
  webhook_deliveries: { days: DAYS_OF_PARTITION, keptDays: KEPT_DAYS },
  events: { days: DAYS_OF_PARTITION, keptDays: KEPT_DAYS },
} as const

/**
 * Adds the partitions of the days to come and drops those of the days that are over. While another process does so, and
 * where a lock cannot be acquired at once, the work is left to the next run.
 */
export const keepPartitions = async (): Promise<void> => {
  for (const [table, { days, keptDays }] of Object.entries(PARTITIONED)) {
    let hasMore = true
    while (hasMore) {
      const [row] = await query(sql`select keep_partitions(${table}::text::regclass, ${keptDays}::int, ${days}::int)`)
      hasMore = row?.[0] === 't'
    }
  }
}

export const keepPartitionsInTime: Task = { name: 'keepPartitions', cron: '*/10 * * * *', run: keepPartitions }
