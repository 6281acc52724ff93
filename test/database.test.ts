// What the database holds to by itself.
import { expect, it } from 'vitest'
import { db } from '#core/db.ts'

it('a list is never null', async () => {
  const lists = await db.$queryRaw<{ name: string; nullable: string }[]>`
    select table_name || '.' || column_name as name, is_nullable as nullable
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'ARRAY'`
  expect(lists.length).toBeGreaterThan(5)
  expect(lists.filter(({ nullable }) => nullable === 'YES')).toEqual([])
})
