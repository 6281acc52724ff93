// What the catalogues of each node say about the tables of the gateway, to compare databases of different history.
import type { Citus } from './citus.ts'

const OURS = `(select oid from pg_namespace where nspname in ('public', 'partitions'))`

/** Dropped columns leave gaps between the numbers of the others. */
const COLUMNS = `
  select format('column %s %s: %s %s not null %s default %s %s%s', attrelid::regclass, row_number() over (partition by attrelid order by attnum), attname,
    format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attgenerated, attidentity)
  from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relnamespace in ${OURS} and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped`

/** A line for each thing. Tables of extensions are not ours. */
const LINES = [
  COLUMNS,
  `select format('table %s %s %s %s %s', oid::regclass, relkind, relpersistence, reloptions, pg_get_expr(relpartbound, oid))
    from pg_class where relnamespace in ${OURS} and relkind in ('r', 'p')`,
  `select format('view %s %s', oid::regclass, pg_get_viewdef(oid)) from pg_class where relnamespace in ${OURS} and relkind = 'v'`,
  `select format('index %s valid %s', pg_get_indexdef(indexrelid), indisvalid)
    from pg_index join pg_class c on c.oid = indrelid where relnamespace in ${OURS}`,
  `select format('constraint %s %s %s valid %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where connamespace in ${OURS}`,
  // A condition gets other parentheses when it is written out and read again, which a distribution does.
  `select format('trigger %s %s', translate(pg_get_triggerdef(t.oid), '()', ''), tgenabled)
    from pg_trigger t join pg_class c on c.oid = tgrelid where relnamespace in ${OURS} and not tgisinternal`,
  `select 'function ' || pg_get_functiondef(oid) from pg_proc p where pronamespace in ${OURS} and prokind = 'f'`,
  `select format('type %s %s', typname, (select array_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = t.oid))
    from pg_type t where typnamespace in ${OURS} and typtype = 'e'`,
  `select format('cast %s %s', castsource::regtype, casttarget::regtype) from pg_cast join pg_type t on t.oid = castsource
    where typnamespace in ${OURS}`,
  `select format('placement %s %s', logicalrelid, partmethod) from pg_dist_partition`,
].join('\nunion all\n')

/** Each part of a distributed table, and each key and index of it, has the name with a number of six digits behind it. */
const SCHEMA = `
  select json_agg(format('%s × %s', count, line) order by line) as schema from (
    select regexp_replace(line, '_1\\d{5}\\M', '', 'g') as line, count(*) from (${LINES}) lines (line)
    where line not like '%pg_dist%' and line not like '%citus%' group by 1) counted`

/** The lines of the coordinator and of both workers. */
export const schemaOf = async ({ query }: Citus) => {
  const [coordinator] = await query(SCHEMA)
  const workers = await query(`select result from run_command_on_workers($schema$${SCHEMA}$schema$) order by nodeport`)
  return [coordinator?.['schema'] as string[], ...workers.map(({ result }) => JSON.parse(String(result)) as string[])]
}
