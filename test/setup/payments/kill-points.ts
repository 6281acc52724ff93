// The points at which a process can die while it changes something: every row write and the commit. Triggers find them all, whatever
// the source writes, and stop a run at the one where it is to die. The gateway is unaware of them.
import pg from 'pg'
import type { GatewayProcess } from '#test/setup/gateway-process.ts'

/** One step of a run. Nothing between two steps is visible outside, so it counts as the same point. */
export interface Step {
  readonly taken: number
  readonly moment: 'BEFORE' | 'AFTER' | 'COMMIT'
  readonly relation: string
  readonly operation: string
  readonly transaction: string
}

const LOCKS = 4711

// Triggers write the events, and for standbys the changes of platforms, in the transaction of the change. Any process numbers events later,
// and a job adds up counts each minute, which are no steps of a run.
const TABLES = `
select class.relname as relation, array_agg(key.attname::text) as key
from pg_class class
join pg_index index on index.indrelid = class.oid and index.indisprimary
join pg_attribute key on key.attrelid = class.oid and key.attnum = any(index.indkey)
where class.relkind in ('r', 'p') and not class.relispartition and class.relnamespace = 'public'::regnamespace
  and class.relname not in ('events', 'event_streams', 'events_to_plan', 'platform_changes',
    'platform_transaction_counts', 'customer_transaction_counts', 'parent_transaction_counts', 'platform_transaction_days')
  and exists (select from pg_attribute where attrelid = class.oid and attname = 'platform_id')
group by class.relname order by class.relname`

// A run is identified by its platform, which every row names. Runs wait for an advisory lock, not for a time.
const INSTALL = `
create schema killPoints;
create table killPoints.runs (platform_id uuid primary key, number int not null, stop_at int, taken int not null default 0);
create table killPoints.steps (platform_id uuid, taken int, moment text, relation text, operation text,
  transaction text default pg_current_xact_id()::text);
create function killPoints.step() returns trigger language plpgsql set lock_timeout = 0 as $$
declare
  platform uuid := case tg_op when 'DELETE' then old.platform_id else new.platform_id end;
  run killPoints.runs;
begin
  if tg_argv[0] = 'COMMIT' then
    if current_setting('killPoints.committing', true) = pg_current_xact_id()::text then return null; end if;
    perform set_config('killPoints.committing', pg_current_xact_id()::text, true);
  end if;
  update killPoints.runs set taken = taken + 1 where platform_id = platform returning * into run;
  if found then
    insert into killPoints.steps values (platform, run.taken, tg_argv[0], regexp_replace(tg_table_name, '_(\\d{8}|rest)$', ''), tg_op);
    if run.taken = run.stop_at then perform pg_advisory_xact_lock_shared(${LOCKS}, run.number); end if;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
do $$ declare name text; begin
  for name in select relation from (${TABLES}) tables loop
    execute format('create trigger a_step before insert or update or delete on %I for each row execute function killPoints.step(''BEFORE'')', name);
    execute format('create trigger z_step after insert or update or delete on %I for each row execute function killPoints.step(''AFTER'')', name);
    execute format('create constraint trigger commit_step after insert or update or delete on %I deferrable initially deferred
      for each row execute function killPoints.step(''COMMIT'')', name);
  end loop;
end $$`

/** Columns that count attempts, and their times: a crash may leave them one ahead. */
const COUNTERS = ['challenge_times', 'failure_times', 'tries', 'updated_at']

type Row = Readonly<Record<string, unknown>>
type State = ReadonlyMap<string, Row>

/** A run to be stopped. It has a unique number, and ends when that is released. */
export interface Stop {
  readonly platformId: string
  readonly number: number
  readonly stopAt: number
}

