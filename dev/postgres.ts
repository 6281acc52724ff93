// Runs an embedded PostgreSQL server with binaries from npm. It listens on this machine only and stops with this process.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { binaries, user } from './postgres-home.ts'

export type Postgres = { url: string; stop(): Promise<void> }

const run = promisify(execFile)

/**
 * Starts the server in `folder`, and initializes it the first time. Fails if another process is using the folder, and stops an orphaned
 * server. A throw-away server trades durability for speed, has connections for many processes, and removes its folder at the end.
 */
export const startPostgres = async (folder: string, { throwAway = false } = {}): Promise<Postgres> => {
  if (!existsSync(folder)) await createCluster(folder, throwAway)
  if (await isRunning(folder)) {
    const owner = await ownerOf(folder)
    if (owner) throw new Error(`Another process is already using ${folder}. Stop it first: ${owner}.`)
    await control(folder, 'stop', '--mode=fast')
  }
  const url = await addressOnFreePort(folder)
  const stopServer = await keepServer(folder, url.port, throwAway)
  const owner = new pg.Client({
    connectionString: databaseOf(url, 'postgres'),
    application_name: `process ${process.pid}`,
  })
  // This connection only marks the folder as in use. If the server ends, its users notice by themselves.
  owner.on('error', () => {})
  await owner.connect()
  await owner.query(LOCK)
  const { rowCount } = await owner.query(`SELECT FROM pg_database WHERE datname = 'paygraph'`)
  if (!rowCount) await owner.query('CREATE DATABASE paygraph')
  return {
    url: url.href,
    stop: async () => {
      await owner.end()
      await stopServer()
    },
  }
}

const LOCK = `SELECT pg_try_advisory_lock(hashtext('paygraph')) AS free,
  (SELECT application_name FROM pg_stat_activity WHERE application_name LIKE 'process %' LIMIT 1) AS owner`

const CLUSTER = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--no-locale',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--set=listen_addresses=127.0.0.1',
  '--set=unix_socket_directories=',
  '--set=timezone=UTC',
  '--set=log_timezone=UTC',
]
const FORGETFUL = [
  '--no-sync',
  '--set=fsync=off',
  '--set=full_page_writes=off',
  '--set=synchronous_commit=off',
  '--set=max_connections=300',
  // Many processes connect, and the passwords of their databases protect nothing.
  '--set=scram_iterations=1',
]

/** Works in a temporary folder and renames it at the end, so that an interrupted start leaves nothing half done. */
const createCluster = async (folder: string, throwAway: boolean) => {
  const draft = `${folder}.draft`
  const passwordFile = `${folder}.password`
  const password = randomBytes(24).toString('hex')
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user.uid) for (const path of [draft, passwordFile]) await chown(path, user.uid, user.gid)
  const flags = [...CLUSTER, ...(throwAway ? FORGETFUL : []), `--pwfile=${passwordFile}`]
  await run(join(binaries, 'initdb'), [...flags, draft], user).finally(() => rm(passwordFile))
  const url = `postgresql://postgres:${password}@127.0.0.1:0/paygraph`
  await writeFile(join(draft, 'url'), url, { mode: 0o600 })
  await rename(draft, folder)
}

const control = (folder: string, ...args: string[]) =>
  run(join(binaries, 'pg_ctl'), [...args, '-D', folder], { ...user, cwd: '/' })

/** The pid in a stale pid file may belong to any process by now, so check that it is a postgres. */
const isRunning = async (folder: string) => {
  const alive = await control(folder, 'status').then(
    () => true,
    () => false,
  )
  if (!alive) return false
  const pidFile = join(folder, 'postmaster.pid')
  const [pid] = (await readFile(pidFile, 'utf8')).split('\n')
  const program = await readlink(`/proc/${pid}/exe`).catch(() => 'postgres')
  if (basename(program).startsWith('postgres')) return true
  await rm(pidFile)
  return false
}

/** The process that owns the running server, or undefined if that process was killed. */
const ownerOf = async (folder: string) => {
  const client = new pg.Client({
    connectionString: databaseOf(await readAddress(folder), 'postgres'),
  })
  try {
    await client.connect()
    const [row] = (await client.query<{ free: boolean; owner: string | null }>(LOCK)).rows
    return row?.free ? undefined : (row?.owner ?? 'process unknown')
  } catch {
    return undefined
  } finally {
    await client.end()
  }
}

const readAddress = async (folder: string) => new URL(await readFile(join(folder, 'url'), 'utf8'))

const databaseOf = (server: URL, name: string) => new URL(`/${name}`, server).href

const addressOnFreePort = async (folder: string) => {
  const url = await readAddress(folder)
  url.port = String((await freePort(Number(url.port))) ?? (await freePort(0)))
  await writeFile(join(folder, 'url'), url.href)
  return url
}

const freePort = (wish: number) =>
  new Promise<number | undefined>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(undefined))
    probe.listen(wish, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })

/** A script that stops the server when its standard input closes, which happens even if this process is killed. */
const KEEPER = `
trap '' PIPE
if "$0" start --silent --timeout=600 -D "$1" -l "$1/log" -o "-p $2"; then
  echo ready && read _
  "$0" stop --silent --mode=fast -D "$1"
fi
[ "$3" = true ] && rm -rf "$1"`

/** Runs in its own process group, because Ctrl-C would otherwise stop the database before the gateway has drained. */
const keepServer = async (folder: string, port: string, throwAway: boolean) => {
  const child = spawn('sh', ['-c', KEEPER, join(binaries, 'pg_ctl'), folder, port, String(throwAway)], {
    ...user,
    cwd: '/',
    detached: true,
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text))
  const ended = once(child, 'close')
  const ready = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)])
  if (!ready) throw new Error(`PostgreSQL did not start.\n${complaint}${await lastWords(folder)}`)
  return async () => {
    child.stdin.end()
    await ended
  }
}

const lastWords = async (folder: string) => {
  const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
  return log.trimEnd().split('\n').slice(-5).join('\n')
}
