// Installs the packages of examples/dashboard and builds it, each only after its inputs have changed.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const project = fileURLToPath(new URL('..', import.meta.url))
const folder = join(project, 'examples/dashboard')
const directory = join(folder, 'dist')

/**
 * Builds the dashboard. Returns the folder that it is in, and the file that lists its GraphQL documents. Throws an Error that names the cause
 * if a step fails. The gateway also works without a dashboard.
 */
export const buildDashboard = async () => {
  await once('node_modules/.installed-from', ['package-lock.json'], () =>
    npm(['ci', ...'--ignore-scripts --no-audit --no-fund --loglevel=error'.split(' ')]),
  )
  await once('dist/.built-from', sources(), () => npm(['run', '--silent', 'build']))
  return { directory, documents: join(directory, 'documents.json') }
}

/** Does the work unless the stamp names these contents already. */
const once = async (stamp, files, work) => {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(folder, file)))
      .update('\0')
  const origin = `${hash.digest('hex')}\n`
  const path = join(folder, stamp)
  if (existsSync(path) && readFileSync(path, 'utf8') === origin) return
  await work()
  writeFileSync(path, origin)
}

const sources = () => [
  relative(folder, join(project, 'src/graphql/schema.graphql')),
  ...['package-lock.json', 'index.html', 'vite.config.ts', 'tsconfig.json'],
  ...['src', 'public', 'build'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith('src/gql/'))
      .sort(),
  ),
]

const npm = async (args) => {
  try {
    // Tests have another environment, in which React would be its larger build for development.
    const env = { ...process.env, NODE_ENV: args[0] === 'run' ? 'production' : 'development' }
    const work = run('npm', args, { cwd: folder, env, maxBuffer: 2 ** 30 })
    // Without this, npm would keep running after a stop and interfere with the next start.
    process.once('exit', () => work.child.kill('SIGKILL'))
    await work
  } catch ({ message, stdout = '', stderr = '' }) {
    const lines = `${stdout}\n${stderr}`.trim().split('\n').slice(-20).join('\n')
    throw new Error(`npm ${args[0] === 'run' ? 'run build' : 'ci'} failed in examples/dashboard.\n${lines || message}`)
  }
}
