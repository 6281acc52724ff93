// Deletes unused files: uploads that stopped, that were never sent, or that nothing refers to.
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'

/** Each file has up to 39 chunks. */
const AT_ONCE = 50

export const deleteUnusedUploads: Task = {
  name: 'deleteUnusedUploads',
  cron: '*/10 * * * *',
  run: async () => {
    let deleted = 1
    while (deleted > 0) deleted = await deleteSome()
  },
}

/** Deletes the files of one platform after the other. Returns the number of deleted files. */
const deleteSome = async (): Promise<number> => {
  const unused = await db.$queryRaw<{ platformId: string; ids: string[] }[]>`
    select platform_id as "platformId", array_agg(id) as ids from (
      select platform_id, id from uploads where state <> 'KEPT' and expires_at < now() order by expires_at limit ${AT_ONCE}) unused
    group by platform_id`
  let deleted = 0
  for (const { platformId, ids } of unused) {
    deleted += await db.$executeRaw`
      delete from uploads where platform_id = ${platformId}::uuid and id in (
        select id from uploads where platform_id = ${platformId}::uuid and id = any(${ids}::uuid[]) and state <> 'KEPT' and expires_at < now()
        for update skip locked)`
  }
  return deleted
}
