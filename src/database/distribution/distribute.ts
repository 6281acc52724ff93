// Distributes the tables of a migrated database over the nodes of Citus (docs/scale.md#citus). Each step can be repeated, so a run that was
// interrupted is continued by the next one.
import pg from 'pg'
import { StartupError } from '#core/environment.ts'
import { inOneTransaction, UNLIMITED } from '#database/pg/long-transaction.ts'
import { hasBegun, restoreForeignKeys, restoreTriggers, setKeysAndTriggersAside } from './aside.ts'
import { LOCAL, REFERENCE, REMOVED_TRIGGERS } from './tables.ts'

/** All other tables are placed beside the rows of this one. */
const FIRST = 'customers'

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
    await setOnNodes(client, 'citus.enable_unsafe_triggers = on')
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
    if (!(await hasBegun(client))) return
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

/** Gives new sessions this setting, on each node. */
const setOnNodes = (client: pg.ClientBase, setting: string) =>
  client.query(`do $$ begin
    execute format('alter database %I set ${setting}', current_database());
  end $$`)

/** Each node writes times, and takes the day of a time, in its own time zone. Citus does not send it the time zone of the gateway. */
const useUtc = async (client: pg.ClientBase) => {
  const { rowCount } = await client.query(
    `select from run_command_on_all_nodes('show TimeZone') where success and result <> 'UTC' limit 1`,
  )
  if (rowCount !== 0) await setOnNodes(client, `TimeZone = ''UTC''`)
}

const distributeTables = async (client: pg.ClientBase, print: Print) => {
  // Holds the lock until the connection ends. Otherwise gateways that start at the same time would distribute the same table.
  await client.query(`select pg_advisory_lock(hashtext('distribute'))`)
  await useUtc(client)
  await removeTriggers(client)
  await makeLabelsImmutable(client)
  const tables = await tablesToDistribute(client)
  if (tables.length > 0) {
    await setKeysAndTriggersAside(
      client,
      tables.map(({ name }) => name),
    )
  }
  for (const [index, { name, isReference, bytes }] of tables.entries()) {
    print(`${String(index + 1).padStart(3)} of ${tables.length}  ${name.padEnd(28)} ${bytes}`)
    await inOneTransaction(client, async () => {
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
    await inOneTransaction(client, () => client.query(`analyze ${name}`))
  }
  const report = (what: string, count: number) => count > 0 && print(`${what}: ${count}`)
  report('Foreign keys', await restoreForeignKeys(client))
  report('Functions', await distributeFunctions(client))
  report('Triggers', await restoreTriggers(client))
  await useJobOutbox(client)
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

/**
 * The tables that are not distributed yet. The tables that each node has in full come first, and then the one beside which all others are placed.
 * A table without platforms, which an earlier release may have, cannot be divided either.
 */
const tablesToDistribute = async (client: pg.ClientBase): Promise<Table[]> => {
  const { rows } = await client.query<Table>(
    `select relname as name, pg_size_pretty(pg_total_relation_size(c.oid)) as bytes,
       relname = any($1) or not exists (select from pg_attribute where attrelid = c.oid and attname = 'platform_id') as "isReference"
     from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all($2)
       and not exists (select from pg_dist_partition where logicalrelid = c.oid)
       and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
     order by "isReference" desc, relname = $3 desc, relname`,
    [REFERENCE, LOCAL, FIRST],
  )
  return rows
}

/**
 * Triggers run on the nodes that have the rows. Citus sends there only the functions that triggers name, not the functions that those call
 * in turn.
 */
const distributeFunctions = async (client: pg.ClientBase): Promise<number> => {
  const { rows } = await client.query<{ signature: string }>(`
    select p.oid::regprocedure::text as signature from pg_proc p
    where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      and not exists (select from pg_catalog.pg_dist_object where classid = 'pg_proc'::regclass and objid = p.oid)
    order by 1`)
  for (const { signature } of rows)
    await client.query('select create_distributed_function($1::regprocedure)', [signature])
  return rows.length
}

/** From now on, jobs wait beside the rows of their platform. */
const useJobOutbox = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ used: boolean }>('select has_job_outbox() as used')
  if (rows[0]?.used) return
  await client.query(
    `create or replace function has_job_outbox() returns boolean language sql immutable parallel safe as 'select true'`,
  )
}
