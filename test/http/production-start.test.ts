// The production build runs without development packages, checks its environment, and reports what is wrong with it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import module from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { isDistributed } from '#test/setup/distributed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'paygraph-production-'))
afterAll(() => rmSync(place, { recursive: true }))

interface Lock {
  readonly packages: Readonly<Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>>
}

/** Has what the Dockerfile puts into the image, but links the packages. */
beforeAll(() => {
  cpSync(dirname(inject('gatewayMain')), join(place, 'dist'), { recursive: true })
  for (const path of ['migrations', 'package.json']) cpSync(join(root, path), join(place, path), { recursive: true })
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  for (const [path, { dev, devOptional, optional }] of Object.entries(packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev || devOptional || optional) continue
    mkdirSync(dirname(join(place, path)), { recursive: true })
    symlinkSync(join(root, path), join(place, path))
  }
})

const ARGUMENTS = ['--preserve-symlinks', '--preserve-symlinks-main', 'dist/main.js']
const { PATH, DATABASE_DIRECT_URL: DATABASE_URL, MASTER_KEY } = process.env as Record<string, string>
const RIGHT = { PATH, DATABASE_URL, MASTER_KEY, PORT: '0' }

const run = (env: Record<string, string | undefined>, ...options: string[]) =>
  spawnSync(process.execPath, [...ARGUMENTS, ...options], { cwd: place, env, encoding: 'utf8', timeout: 30_000 })

/** Starts the gateway, waits until it is ready, and stops it with SIGTERM after the work. `log` is what it wrote to standard error. */
const serving = async (env: NodeJS.ProcessEnv, work: (url: string, log: () => string) => Promise<void>) => {
  const child = spawn(process.execPath, ARGUMENTS, { cwd: place, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text))
  try {
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [string]
    const url = String(line).replace('Serving ', '')
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
    await work(url, () => log)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
}

const onServer = async (statement: string) => {
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** 32 bytes with this number of different values. */
const keyOf = (different: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => index % different)).toString('base64')

const NOBODY = '00000000-0000-7000-8000-000000000000'

it('serves requests from the bundle with production packages only', () =>
  serving(RIGHT, async (url) => {
    const answer = await fetch(`${url}/graphql?query=${encodeURIComponent('{ apiInfo { version } }')}`)
    expect(await answer.json()).toEqual({ data: { apiInfo: { version: '2025-10-13' } } })
    expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.0' })
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js']) expect((await fetch(url + path)).status).toBe(200)
  }))

it.skipIf(!('enableCompileCache' in module))('`compile` keeps the compiled code without a database', () => {
  const cache = join(place, 'dist/.compile-cache')
  rmSync(cache, { recursive: true, force: true })
  expect(run({ ...RIGHT, DATABASE_URL: 'postgresql://none' }, 'compile')).toMatchObject({ status: 0, stderr: '' })
  const sizes = readdirSync(cache, { recursive: true }).map((file) => statSync(join(cache, String(file))).size)
  expect(Math.max(...sizes)).toBeGreaterThan(1_000_000)
})

it('--help lists every variable with its purpose and default', () => {
  const { status, stdout, stderr } = run({ PATH }, '--help')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const source = readFileSync(join(root, 'src/core/config.ts'), 'utf8')
  const names = [...new Set(source.match(/\b[A-Z]+(_[A-Z]+)+\b|\bPORT\b|\bDEMO\b|\bGRAPHIQL\b/g))]
  expect(names.length).toBeGreaterThan(15)
  for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S.* \\(.+\\)$`, 'm'))
  for (const line of stdout.matchAll(/^ {2}[A-Z_]{4,} .*$/gm)) expect(line[0]).toMatch(/ \S.* \(.+\)$/)
})

describe('an invalid environment gives one readable line per problem, and the gateway does not start', () => {
  it.each<[string, Record<string, string>, string[]?]>([
    ['nothing', { DATABASE_URL: '', MASTER_KEY: '' }],
    [
      'values of another form',
      {
        DATABASE_URL: 'mysql://x/y',
        MASTER_KEY: 'c2hvcnQ=',
        PORT: 'http',
        DATABASE_POOL_SIZE: '1.5',
        CORS_ORIGINS: '*',
        TRUSTED_PROXIES: 'proxy.internal',
        OIDC_ISSUERS: 'http://issuer.example',
        SMS_URL: 'http://sms.example',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
        LOG_LEVEL: 'loud',
        DEMO: 'perhaps',
        CARDS: 'no?',
      },
    ],
    [
      'values out of range',
      {
        MASTER_KEY: Buffer.alloc(32).toString('base64'),
        PORT: '65536',
        MAX_CONNECTIONS: '0',
        STOP_DELAY_MS: '60000',
        CORS_ORIGINS: 'https://a.example/',
        GRAPHQL_LIMITS: 'maxNodes=2147483648',
      },
    ],
    // These are read once the others are right.
    ['a limit with the name of a method', { GRAPHQL_LIMITS: 'toString=1' }],
    ['a limit that does not exist', { GRAPHQL_LIMITS: 'maxHope=1' }],
    ['a file that is not there', { TRUSTED_DOCUMENTS: 'nowhere.json' }],
    ['a file of something else', { TRUSTED_DOCUMENTS: 'package.json' }],
    ['a key of 15 different bytes', { MASTER_KEY: keyOf(15) }],
    ['mail from nobody', { SMTP_URL: 'smtps://mail.example' }, ['EMAIL_FROM']],
  ])('%s', (_what, wrong, names = Object.keys(wrong)) => {
    const { status, stdout, stderr } = run({ ...RIGHT, ...wrong })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    const lines = stderr.trimEnd().split('\n')
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([...names].sort())
    for (const line of lines) expect(line).toMatch(/^[A-Z_]+ (must be|is required|contains|and [A-Z_]+ must be)\b.+/)
  })

  it.each([
    [3_600, 'ahead of'],
    [-3_600, 'behind'],
  ])('a clock that differs by %i seconds', (seconds, side) => {
    const shifted = `const { now } = Date; Date.now = () => now() + ${seconds * 1_000}`
    const { status, stderr } = run({
      ...RIGHT,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shifted)}`,
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(
      new RegExp(`^The clock of the gateway is 3\\d{3} seconds ${side} that of the database\\. .+\n$`),
    )
  })

  it('a port that is in use', async () => {
    const other = createServer().listen(0)
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { status, stdout, stderr } = run({ ...RIGHT, PORT: String(port), LOG_LEVEL: 'silent' })
    other.close()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe(`PORT ${port} is in use by another process. Choose another port, or 0 for any free one.\n`)
  })

  it.each(['host.invalid', '192.0.2.1'])('a host that is not of this machine, %s', (HOST) => {
    const { status, stdout, stderr } = run({ ...RIGHT, HOST, LOG_LEVEL: 'silent' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^HOST cannot be used: (getaddrinfo|listen) .+\n$/)
  })

  it('a database that does not exist', () => {
    const { status, stdout, stderr } = run({ ...RIGHT, DATABASE_URL: new URL('/nowhere', DATABASE_URL).href })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe('Cannot connect to DATABASE_URL: database "nowhere" does not exist\n')
  })

  it('missing migrations', () => {
    renameSync(join(place, 'migrations'), join(place, 'elsewhere'))
    const { status, stdout, stderr } = run(RIGHT)
    renameSync(join(place, 'elsewhere'), join(place, 'migrations'))
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe('migrations/ must be copied next to dist/\n')
  })

  it('an option that does not exist', () => {
    expect(run(RIGHT, '--port')).toMatchObject({ status: 1, stderr: 'Unknown command --port. See --help.\n' })
  })
})

