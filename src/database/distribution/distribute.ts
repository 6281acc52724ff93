// Distributes the tables of a migrated database over the nodes of Citus (docs/scale.md#citus). Each step can be repeated, so a run that was
// interrupted is continued by the next one.
import pg from 'pg'
import { StartupError } from '#core/environment.ts'
import { LOCAL, REFERENCE, REMOVED_TRIGGERS } from './tables.ts'

/** All other tables are placed beside the rows of this one. */
const FIRST = 'customers'

const UNLIMITED = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

type Print = (line: string) => void

/**
 * Distributes all tables. Throws a `StartupError`, with nothing changed, if the server has no Citus or a gateway runs. The address must lead to the
 * coordinator itself, not to a pooler.
 */
export const distribute = async (databaseUrl: string, print: Print): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl, options: UNLIMITED })
  await client.connect()
  try {
    await requireCitus(client)
    await requireNoGateways(client)
    const { rows } = await client.query<{ nodes: number }>(
      'select count(*)::int as nodes from pg_dist_node where isactive and shouldhaveshards',
    )
    print(`Nodes with data: ${rows[0]?.nodes}`)
    await client.query('set client_min_messages = warning')
    await client.query('set citus.enable_unsafe_triggers = on')
    // Later migrations may create triggers too.
    await client.query(`do $$ begin
      execute format('alter database %I set citus.enable_unsafe_triggers = on', current_database());
    end $$`)
    await distributeTables(client, print)
  } finally {
    await client.end()
  }
}

/**
 * Distributes the tables that a migration has added to a distributed database, and all that are left if `distribute` was interrupted. In any
 * other database it does nothing.
 */
