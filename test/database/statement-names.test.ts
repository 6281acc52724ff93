// Statements that connections know by name.
// Own process: only the first statements of a process get names.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isPooled } from '#database/connections.ts'
import { db, lookUp, sql } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'

const read = () => lookUp(sql`select value from named_rows where id = ${1}::int`)

beforeAll(async () => {
  await db.$executeRaw`create table named_rows (id int primary key, value int)`
  await db.$executeRaw`insert into named_rows values (1, 7)`
})
afterAll(() => db.$executeRaw`drop table named_rows`)

it('a column may change its type under statements that the connections know by name', async () => {
  const byPrisma = (at: Pick<typeof db, '$queryRaw'> = db) =>
    at.$queryRaw<{ value: unknown }[]>`select value from named_rows where id = ${1}`
  const readAll = async () => {
    const often = <T>(one: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, one))
    const texts = await often(read)
    const rows = [...(await often(() => byPrisma())), ...(await often(() => inTransaction(byPrisma)))]
    return new Set([...texts.flat(2), ...rows.flat().map(({ value }) => String(value))])
  }
  expect(await readAll()).toEqual(new Set(['7']))
  await db.$executeRaw`alter table named_rows alter column value type text using 'seven'`
  expect(await readAll()).toEqual(new Set(['seven']))
})

// Behind a pooler only look-ups have names.
it.skipIf(isPooled)('statements of Prisma have names, also in a transaction', async () => {
  const prepared = (at: Pick<typeof db, '$queryRaw'>) =>
    at.$queryRaw<{ count: number }[]>`
      select count(*)::int from pg_prepared_statements where position(${'pg_prepared_statements'} in statement) > 0`
  expect(await Promise.all([prepared(db), inTransaction(prepared)])).toEqual([[{ count: 1 }], [{ count: 1 }]])
})
