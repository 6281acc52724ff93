// What the tables of graphile-worker need beyond its own migrations.
import type pg from 'pg'

/** Runs a script as one transaction, and repeats it until it has got its locks. */
type Apply = (script: string) => Promise<void>

/** Changes what was not changed before. `pool` only reads. */
export const prepareWorkerTables = async (pool: pg.Pool, apply: Apply): Promise<void> => {
  await addJobIndexes(pool, apply)
  await keepCronInTime(pool, apply)
  await addCronJobsOnce(pool, apply)
}

/**
 * Indexes for a million waiting jobs. The first one finds the jobs of a dead process. The second one finds the waiting jobs of a platform in the
 * order of their times (platform-jobs.ts). The third one finds the jobs that are due, at each poll. PostgreSQL 18 skips to them in the index of
 * graphile-worker, so it needs none. The fourth one finds the failed jobs.
 */
const JOB_INDEXES = [
  { name: 'jobs_locked', definition: '(locked_by) where locked_by is not null', before: Number.POSITIVE_INFINITY },
  {
    name: 'jobs_waiting_of_platform',
    definition: `((payload ->> 'platformId'), run_at, id) where is_available`,
    before: Number.POSITIVE_INFINITY,
  },
  { name: 'jobs_due', definition: '(run_at) where is_available', before: 180_000 },
  {
    name: 'jobs_failed',
    definition: '(task_id) where attempts >= max_attempts and locked_at is null',
    before: Number.POSITIVE_INFINITY,
  },
]

const addJobIndexes = async (pool: pg.Pool, apply: Apply) => {
  for (const { name, definition, before } of JOB_INDEXES) {
    const { rows } = await pool.query(
      `select to_regclass($1) is null and current_setting('server_version_num')::int < $2::float8 as "isMissing"`,
      [`graphile_worker.${name}`, before],
    )
    if (!rows[0].isMissing) continue
    await apply(`
      select pg_advisory_xact_lock(hashtext('job indexes'));
      create index if not exists ${name} on graphile_worker._private_jobs ${definition};
      drop index if exists graphile_worker.jobs_of_platform;`)
  }
}

/**
 * graphile-worker records the minute for which a cron job was added, by the clock of the process, and never adds it for an earlier one. So a
 * process whose clock is ahead would stop cron everywhere until that time. This makes it stop at that process only, which logs the failure.
 */
const keepCronInTime = async (pool: pg.Pool, apply: Apply) => {
  const name = 'clock_of_gateway_is_ahead'
  const { rowCount } = await pool.query('select from pg_constraint where conname = $1', [name])
  if (rowCount !== 0) return
  await apply(`
    update graphile_worker._private_known_crontabs set last_execution = now() where last_execution > now();
    alter table graphile_worker._private_known_crontabs drop constraint if exists ${name},
      add constraint ${name} check (last_execution < now() + interval '1 minute');`)
}

/**
 * All gateways add the cron jobs of a minute at the same moment, and would wait for the commit of the first one. This leaves the jobs to the first
 * one. Its commit sends a notification, for which other commits with one wait, so it does not wait for the disk. Jobs that a crash loses are
 * next added at their next minute.
 */
const addCronJobsOnce = async (pool: pg.Pool, apply: Apply) => {
  const name = 'one_gateway_adds_cron_jobs'
  const { rowCount } = await pool.query('select from pg_trigger where tgname = $1', [name])
  if (rowCount !== 0) return
  await apply(`
    select pg_advisory_xact_lock(hashtext('${name}'));
    create or replace function graphile_worker.${name}() returns trigger language plpgsql as $$ begin
      perform set_config('synchronous_commit', 'off', true);
      return case when pg_try_advisory_xact_lock(hashtext('${name}')) then new end;
    end $$;
    create or replace trigger ${name} before insert on graphile_worker._private_known_crontabs
      for each row execute function graphile_worker.${name}();`)
}
