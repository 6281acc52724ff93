// Handwritten statements return rows as Postgres sends them.
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isPooled } from '#database/connections.ts'
import { db, join, lookUp, query, sql } from '#database/db.ts'
import { integer, nullable, record, text } from '#database/record.ts'

const read = () => lookUp(sql`select value from rows_of_this_test where id = ${1}::int`)

beforeAll(async () => {
  await db.$executeRaw`create table rows_of_this_test (id int primary key, value int)`
  await db.$executeRaw`insert into rows_of_this_test values (1, 7)`
})
afterAll(() => db.$executeRaw`drop table rows_of_this_test`)

it('every column is text or null, whatever its type', async () => {
  const rows = await query(sql`
    select 1, true, null, '', 'ü𐍈', ${['a', 'b"c']}::text[], '{"a": 1}'::jsonb, '2026-01-02 03:04:05.6+00'::timestamptz
    union all select 2, false, null, '', ${null}::text, null, null, null order by 1`)
  expect(rows).toEqual([
    ['1', 't', null, '', 'ü𐍈', '{a,"b\\"c"}', '{"a": 1}', '2026-01-02 03:04:05.6+00'],
    ['2', 'f', null, '', null, null, null, null],
  ])
})

it('a failed statement names its caller, and other statements on the connection do not fail', async () => {
  const failing = sql`select 1 / ${0}::int`
  const answers = await Promise.allSettled([lookUp(failing), read(), query(failing), query(sql`select 2`), read()])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  await expect(query(failing)).rejects.toMatchObject({
    code: '22012',
    stack: expect.stringContaining('rows.test.ts'),
  })
})

it('look-ups that do not wait for each other share a connection', async () => {
  const connect = vi.spyOn(pg.Pool.prototype, 'connect')
  expect(await Promise.all([read(), read(), lookUp(sql`select 2`)])).toEqual([[['7']], [['7']], [['2']]])
  expect(connect).toHaveBeenCalledTimes(1)
  connect.mockRestore()
})

// The pooler keeps the client's connection.
it.skipIf(isPooled)('look-ups that share a connection fail if it is lost, and the next one has another', async () => {
  const losing = () => lookUp(sql`select pg_terminate_backend(pg_backend_pid())`)
  const answers = await Promise.allSettled([read(), losing(), read()])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await read()).toEqual([['7']])
})

it('text of any length and alphabet arrives unchanged, between columns without a value', async () => {
  const texts = fc.array(
    fc.option(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('x'.repeat(127), 'é'.repeat(70_000)))),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  await fc.assert(
    fc.asyncProperty(texts, async (values) => {
      const known = values.map((value) => value?.replaceAll('\0', '') ?? null)
      const columns = join(known.map((value) => sql`${value}::text`))
      expect(await lookUp(sql`select ${columns} union all select ${columns}`)).toEqual([known, known])
    }),
    { numRuns: 200 },
  )
})

it('TypeScript refuses to spread a record, whose copy would have none of its values', () => {
  const found = record('rows_of_this_test', { id: integer, value: nullable(text) }).read(['1', 'seven'])
  expect([found.id, found.value]).toEqual([1, 'seven'])
  // @ts-expect-error
  expect({ ...found }).not.toHaveProperty('value')
  // @ts-expect-error
  const { id: _, ...others } = found
  expect(others).not.toHaveProperty('value')
})