export const keepDistributed = async (on: pg.Pool): Promise<void> => {
  const { rows } = await on.query<{ known: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as known`,
  )
  if (!rows[0]?.known) return
  const client = await on.connect()
  try {
    const begun = await client.query(`select to_regclass('distribution.foreign_keys') is not null as "isBegun"`)
    if (!begun.rows[0].isBegun) return
    await client.query('set citus.enable_unsafe_triggers = on')
    await distributeTables(client, () => {})
  } finally {
    client.release(true)
  }
}

const requireCitus = async (client: pg.Client) => {
  const { rows } = await client.query<{ loaded: boolean }>(
    `select 'citus' = any(string_to_array(replace(current_setting('shared_preload_libraries'), ' ', ''), ',')) as loaded`,
  )
  if (!rows[0]?.loaded) {
    throw new StartupError(
      'The server at DATABASE_URL has no Citus, so its tables cannot be distributed. See docs/scale.md#citus.',
    )
  }
  await client.query('create extension if not exists citus')
}

const requireNoGateways = async (client: pg.Client) => {
  const { rowCount } = await client.query(
    `select from job_holders where renewed_at > now() - interval '10 seconds' limit 1`,
  )
  if (rowCount !== 0) throw new StartupError('A gateway serves from this database. Stop all gateways first.')
}

const distributeTables = async (client: pg.ClientBase, print: Print) => {
  // Holds the lock until the connection ends. Otherwise gateways that start at the same time would distribute the same table.
  await client.query(`select pg_advisory_lock(hashtext('distribute'))`)
  await removeTriggers(client)
  await makeLabelsImmutable(client)
  const tables = await tablesToDistribute(client)
  if (tables.length > 0) {
    await setForeignKeysAside(client)
    await setTriggersAside(client, tables)
  }
  for (const [index, { name, isReference, bytes }] of tables.entries()) {
    print(`${String(index + 1).padStart(3)} of ${tables.length}  ${name.padEnd(28)} ${bytes}`)
    await inTransaction(client, async () => {
      if (isReference) await client.query('select create_reference_table($1::regclass)', [name])
      else {
        await client.query(`select create_distributed_table($1::regclass, 'platform_id', colocate_with => $2)`, [
          name,
          name === FIRST ? 'none' : FIRST,
        ])
      }
      await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [name])
    })
    // Without statistics a node sorts a whole table to find a page.
    await client.query(`analyze ${name}`)
  }
  await restoreForeignKeys(client, print)
  await distributeFunctions(client, print)
  await restoreTriggers(client, print)
  await useJobOutbox(client)
}

const inTransaction = async (client: pg.ClientBase, work: () => Promise<unknown>) => {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const removeTriggers = async (client: pg.ClientBase) => {
  for (const { table, name } of REMOVED_TRIGGERS) {
    const known = await client.query('select from pg_trigger where tgrelid = $1::regclass and tgname = $2', [
      table,
      name,
    ])
    // The trigger is looked up first, because dropping locks the table even if there is nothing to drop.
    if (known.rowCount !== 0) await client.query(`drop trigger ${name} on ${table}`)
  }
}

/**
 * Citus lets a change return only values that immutable functions compute from the row. Casting an enum label to text
 * is not immutable by default, and Prisma selects such texts. These casts exist on the coordinator only, and only
 * renaming a label could make them wrong.
 */
const makeLabelsImmutable = async (client: pg.ClientBase) => {
  await client.query('create schema if not exists distribution')
  await client.query('set citus.enable_ddl_propagation = off')
  await client.query(`do $$ declare type name; begin
    for type in select typname from pg_type t where typtype = 'e' and typnamespace = 'public'::regnamespace
      and not exists (select from pg_cast where castsource = t.oid and casttarget = 'text'::regtype)
    loop
      execute format('create or replace function distribution.%I(label public.%1$I) returns text language plpgsql immutable strict as %L',
        type, 'begin return format(''%s'', label); end');
      execute format('create cast (public.%I as text) with function distribution.%1$I(public.%1$I)', type);
    end loop;
  end $$`)
  await client.query('set citus.enable_ddl_propagation = on')
}

interface Table {
  readonly name: string
  readonly isReference: boolean
  readonly bytes: string
}

/** The tables that are not distributed yet. The tables that each node has in full come first, and then the one beside which all others are placed. */
const tablesToDistribute = async (client: pg.ClientBase): Promise<Table[]> => {
  const { rows } = await client.query<Table>(
    `select relname as name, relname = any($1) as "isReference", pg_size_pretty(pg_total_relation_size(c.oid)) as bytes
     from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all($2)
       and not exists (select from pg_dist_partition where logicalrelid = c.oid)
       and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
     order by relname = any($1) desc, relname = $3 desc, relname`,
    [REFERENCE, LOCAL, FIRST],
  )
  return rows
}

/**
 * A table with foreign keys can be distributed only before or after the tables that the keys refer to, and some keys refer to each other in
 * circles.
 */
const setForeignKeysAside = (client: pg.ClientBase) =>
  inTransaction(client, async () => {
    await client.query(`create table if not exists distribution.foreign_keys (
      table_name text not null, name text not null, definition text not null, primary key (table_name, name))`)
    await client.query(`insert into distribution.foreign_keys
      select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
      on conflict (table_name, name) do update set definition = excluded.definition`)
    await client.query(`do $$ declare key record; begin
      for key in select conrelid::regclass as of, conname as name from pg_constraint
        where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
      loop execute format('alter table %s drop constraint %I', key.of, key.name); end loop;
    end $$`)
  })

/** Each key is added, which checks it, and removed from the list in one transaction. */
const restoreForeignKeys = async (client: pg.ClientBase, print: Print) => {
  const aside = await client.query(`select to_regclass('distribution.foreign_keys') is not null as known`)
  if (!aside.rows[0].known) return
  const { rows } = await client.query<{ of: string; name: string; text: string }>(
    `select table_name as of, name, format('alter table %s add constraint %I %s', table_name, name, definition) as text
     from distribution.foreign_keys order by table_name, name`,
  )
  for (const { of, name, text } of rows) {
    await inTransaction(client, async () => {
      await client.query(text)
      await client.query('delete from distribution.foreign_keys where table_name = $1 and name = $2', [of, name])
    })
  }
  if (rows.length > 0) print(`Foreign keys: ${rows.length}`)
}

/** Citus copies the rows of a table to the nodes by inserting them, which its triggers would take for new rows. */
const setTriggersAside = (client: pg.ClientBase, tables: readonly Table[]) =>
  inTransaction(client, async () => {
    await client.query(`create table if not exists distribution.triggers (
      table_name text not null, name text not null, definition text not null, primary key (table_name, name))`)
    const { rows } = await client.query<{ drop: string }>(
      `with aside as (
         insert into distribution.triggers
         select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger
         where tgrelid = any($1::regclass[]) and not tgisinternal and tgparentid = 0
         on conflict (table_name, name) do update set definition = excluded.definition
         returning table_name, name)
       select format('drop trigger %I on %s', name, table_name) as drop from aside`,
      [tables.map(({ name }) => name)],
    )
    for (const { drop } of rows) await client.query(drop)
  })

const restoreTriggers = async (client: pg.ClientBase, print: Print) => {
  const aside = await client.query(`select to_regclass('distribution.triggers') is not null as known`)
  if (!aside.rows[0].known) return
  const { rows } = await client.query<{ of: string; name: string; definition: string }>(
    'select table_name as of, name, definition from distribution.triggers order by table_name, name',
  )
  for (const { of, name, definition } of rows) {
    await inTransaction(client, async () => {
      await client.query(definition)
      await client.query('delete from distribution.triggers where table_name = $1 and name = $2', [of, name])
    })
  }
  if (rows.length > 0) print(`Triggers: ${rows.length}`)
}

/**
 * Triggers run on the nodes that have the rows. Citus sends there only the functions that triggers name, not the functions that those call
 * in turn.
 */
const distributeFunctions = async (client: pg.ClientBase, print: Print) => {
  const { rows } = await client.query<{ signature: string }>(`
    select p.oid::regprocedure::text as signature from pg_proc p
    where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      and not exists (select from pg_catalog.pg_dist_object where classid = 'pg_proc'::regclass and objid = p.oid)
    order by 1`)
  for (const { signature } of rows)
    await client.query('select create_distributed_function($1::regprocedure)', [signature])
  if (rows.length > 0) print(`Functions: ${rows.length}`)
}

/** From now on, jobs wait beside the rows of their platform. */
const useJobOutbox = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ used: boolean }>('select has_job_outbox() as used')
  if (rows[0]?.used) return
  await client.query(
    `create or replace function has_job_outbox() returns boolean language sql immutable parallel safe as 'select true'`,
  )
}