export const openKillPoints = async () => {
  const client = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'], application_name: 'killPoints' })
  await client.connect()
  await client.query(INSTALL)
  const { rows: tables } = await client.query<{ relation: string; key: string[] }>(TABLES)
  const dump = tables
    .map(
      ({ relation, key }) => `select t.platform_id, '${relation}' as relation,
        jsonb_build_array('${relation}', ${key.map((column) => `t.${column}`).join()})::text as key,
        to_jsonb(t) - '{${COUNTERS.join()}}'::text[] as columns
        from ${relation} t where t.platform_id = any($1::uuid[])`,
    )
    .join(' union all ')

  /** The rows of each platform, without the counters. */
  const statesOf = async (platformIds: readonly string[]): Promise<Map<string, State>> => {
    const states = new Map(platformIds.map((id) => [id, new Map<string, Row>()]))
    const { rows } = await client.query(dump, [platformIds])
    for (const { platform_id, key, columns } of rows) states.get(platform_id)?.set(key, columns)
    return states
  }

  /** The runs that have stopped, with their server processes. Other databases of the server may have kill points, too. */
  const waiting = async (): Promise<Map<number, number>> => {
    const { rows } = await client.query<{ number: number; pid: number }>(
      `select objid::int as number, pid from pg_locks where locktype = 'advisory' and classid = ${LOCKS} and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return new Map(rows.map(({ number, pid }) => [number, pid]))
  }

  return {
    statesOf,
    close: () => client.end(),

    /** The steps of a run that is not stopped. */
    record: async (platformId: string, run: () => Promise<unknown>): Promise<Step[]> => {
      await client.query('insert into killPoints.runs values ($1, 0)', [platformId])
      await run()
      await client.query('delete from killPoints.runs where platform_id = $1', [platformId])
      const { rows } = await client.query<Step>(
        'select * from killPoints.steps where platform_id = $1 order by taken',
        [platformId],
      )
      return rows
    },

    arm: async (stops: readonly Stop[]) => {
      for (const { platformId, number, stopAt } of stops) {
        await client.query('select pg_advisory_lock($1, $2)', [LOCKS, number])
        await client.query('insert into killPoints.runs values ($1, $2, $3)', [platformId, number, stopAt])
      }
    },

    /** Resolves when each run has stopped at its step. Throws if one was answered before, because it did not get there. */
    allStopped: async (stops: readonly Stop[], answers: ReadonlyMap<number, unknown> = new Map()) => {
      await eventually('every run stands at its step', async () => {
        for (const [number, answer] of answers) {
          throw new Error(`Passed its step ${JSON.stringify(stops[number])}: ${JSON.stringify(answer)}`)
        }
        return (await waiting()).size === stops.length
      })
    },

    /** Terminates the run's Postgres backend too: what was not committed never will be. */
    terminate: async (numbers: readonly number[]) => {
      const pids = await waiting()
      for (const number of numbers) await client.query('select pg_terminate_backend($1)', [pids.get(number)])
    },

    /** Leaves Postgres to finish what it had received. */
    letGo: async () => {
      await client.query('select pg_advisory_unlock_all()')
    },

    /** Waits until Postgres has finished the work of a gateway that is dead, or that has no client left. PgBouncer adds to the name. */
    settled: async ({ name }: GatewayProcess) => {
      const busy = `select from pg_stat_activity where state <> 'idle' and split_part(application_name, ' - ', 1) = $1`
      let quiet = 0
      await eventually('nothing is under way any more', async () => {
        quiet = (await client.query(busy, [name])).rowCount === 0 ? quiet + 1 : 0
        return quiet === 10
      })
    },

    disarm: async () => {
      await client.query('delete from killPoints.runs')
    },
  }
}
export type KillPoints = Awaited<ReturnType<typeof openKillPoints>>

/** At the first write of a transaction, the earlier ones are committed. Before any other write, the state is as after the last commit. */
export const pointsOf = (steps: readonly Step[]): Step[] =>
  steps.filter(({ moment, transaction }, index) => moment !== 'BEFORE' || steps[index - 1]?.transaction !== transaction)

/** For example `insert wallet_sessions`, `update signed_requests (consumed_at, sealed)`. */
export const changesBetween = (before: State, after: State): string[] => {
  const changes: string[] = []
  const relationOf = (key: string): string => JSON.parse(key)[0]
  for (const [key, row] of before) {
    const now = after.get(key)
    if (!now) changes.push(`delete ${relationOf(key)}`)
    else {
      const changed = Object.keys(row).filter((name) => JSON.stringify(row[name]) !== JSON.stringify(now[name]))
      if (changed.length > 0) changes.push(`update ${relationOf(key)} (${changed.join(', ')})`)
    }
  }
  for (const key of after.keys()) if (!before.has(key)) changes.push(`insert ${relationOf(key)}`)
  return changes.toSorted()
}

const eventually = async (what: string, holds: () => Promise<boolean>) => {
  const until = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`Timed out waiting until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
