// An institution as an operator sets it up: a gateway process with its own database and port, configured by commands and through the faces.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { inject } from 'vitest'
import { cloneDatabase } from '#test/setup/clone.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

export interface Answer {
  readonly status: number
  readonly body: Json
}

export interface Institution {
  readonly domain: string
  readonly fingerprint: string
  readonly platformId: string
  /** Replaced by `restart`. */
  gateway: GatewayProcess
  readonly send: (method: string, path: string, body?: object) => Promise<Answer>
  readonly ask: (document: string, variables: object) => Promise<Json>
  readonly sql: (text: string, values?: unknown[]) => Promise<Json[]>
  readonly command: (...args: string[]) => Promise<string>
  /** Kills the process and starts another one at the same port. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

export const startInstitution = async (domain: string, more: Record<string, string> = {}): Promise<Institution> => {
  const databaseUrl = await cloneDatabase()
  const settings = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    UMA_ALLOW_PRIVATE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_MESSAGES: 'true',
    ...more,
  }
  const command = async (...args: string[]) => {
    const child = spawn(process.execPath, [inject('gatewayMain'), ...args], {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${args[0]} failed.\n${output}`)
    return output
  }
  const made = await command('create-platform', '--name', domain, '--environment', 'SANDBOX')
  const printed = (name: string, text = made) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(text)?.[1] ?? ''
  const platformId = printed('Platform')
  const authorization = `Basic ${Buffer.from(`${printed('Client id')}:${printed('Secret')}`).toString('base64')}`
  const database = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  database.on('error', () => {})
  const gateway = await startGateway(settings)
  const PORT = new URL(gateway.url).port

  const request = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(new URL(path, institution.gateway.url), {
      ...init,
      headers: { authorization, ...(init.body && { 'content-type': 'application/json' }) },
    })
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') }
  }
  const send: Institution['send'] = (method, path, body) =>
    request(`/2025-10-13${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  const institution: Institution = {
    domain,
    fingerprint: '',
    platformId,
    gateway,
    send,
    ask: async (query, variables) =>
      (await request('/graphql', { method: 'POST', body: JSON.stringify({ query, variables }) })).body,
    sql: async (text, values = []) => (await database.query(text, values)).rows,
    command,
    restart: async () => {
      await institution.gateway.kill()
      institution.gateway = await startGateway({ ...settings, PORT })
    },
    close: async () => {
      await institution.gateway.kill()
      await database.end()
    },
  }
  const configured = await send('PATCH', '/config', { umaDomain: domain })
  if (configured.status !== 200) throw new Error(JSON.stringify(configured.body))
  const fingerprint = printed('Fingerprint', await command('create-uma-keys', '--platform', platformId))
  return Object.assign(institution, { fingerprint })
}

/** Makes `to` a provider that `from` deals with, and that may owe it this many satoshis. */
export const introduce = (
  from: Institution,
  to: Pick<Institution, 'domain' | 'fingerprint'> & { readonly url: string },
  creditLimit = 1_000_000_000,
): Promise<string> =>
  from.command(
    ...['set-uma-provider', '--platform', from.platformId, '--domain', to.domain, '--name', to.domain],
    ...['--fingerprint', to.fingerprint, '--url', to.url, '--credit-limit', String(creditLimit)],
    ...['--currencies', 'USD,EUR', '--regions', 'US,DE'],
  )

export interface Person {
  readonly customerId: string
  readonly umaAddress: string
  readonly accounts: Readonly<Record<string, string>>
}

/** An approved customer with a UMA address, accounts in these currencies, and money in each. */
export const createPerson = async (
  institution: Institution,
  name: string,
  balances: Readonly<Record<string, number>>,
): Promise<Person> => {
  const umaAddress = `$${name}@${institution.domain}`
  const created = await institution.send('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    platformCustomerId: name,
    fullName: `${name} Example`,
    region: 'US',
    email: `${name}@mail.example.com`,
    currencies: Object.keys(balances),
    umaAddress,
    birthDate: '1990-01-01',
    nationality: 'US',
    taxIdType: 'SSN',
    taxIdentifier: '123-45-6789',
    taxIdCountryOfIssuance: 'US',
    address: { line1: '1 Main Street', city: 'Springfield', postalCode: '12345', country: 'US' },
  })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  const { id: customerId } = created.body
  const rows = await institution.sql('select id, currency from internal_accounts where customer_id = $1', [
    customerId.slice('Customer:'.length),
  ])
  const accounts: Record<string, string> = {}
  for (const { id, currency } of rows) {
    accounts[currency] = `InternalAccount:${id}`
    await fund(institution, id, currency, balances[currency] ?? 0)
  }
  return { customerId, umaAddress, accounts }
}

const fund = async ({ sql, platformId }: Institution, accountId: string, currency: string, amount: number) => {
  if (amount === 0) return
  await sql(
    `with movement as (
       insert into ledger_movements (platform_id, id, kind) values ($1, gen_random_uuid(), 'OPENING') returning id)
     insert into ledger_entries (platform_id, movement_id, position, account_id, book, currency, amount)
     select $1, movement.id, place, account::uuid, book::ledger_book, $3, sum from movement,
       (values (1, $2, null, $4::bigint), (2, null, 'OUTSIDE', -$4::bigint)) as entry (place, account, book, sum)`,
    [platformId, accountId, currency, amount],
  )
}

export const balanceOf = async ({ sql }: Institution, accountId: string): Promise<number> => {
  const [row] = await sql('select balance from internal_accounts where id = $1', [
    accountId.slice(accountId.indexOf(':') + 1),
  ])
  return Number(row.balance)
}

/** What the provider owes, in satoshis. */
export const owedBy = async ({ sql }: Institution, { domain }: Pick<Institution, 'domain'>): Promise<number> => {
  const [row] = await sql('select balance from uma_providers where domain = $1', [domain])
  return Number(row.balance)
}
