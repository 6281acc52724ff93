// Deletes unused files: uploads that stopped, that were never sent, or that nothing refers to.
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs.ts'

/** Each has up to 39 chunks. */
const AT_ONCE = 50

export const deleteUnusedUploads: Task = {
  name: 'deleteUnusedUploads',
  cron: '*/10 * * * *',
  run: async () => {
    let deleted = AT_ONCE
    while (deleted === AT_ONCE) {
      deleted = await db.$executeRaw`
        delete from uploads where (platform_id, id) in (
          select platform_id, id from uploads where state <> 'KEPT' and expires_at < now() order by expires_at limit ${AT_ONCE}
          for update skip locked)`
    }
  },
}
