// What is built runs by itself: without what development needs, with an environment that is right, and says what is wrong with it.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'paygraph-production-'))
afterAll(() => rmSync(place, { recursive: true }))

interface Lock {
  readonly packages: Readonly<Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>>
}

/** As the Dockerfile does, but with links to the packages. */
beforeAll(() => {
  const bundle = `import('./dev/build.mjs').then(({ bundle }) => bundle(${JSON.stringify(join(place, 'dist'))}))`
  const { status, stderr } = spawnSync(process.execPath, ['--eval', bundle, 'package.json'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  for (const path of ['schema.prisma', 'migrations', 'package.json'])
    cpSync(join(root, path), join(place, path), { recursive: true })
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  for (const [path, { dev, devOptional, optional }] of Object.entries(packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev || devOptional || optional) continue
    mkdirSync(dirname(join(place, path)), { recursive: true })
    symlinkSync(join(root, path), join(place, path))
  }
})

const ARGUMENTS = ['--preserve-symlinks', '--preserve-symlinks-main', 'dist/main.js']
const { PATH, DATABASE_URL, MASTER_KEY } = process.env as Record<string, string>
const RIGHT = { PATH, DATABASE_URL, MASTER_KEY, PORT: '0' }

const run = (env: Record<string, string | undefined>, ...options: string[]) =>
  spawnSync(process.execPath, [...ARGUMENTS, ...options], { cwd: place, env, encoding: 'utf8', timeout: 30_000 })

it('serves from the bundle, with the packages of production alone', async () => {
  const child = spawn(process.execPath, ARGUMENTS, { cwd: place, env: RIGHT, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  try {
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [string]
    const url = String(line).replace('Serving ', '')
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 20_000 }).toBe(200)
    const answer = await fetch(`${url}/graphql?query=${encodeURIComponent('{ apiInfo { version } }')}`)
    expect(await answer.json()).toEqual({ data: { apiInfo: { version: '2025-10-13' } } })
    expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.0' })
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js']) expect((await fetch(url + path)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})

it('--help says every variable, what it is for and what it is when absent', () => {
  const { status, stdout, stderr } = run({ PATH }, '--help')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const source = readFileSync(join(root, 'src/core/config.ts'), 'utf8')
  const names = [...new Set(source.match(/\b[A-Z]+(_[A-Z]+)+\b|\bPORT\b|\bDEMO\b/g))]
  expect(names.length).toBeGreaterThan(15)
  for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S.* \\(.+\\)$`, 'm'))
  for (const line of stdout.matchAll(/^ {2}[A-Z_]{4,} .*$/gm)) expect(line[0]).toMatch(/ \S.* \(.+\)$/)
})

describe('a wrong environment is one readable line for each problem, and no start', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['nothing', { DATABASE_URL: '', MASTER_KEY: '' }, ['DATABASE_URL', 'MASTER_KEY']],
    ['no database', { DATABASE_URL: '' }, ['DATABASE_URL']],
    ['another kind of database', { DATABASE_URL: 'mysql://x/y' }, ['DATABASE_URL']],
    ['no key', { MASTER_KEY: '' }, ['MASTER_KEY']],
    ['a short key', { MASTER_KEY: 'c2hvcnQ=' }, ['MASTER_KEY']],
    ['a port that is none', { PORT: 'http' }, ['PORT']],
    ['a port beyond all', { PORT: '65536' }, ['PORT']],
    ['half a connection', { DATABASE_POOL_SIZE: '1.5' }, ['DATABASE_POOL_SIZE']],
    ['no connections', { MAX_CONNECTIONS: '0' }, ['MAX_CONNECTIONS']],
    ['a long stop', { STOP_DELAY_MS: '60000' }, ['STOP_DELAY_MS']],
    ['any origin', { CORS_ORIGINS: '*' }, ['CORS_ORIGINS']],
    ['an origin with a path', { CORS_ORIGINS: 'https://a.example/' }, ['CORS_ORIGINS']],
    ['an issuer in the clear', { OIDC_ISSUERS: 'http://issuer.example' }, ['OIDC_ISSUERS']],
    ['mail from nobody', { SMTP_URL: 'smtps://mail.example' }, ['EMAIL_FROM']],
    ['SMS in the clear', { SMS_URL: 'http://sms.example', SMS_TOKEN: 'x' }, ['SMS_URL']],
    ['traces to nowhere', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, ['OTEL_EXPORTER_OTLP_ENDPOINT']],
    ['a loud log', { LOG_LEVEL: 'loud' }, ['LOG_LEVEL']],
    ['a limit that does not exist', { GRAPHQL_LIMITS: 'maxHope=1' }, ['GRAPHQL_LIMITS']],
    ['a file that is not there', { TRUSTED_DOCUMENTS: 'nowhere.json' }, ['TRUSTED_DOCUMENTS']],
    ['a file of something else', { TRUSTED_DOCUMENTS: 'package.json' }, ['TRUSTED_DOCUMENTS']],
    ['perhaps', { DEMO: 'perhaps', GRAPHQL_JIT: 'no?' }, ['DEMO', 'GRAPHQL_JIT']],
  ])('%s', (_what, wrong, names) => {
    const { status, stdout, stderr } = run({ ...RIGHT, ...wrong })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    const lines = stderr.trimEnd().split('\n')
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([...names].sort())
    for (const line of lines) expect(line).toMatch(/^[A-Z_]+ (must be|is missing|goes with)\b.+/)
  })

  it('a port that another serves at', async () => {
    const other = createServer().listen(0)
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { status, stdout, stderr } = run({ ...RIGHT, PORT: String(port), LOG_LEVEL: 'silent' })
    other.close()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^PORT must be one to serve at: .*EADDRINUSE.*\n$/)
  })

  it('an option that does not exist', () => {
    expect(run(RIGHT, '--port')).toMatchObject({ status: 1, stderr: 'There is no option --port, only --help\n' })
  })
})
