// A primary with two hot standbys, whose lag the test decides. Their servers come from npm, as those of the other tests.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

export interface Server {
  readonly url: string
  /** Runs a statement on a connection of its own. */
  readonly run: (text: string, values?: unknown[]) => Promise<Record<string, string>[]>
  /** How often statements with this text have run. */
  readonly countOf: (text: string) => Promise<number>
  /** SIGKILL. */
  readonly kill: () => Promise<void>
  /** Stops all its processes where they are, and lets them go on. */
  readonly freeze: () => Promise<() => void>
}

export interface Primary extends Server {
  /** One of its processes dies, so that it closes all connections and recovers. Resolves when it answers again. */
  readonly crash: () => Promise<void>
}

export interface Standby extends Server {
  /** Commits show after this time. */
  readonly delay: (milliseconds: number) => Promise<void>
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  /** Resolves when it has replayed all of the primary's log. */
  readonly catchUp: () => Promise<void>
  /** Receives nothing more from the primary. */
  readonly cut: () => Promise<void>
  readonly promote: () => Promise<void>
}

export interface Cluster {
  readonly primary: Primary
  readonly standbys: readonly [Standby, Standby]
  readonly stop: () => Promise<void>
}

/**
 * A commit is durable when it is visible, as by default. Nothing else has to survive. Replay waits for queries instead of cancelling them,
 * because a standby that catches up would otherwise cancel those of the test.
 */
const SETTINGS = `
fsync = off
max_connections = 300
shared_preload_libraries = 'pg_stat_statements'
max_standby_streaming_delay = -1
`

const BACKEND = `select pid::text from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`

export const startCluster = async (): Promise<Cluster> => {
  const { startPostgres } = await import('../../dev/postgres.ts')
  const folder = join(tmpdir(), `paygraph-standbys-${randomUUID()}`)
  const folders = ['primary', 'one', 'two'].map((name) => `${folder}-${name}`) as [string, string, string]
  const [home, ...copies] = folders
  await startPostgres(home).then((server) => server.stop())
  await appendFile(join(home, 'postgresql.conf'), SETTINGS)
  for (const copy of copies) await run('cp', ['-a', home, copy])

  const server = await startPostgres(home)
  const primary = serverAt(server.url, home)
  await primary.run('create extension pg_stat_statements')
  const startStandby = async (copy: string) => {
    const { hostname, port, username, password } = new URL(server.url)
    const source = `host=${hostname} port=${port} user=${username} password=${password}`
    await appendFile(join(copy, 'postgresql.conf'), `primary_conninfo = '${source}'\n`)
    await writeFile(join(copy, 'standby.signal'), '')
    const started = await startPostgres(copy)
    const standby = serverAt(started.url, copy)
    return {
      stop: started.stop,
      ...standby,
      delay: async (milliseconds: number) => {
        await standby.run(`alter system set recovery_min_apply_delay = '${milliseconds}ms'`)
        await standby.run('select pg_reload_conf()')
      },
      pause: async () => void (await standby.run('select pg_wal_replay_pause()')),
      resume: async () => void (await standby.run('select pg_wal_replay_resume()')),
      catchUp: async () => {
        const [end] = await primary.run('select pg_current_wal_insert_lsn()::text as lsn')
        const hasReplayed = () => standby.run('select where pg_last_wal_replay_lsn() >= $1::pg_lsn', [end?.['lsn']])
        while ((await hasReplayed()).length === 0) await wait(50)
      },
      cut: async () => {
        await standby.run(`alter system set primary_conninfo = ''`)
        await standby.run('select pg_reload_conf()')
      },
      promote: async () => void (await standby.run('select pg_promote()')),
    }
  }
  const standbys = (await Promise.all(copies.map(startStandby))) as [
    Awaited<ReturnType<typeof startStandby>>,
    Awaited<ReturnType<typeof startStandby>>,
  ]
  const crash = async () => {
    const [backend] = await primary.run(BACKEND)
    process.kill(Number(backend?.['pid']), 'SIGKILL')
    for (;;) {
      await wait(50)
      const isUp = await primary.run('select').then(
        () => true,
        () => false,
      )
      if (isUp) return
    }
  }
  return {
    primary: { ...primary, crash },
    standbys,
    stop: async () => {
      await Promise.all(standbys.map((standby) => standby.stop().catch(() => {})))
      await server.stop()
      await Promise.all(folders.map((each) => rm(each, { recursive: true, force: true })))
    },
  }
}

const serverAt = (url: string, folder: string): Server => {
  const runAt: Server['run'] = async (text, values) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 5_000 })
    client.on('error', () => {})
    await client.connect()
    return client.query(text, values).then(
      ({ rows }) => client.end().then(() => rows),
      (error) => client.end().then(() => Promise.reject(error)),
    )
  }
  const postmaster = async () => Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
  return {
    url,
    run: runAt,
    countOf: async (text) => {
      const [row] = await runAt(
        `select coalesce(sum(calls), 0)::text as count from pg_stat_statements where strpos(query, $1) > 0 and query not like '%strpos%'`,
        [text],
      )
      return Number(row?.['count'])
    },
    kill: async () => {
      process.kill(await postmaster(), 'SIGKILL')
    },
    freeze: async () => {
      const parent = await postmaster()
      const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(parent)])
      const pids = [parent, ...stdout.trim().split(/\s+/).map(Number)]
      for (const pid of pids) signal(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids) signal(pid, 'SIGCONT')
      }
    },
  }
}

/** A process of a connection may have ended meanwhile. */
const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
