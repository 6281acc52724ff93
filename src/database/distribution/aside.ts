// Sets foreign keys and triggers aside while tables are distributed. Their definitions wait in the schema `distribution`, so an interrupted
// run loses none.
import type pg from 'pg'
import { inOneTransaction } from '#database/pg/long-transaction.ts'

interface Kind {
  readonly table: string
  /** Selects the table, the name and the definition of each, for the tables `$2`. */
  readonly present: string
  /** Formats of the statements, with the table and the name, and for `add` the definition. */
  readonly drop: string
  readonly add: string
}

/**
 * A table with foreign keys can be distributed only before or after the tables that the keys refer to, and some keys refer to each other in
 * circles.
 */
const FOREIGN_KEYS: Kind = {
  table: 'distribution.foreign_keys',
  present: `
    select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
    where array[conrelid, confrelid]::regclass[] && $2::regclass[] and contype = 'f' and conparentid = 0`,
  drop: 'alter table %1$s drop constraint %2$I',
  add: 'alter table %1$s add constraint %2$I %3$s',
}

/** Citus copies the rows of a table to the nodes by inserting them, which its triggers would take for new rows. */
const TRIGGERS: Kind = {
  table: 'distribution.triggers',
  present: `
    select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger
    where tgrelid = any($2::regclass[]) and not tgisinternal and tgparentid = 0`,
  drop: 'drop trigger %2$I on %1$s',
  add: '%3$s',
}

const setAside = (client: pg.ClientBase, { table, present, drop }: Kind, tables: readonly string[]) =>
  inOneTransaction(client, async () => {
    await client.query(`create table if not exists ${table} (
      table_name text not null, name text not null, definition text not null, primary key (table_name, name))`)
    const { rows } = await client.query<{ drop: string }>(
      `with aside as (
         insert into ${table} ${present}
         on conflict (table_name, name) do update set definition = excluded.definition
         returning table_name, name)
       select format($1, table_name, name) as drop from aside`,
      [drop, tables],
    )
    for (const { drop } of rows) await client.query(drop)
  })

/** Each is added, which checks a key, and removed from the list in one transaction. Returns how many. */
const restore = async (client: pg.ClientBase, { table, add }: Kind): Promise<number> => {
  const aside = await client.query('select to_regclass($1) is not null as known', [table])
  if (!aside.rows[0].known) return 0
  const { rows } = await client.query<{ of: string; name: string; add: string }>(
    `select table_name as of, name, format($1, table_name, name, definition) as add from ${table} order by table_name, name`,
    [add],
  )
  for (const { of, name, add } of rows) {
    await inOneTransaction(client, async () => {
      await client.query(add)
      await client.query(`delete from ${table} where table_name = $1 and name = $2`, [of, name])
    })
  }
  return rows.length
}

/** Sets aside the foreign keys and the triggers of these tables, and the foreign keys that refer to them. */
export const setKeysAndTriggersAside = async (client: pg.ClientBase, tables: readonly string[]): Promise<void> => {
  await setAside(client, FOREIGN_KEYS, tables)
  await setAside(client, TRIGGERS, tables)
}

export const restoreForeignKeys = (client: pg.ClientBase): Promise<number> => restore(client, FOREIGN_KEYS)

export const restoreTriggers = (client: pg.ClientBase): Promise<number> => restore(client, TRIGGERS)

/** Whether the tables are distributed, or a run that was to distribute them was interrupted. */
export const hasBegun = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query('select to_regclass($1) is not null as begun', [FOREIGN_KEYS.table])
  return rows[0].begun
}
