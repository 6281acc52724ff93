// Rows and changes whose columns are named as in the models, as parts of statements. Loads without settings, so that tools can use it.
import { Prisma } from '#generated/prisma/client.ts'

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The statement that inserts these rows, whose columns are named as in the models, under the alias `t`. A column that no row has gets its
 * default. The text depends on the names only, so they must be constants of the source.
 */
export const insertingRows = (table: string, rows: readonly object[]): Prisma.Sql => {
  const columns = columnsOf(rows)
  return Prisma.sql`insert into ${Prisma.raw(table)} as t (${columns}) select ${columns} from ${recordsOf(table, rows)}`
}

/** `(column, …) = (select …),` for an update of the table. Empty if nothing changes. The names must be constants of the source. */
export const settingColumns = (table: string, changes: object): Prisma.Sql => {
  if (Object.keys(changes).length === 0) return Prisma.empty
  const columns = columnsOf([changes])
  return Prisma.sql`(${columns}) = (select ${columns} from ${recordsOf(table, [changes])}),`
}

const columnsOf = (rows: readonly object[]) =>
  Prisma.raw([...new Set(rows.flatMap(Object.keys))].map((name) => `"${snakeCase(name)}"`).join(', '))

const recordsOf = (table: string, rows: readonly object[]): Prisma.Sql => {
  const records = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), jsonOf(value)])),
  )
  const json = JSON.stringify(records, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  return Prisma.sql`jsonb_populate_recordset(null::${Prisma.raw(table)}, ${json}::jsonb)`
}

const jsonOf = (value: unknown) => (value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value)