describe('an operator command', () => {
  const OPERATED = { ...RIGHT, DATABASE_URL: new URL(`/operated_${randomBytes(4).toString('hex')}`, DATABASE_URL).href }
  const name = new URL(OPERATED.DATABASE_URL).pathname.slice(1)
  const database = new pg.Client({ connectionString: OPERATED.DATABASE_URL })

  /** An empty database, as an operator gets it. */
  beforeAll(async () => {
    await onServer(`CREATE DATABASE ${name} TEMPLATE template0`)
    await database.connect()
  })
  afterAll(async () => {
    await database.end()
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
  })

  const operate = (...args: string[]) => {
    const { status, stdout, stderr } = run(OPERATED, ...args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const printed = (label: string) => new RegExp(`^${label} +(.+)$`, 'm').exec(stdout)?.[1] ?? ''
    return { platform: printed('Platform'), clientId: printed('Client id'), secret: printed('Secret'), stdout }
  }

  /** The statuses of a read over both APIs, and of a call that needs TRANSACT. */
  const tryOut = async (url: string, { clientId, secret }: { clientId: string; secret: string }) => {
    const headers = { authorization: `Basic ${btoa(`${clientId}:${secret}`)}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const answers = await Promise.all([
      fetch(`${url}/2025-10-13/transactions`, { headers }),
      post('/graphql', { query: '{ transactions { totalCount } }' }),
      post('/2025-10-13/quotes', {}),
    ])
    return answers.map(({ status }) => status)
  }

  it('creates a platform and its first token in an empty database, then other tokens with fewer permissions', async () => {
    const first = operate('create-platform', '--name', 'Acme', '--environment', 'PRODUCTION')
    const viewer = operate('create-token', '--platform', first.platform, '--permissions', 'VIEW')
    expect(first).toMatchObject({ platform: viewer.platform, clientId: expect.stringMatching(/^[0-9a-f]{32}$/) })
    for (const { secret } of [first, viewer]) expect(secret).toMatch(/^[0-9a-f]{36}$/)
    const { rows } = await database.query(`SELECT name, environment::text FROM platforms`)
    expect(rows).toEqual([{ name: 'Acme', environment: 'PRODUCTION' }])

    await serving({ ...OPERATED, LOG_LEVEL: 'debug' }, async (url, log) => {
      expect(await tryOut(url, first)).toEqual([200, 200, 400])
      expect(await tryOut(url, viewer)).toEqual([200, 200, 403])
      operate('revoke-token', '--client-id', viewer.clientId)
      // The gateway may remember a caller for half a second.
      await vi.waitFor(async () => expect(await tryOut(url, viewer)).toEqual([401, 401, 401]), { timeout: 5_000 })
      expect(await tryOut(url, first)).toEqual([200, 200, 400])
      expect(log()).toContain('"event":"request"')
      for (const { secret } of [first, viewer]) expect(log()).not.toContain(secret)
    })
    const tokens = await database.query(
      `SELECT api_tokens::text AS row, encode(secret_hash, 'hex') AS hash FROM api_tokens`,
    )
    expect(tokens.rows).toEqual([
      { row: expect.not.stringContaining(first.secret), hash: createHash('sha256').update(first.secret).digest('hex') },
    ])
  })

  const REFUSED = {
    status: 1,
    stdout: '',
    stderr: 'MASTER_KEY is not the one that the secrets in the database were encrypted with\n',
  }
  const withOtherKey = () => ({ ...OPERATED, MASTER_KEY: randomBytes(32).toString('base64') })

  it('is refused with another MASTER_KEY than that of the first start, and so is the gateway', () => {
    const { platform } = operate('create-platform', '--name', 'Acme', '--environment', 'PRODUCTION')
    for (const args of [[], ['create-token', '--platform', platform, '--permissions', 'VIEW']]) {
      const { status, stdout, stderr } = run(withOtherKey(), ...args)
      expect({ status, stdout, stderr }).toEqual(REFUSED)
    }
  })

  it('is refused with another MASTER_KEY than that of the stored secrets, if an earlier release recorded no key', async () => {
    const { clientId, secret } = operate('create-platform', '--name', 'Acme', '--environment', 'PRODUCTION')
    const headers = { authorization: `Basic ${btoa(`${clientId}:${secret}`)}`, 'content-type': 'application/json' }
    const person = { customerType: 'INDIVIDUAL', fullName: 'Ada Lovelace', birthDate: '1990-12-10', nationality: 'US' }
    const taxed = { ...person, taxIdType: 'SSN', taxIdCountryOfIssuance: 'US', taxIdentifier: '078051120' }
    await serving(OPERATED, async (url) => {
      const body = JSON.stringify({ ...taxed, currencies: ['EUR'] })
      expect((await fetch(`${url}/2025-10-13/customers`, { method: 'POST', headers, body })).status).toBe(201)
    })
    await database.query('DELETE FROM master_key_mark')
    const { status, stdout, stderr } = run(withOtherKey(), 'retry-jobs')
    expect({ status, stdout, stderr }).toEqual(REFUSED)
    operate('retry-jobs')
    expect((await database.query('SELECT FROM master_key_mark')).rowCount).toBe(1)
  })

  it('records one MASTER_KEY, if two with different keys meet an empty database', async () => {
    await onServer(`CREATE DATABASE ${name}_of_two TEMPLATE template0`)
    const DATABASE_URL = new URL(`/${name}_of_two`, OPERATED.DATABASE_URL).href
    const keys = [withOtherKey(), withOtherKey()].map((env) => ({ ...env, DATABASE_URL }))
    const exits = keys.map((env) =>
      once(spawn(process.execPath, [...ARGUMENTS, 'retry-jobs'], { cwd: place, env }), 'exit'),
    )
    const statuses = (await Promise.all(exits)).map(([status]) => status)
    expect(statuses.toSorted()).toEqual([0, 1])
    expect(keys.map((env) => run(env, 'retry-jobs').status)).toEqual(statuses)
    await onServer(`DROP DATABASE ${name}_of_two`)
  })

  // On one Postgres only: the role would have to exist on each node.
  it.skipIf(isDistributed)('says that its role may not migrate the database, and so does the gateway', async () => {
    await onServer(`CREATE ROLE ${name} LOGIN PASSWORD 'weak'`)
    await onServer(`CREATE DATABASE ${name}_of_others TEMPLATE template0`)
    const weak = Object.assign(new URL(`/${name}_of_others`, DATABASE_URL), { username: name, password: 'weak' }).href
    for (const args of [[], ['retry-jobs']]) {
      const { status, stderr } = run({ ...OPERATED, DATABASE_URL: weak, LOG_LEVEL: 'silent' }, ...args)
      const told = 'may not migrate the database: permission denied for schema public'
      expect({ status, stderr }).toEqual({ status: 1, stderr: `The role of the database address ${told}\n` })
    }
    await onServer(`DROP DATABASE ${name}_of_others`)
    await onServer(`DROP ROLE ${name}`)
  })

  it('takes each option once, and tells what is wrong with one in a line', () => {
    const create = (...options: string[]) => run(OPERATED, 'create-token', '--platform', randomUUID(), ...options)
    const once = ['--permissions', 'VIEW']
    expect(create(...once, ...once)).toMatchObject({ status: 1, stderr: '--permissions is given more than once\n' })
    const { status, stderr } = create('--permissions', '-5')
    expect([status, stderr]).toEqual([1, "Option '--permissions' argument is ambiguous. See --help.\n"])
  })

  it('that fails writes one line with its name and the code of the error, and nothing of its source', async () => {
    await database.query('ALTER TABLE api_tokens RENAME TO elsewhere')
    const { status, stdout, stderr } = run(OPERATED, 'revoke-token', '--client-id', 'acme')
    await database.query('ALTER TABLE elsewhere RENAME TO api_tokens')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    const line = { event: 'failure', task: 'revoke-token', name: 'PrismaClientKnownRequestError', code: 'P2021' }
    expect(JSON.parse(stderr)).toMatchObject(line)
  })

  it.each<[string, string[], RegExp]>([
    [
      'no options for a platform',
      ['create-platform'],
      /^--name is required\n--environment must be PRODUCTION or SANDBOX\n$/,
    ],
    [
      'an unknown environment',
      ['create-platform', '--name', 'A', '--environment', 'TEST'],
      /^--environment must be .*\n$/,
    ],
    ['an empty name', ['create-platform', '--name', ' ', '--environment', 'SANDBOX'], /^--name must not be empty\n$/],
    ['an unknown option', ['create-platform', '--secret', 'x'], /^Unknown option '--secret'\. See --help\.\n$/],
    ['a value', ['create-platform', 'Acme'], /^Unexpected argument 'Acme'\. See --help\.\n$/],
    ['an unknown command', ['create-plattform'], /^Unknown command create-plattform\. See --help\.\n$/],
    [
      'an unknown permission',
      ['create-token', '--platform', NOBODY, '--permissions', 'VIEW,ALL,ANY'],
      /^--permissions must .*\n$/,
    ],
    [
      'an id that is none',
      ['create-token', '--platform', 'Acme', '--permissions', 'VIEW'],
      /^--platform must be a platform id\n$/,
    ],
    [
      'an unknown platform',
      ['create-token', '--platform', NOBODY, '--permissions', 'VIEW'],
      /^There is no platform 0.*\n$/,
    ],
    ['an unknown token', ['revoke-token', '--client-id', 'acme'], /^There is no token with the client id acme\n$/],
    [
      'no platform to report about',
      ['report-deposit', '--platform', NOBODY, '--account', 'x', '--amount', '1', '--reference', 'A'],
      /^There is no platform 0.*\n$/,
    ],
    [
      'an amount that is none',
      ['report-deposit', '--platform', NOBODY, '--account', 'x', '--amount', '1.5', '--reference', 'A'],
      /^--amount must be a whole number above zero\n$/,
    ],
  ])('reports what is wrong with it: %s', (_what, args, told) => {
    const { status, stdout, stderr } = run(OPERATED, ...args)
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(told) })
  })

  it.each([
    ['no server', 'postgresql://127.0.0.1:1/paygraph'],
    ['no database', new URL('/nowhere', DATABASE_URL).href],
    // On one Postgres only: the nodes of the tests ask for no password.
    ...(isDistributed ? [] : [['a wrong password', DATABASE_URL?.replace(/:[^:@]*@/, ':wrong@')]]),
  ])('reports in one line that there is %s', (_what, DATABASE_URL) => {
    const args = ['create-platform', '--name', 'Acme', '--environment', 'SANDBOX']
    const { status, stdout, stderr } = run({ ...OPERATED, DATABASE_URL }, ...args)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^Cannot connect to DATABASE_URL: .+\n$/)
  })
})
