// Statements that are sent together.
import { expect, it } from 'vitest'
import { newUuid } from '#core/ids.ts'
import { db, identifier, lookUp, sql } from '#database/db.ts'
import { isOutage } from '#database/outage.ts'
import { inRoundTrips, lookUpTogether } from '#database/round-trips.ts'
import { inTransaction } from '#database/unit-of-work.ts'

const failing = () => sql`select 1 / ${0}::int`

const insertingPlatform = (id: string) => sql`
  insert into platforms (id, name, environment) values (${id}::uuid, ${'Together'}, ${'SANDBOX'}::environment)`

const exists = async (id: string) => (await db.platform.count({ where: { id } })) === 1

it('return the rows of each', async () => {
  const texts = ['one', 'two', 'three']
  const answers = await lookUpTogether(
    sql`select ${texts[0]}::text, null`,
    sql`select unnest(${texts}::text[])`,
    sql`select 1 where false`,
    sql`select unnest(${texts}::text[])`,
  )
  expect(answers).toEqual([[['one', null]], texts.map((text) => [text]), [], texts.map((text) => [text])])
  expect(await lookUpTogether()).toEqual([])
})

it('are a transaction: after an error nothing has changed', async () => {
  const [first, second, third, fourth] = Array.from({ length: 4 }, newUuid) as [string, string, string, string]
  await inRoundTrips(({ commitWith }) => commitWith(insertingPlatform(first)))
  await expect(inRoundTrips(({ commitWith }) => commitWith(insertingPlatform(second), failing()))).rejects.toThrow(
    'division by zero',
  )
  await expect(
    inRoundTrips(async ({ send, commitWith }) => {
      await send(insertingPlatform(third))
      await commitWith(failing(), insertingPlatform(fourth))
    }),
  ).rejects.toThrow('division by zero')
  await inRoundTrips(({ send }) => send(insertingPlatform(fourth)))
  expect(await Promise.all([first, second, third, fourth].map(exists))).toEqual([true, false, false, false])
})

it('that were skipped after an error are prepared when they are sent again', async () => {
  const skipped = () => sql`select ${'skipped'}::text as skipped`
  for (let round = 0; round < 3; round += 1) {
    await expect(lookUpTogether(sql`select 1`, failing(), skipped(), skipped())).rejects.toThrow('division by zero')
    expect(await lookUpTogether(skipped())).toEqual([[['skipped']]])
  }
})

it('with the same text all fail for the same reason if the first of them cannot be prepared', async () => {
  const table = identifier(`locked_${newUuid().replaceAll('-', '')}`)
  await db.$executeRaw`create table ${table} (id uuid)`
  try {
    await inTransaction(async (tx) => {
      await tx.$executeRaw`lock table ${table} in access exclusive mode`
      // Preparing them waits for the table until the lock timeout.
      const failures = await Promise.all([1, 2].map(() => lookUp(sql`select id from ${table}`).catch(isOutage)))
      expect(failures).toEqual([true, true])
    })
  } finally {
    await db.$executeRaw`drop table ${table}`
  }
})
