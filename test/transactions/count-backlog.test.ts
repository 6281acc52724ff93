// Counts stay exact without reading the rows, and any backlog of changes is folded away.
// Own process: reads every row of its database.
// Not distributed: it counts the buffers of one Postgres.
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { newUuid, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { tasks } from '#tasks.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { buffersOfPlan, planner } from '#test/setup/read-buffers.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

/** Three batches, the last one incomplete. */
const CHANGES = 12_500

const ACCOUNT = newUuid()

const pileUp = ({ id }: Platform) =>
  db.$executeRaw`
    insert into transaction_count_changes (platform_id, customer_id, parent_ids, day, type, direction, status, currency, change, amount)
    select ${id}::uuid, case when n % 10 > 0 then md5((n % 1000)::text)::uuid end, array[${ACCOUNT}::uuid, md5((n % 2000)::text)::uuid],
      date '2026-01-01' + n % 31, 'OUTGOING', 'DEBIT',
      case when n % 2 = 0 then 'COMPLETED' else 'FAILED' end::transaction_lifecycle_status, 'USD', 1, 5
    from generate_series(1, ${CHANGES}::int) as n`

const countOf = async (platform: Platform) => {
  const { body } = await callGraphQL(
    basic(platform),
    `{ all: transactions { totalCount } failed: transactions(filter: { status: FAILED }) { totalCount }
       ofAccount: transactions(filter: { accountIdentifier: "${publicId('InternalAccount', ACCOUNT)}", status: FAILED }) { totalCount } }`,
  )
  return [body.data.all.totalCount, body.data.failed.totalCount, body.data.ofAccount.totalCount]
}

const folded = () => db.$queryRaw`
  select (select count(*) from transaction_count_changes)::int as changes,
    (select sum(count) from platform_transaction_counts)::int as of_platforms,
    (select sum(count) from customer_transaction_counts)::int as of_customers,
    (select sum(count) from parent_transaction_counts)::int as of_parents,
    (select sum(count) from platform_transaction_days)::int as of_days, (select sum(amount) from platform_transaction_days)::int as amount`

const fold = async () => {
  await tasks.find(({ name }) => name === 'foldCounts')?.run({} as never)
}

it('the job folds a backlog in batches until it is done', async () => {
  const platform = await createPlatform()
  await pileUp(platform)
  expect(await countOf(platform)).toEqual([CHANGES, CHANGES / 2, CHANGES / 2])

  // Folding one batch changes no count.
  await db.$queryRaw`select fold_transaction_counts(1000)`
  expect(await folded()).toMatchObject([{ changes: CHANGES - 1_000, of_platforms: 1_000 }])
  expect(await countOf(platform)).toEqual([CHANGES, CHANGES / 2, CHANGES / 2])

  const sent = vi.spyOn(pg.Pool.prototype, 'query')
  await fold()
  // Three batches, a call that finds nothing left, and vacuuming.
  expect(sent).toHaveBeenCalledTimes(5)
  sent.mockRestore()
  expect(await folded()).toEqual([
    {
      changes: 0,
      of_platforms: CHANGES,
      of_customers: CHANGES * 0.9,
      of_parents: CHANGES * 2,
      of_days: CHANGES,
      amount: CHANGES * 5,
    },
  ])
  expect(await countOf(platform)).toEqual([CHANGES, CHANGES / 2, CHANGES / 2])
  const reader = planner()
  await reader.connect()
  const waiting = 'select sum(change) from transaction_count_deltas where platform_id = $1'
  // While Postgres itself analyzes or vacuums the table, vacuuming removes nothing. The next run does.
  await vi.waitFor(
    async () => {
      const buffers = await buffersOfPlan(reader, waiting, [platform.id])
      if (buffers >= 20) await fold()
      expect(buffers).toBeLessThan(20)
    },
    { timeout: 20_000, interval: 500 },
  )
  await reader.end()
})
