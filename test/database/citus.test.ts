// A migrated database is distributed over two workers, and payments go on. A distributed one takes later migrations. Needs Citus, which `npm run campaign -- citus` finds at CITUS.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { distribute } from '#database/distribution/distribute.ts'
import { REMOVED_TRIGGERS } from '#database/distribution/tables.ts'
import { migrate } from '#database/migrate.ts'
import { inOneTransaction, UNLIMITED } from '#database/pg/long-transaction.ts'
import { type Citus, earlierMigrations, hasCitus, laterMigrations, type Node, startCitus } from '#test/setup/citus.ts'
import { schemaOf } from '#test/setup/citus-schema.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { REFUSED } from '#test/setup/refused-by-citus.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { seedDemo } from '../../dev/demo.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PAYMENTS = Number(process.env['CITUS_PAYMENTS'] ?? 1_000)
const PATIENT = { timeout: 60_000, interval: 200 }

let citus: Citus
let gateway: GatewayProcess | undefined

const stop = async () => {
  await gateway?.kill()
  gateway = undefined
  await citus?.stop()
}

/** Runs a command of the operator. It is killed when it prints `until`. Returns what it has printed. */
const command = async (args: string[], until?: string): Promise<string[]> => {
  const { PATH, MASTER_KEY } = process.env
  const env = { PATH, MASTER_KEY, DATABASE_URL: citus.coordinator.url }
  const child = spawn(process.execPath, [inject('gatewayMain'), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (until !== undefined && line.includes(until)) child.kill('SIGKILL')
  }
  await exited
  return lines
}

const createPlatform = async () => {
  const lines = await command(['create-platform', '--name', 'Test', '--environment', 'SANDBOX'])
  const word = (name: string) =>
    lines
      .find((line) => line.startsWith(name))
      ?.split(/\s+/)
      .at(-1) ?? ''
  const authorization = basic({ clientId: word('Client id'), secret: word('Secret') })
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${gateway?.url}${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const rest = (method: string, path: string, body?: object) => send(method, `/2025-10-13${path}`, body)
  const graphql = async (query: string) => (await send('POST', '/graphql', { query })).body.data
  return { id: word('Platform'), rest, graphql }
}
type Platform = Awaited<ReturnType<typeof createPlatform>>

/** A customer with dollars and a bank account. */
const createPayer = async ({ rest }: Platform, amount: number) => {
  const customer = await rest('POST', '/customers', {
    platformCustomerId: crypto.randomUUID(),
    customerType: 'INDIVIDUAL',
    fullName: 'Ada Lovelace',
    birthDate: '1990-01-01',
    nationality: 'US',
    region: 'US',
    taxIdentifier: '123456789',
    currencies: ['USD'],
    address: { line1: '1 Main Street', city: 'New York', state: 'NY', postalCode: '10001', country: 'US' },
  })
  expect(customer).toMatchObject({ status: 201 })
  const customerId = customer.body.id
  const accounts = await rest('GET', `/customers/internal-accounts?customerId=${customerId}`)
  const account = accounts.body.data.find(({ type }: { type: string }) => type === 'INTERNAL_FIAT').id
  expect(await rest('POST', `/sandbox/internal-accounts/${account}/fund`, { amount })).toMatchObject({ status: 200 })
  const beneficiary = {
    beneficiaryType: 'INDIVIDUAL',
    fullName: 'Ada Lovelace',
    birthDate: '1990-01-01',
    nationality: 'US',
  }
  const number = { accountNumber: '123456789', routingNumber: '021000021', bankName: 'Bank', paymentRails: ['ACH'] }
  const bank = await rest('POST', '/customers/external-accounts', {
    customerId,
    currency: 'USD',
    accountInfo: { accountType: 'USD_ACCOUNT', ...number, beneficiary },
  })
  expect(bank).toMatchObject({ status: 201 })
  const balance = async () => {
    const { body } = await rest('GET', `/customers/internal-accounts?customerId=${customerId}`)
    return body.data.find(({ id }: { id: string }) => id === account).totalBalance.amount
  }
  return { account, bank: bank.body.id, balance }
}

/** A list is written by the coordinator, and a row that is found by its id by its node. The nodes have another time zone than the gateway. */
const expectSameTimes = async ({ graphql }: Platform) => {
  const { customers } = await graphql('{ customers(first: 1) { nodes { id createdAt } } }')
  const [customer] = customers.nodes
  const { node } = await graphql(`{ node(id: "${customer.id}") { ... on Customer { id createdAt } } }`)
  expect(node).toEqual(customer)
}

/** The number of rows of each table, and of triggers. */
const contents = async () => {
  const tables = await citus.query(`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not like 'citus%' order by 1`)
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as rows from ${name}`)
  const triggers = `select 'triggers', count(*)::int from pg_trigger
    where tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and not relispartition)
      and not tgisinternal and tgparentid = 0 and (tgrelid::regclass::text, tgname) not in (${REMOVED})`
  return citus.query([...counts, triggers].join(' union all '))
}
const REMOVED = REMOVED_TRIGGERS.map(({ table, name }) => `('${table}', '${name}')`).join()

describe.skipIf(!hasCitus)('Citus', () => {
  beforeAll(async () => {
    citus = await startCitus(async (url) => {
      await migrate(url)
      await seedDemo(url)
    })
  }, 120_000)
  afterAll(stop, 60_000)

  it('keeps every row and trigger; a killed run is continued by the next one, and a further run changes nothing', async () => {
    // The first command records the master key.
    await command(['retry-jobs'])
    const before = await contents()
    expect(before.find(({ name }) => name === 'transactions')?.['rows']).toBeGreaterThan(100)
    const killed = await command(['distribute'], ' 20 of ')
    expect(killed.at(-1)).not.toBe('Distributed.')
    const [aside] = await citus.query('select count(*)::int as triggers from distribution.triggers')
    expect(aside?.['triggers']).toBeGreaterThan(10)
    const finished = await command(['distribute'])
    expect(finished.at(-1)).toBe('Distributed.')
    expect(await command(['distribute'])).toEqual(['Nodes with data: 2', 'Distributed.'])
    const [counted] = await citus.query(`
      select (select count(*)::int from pg_dist_partition where partmethod = 'h' and colocationid <> 0) as tables,
        (select count(distinct colocationid)::int from pg_dist_partition where partmethod = 'h') as groups,
        (select count(*)::int from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace) as keys,
        (select count(*)::int from distribution.foreign_keys) as aside`)
    console.log(`distributed tables and partitions ${counted?.['tables']}, foreign keys ${counted?.['keys']}`)
    expect(counted).toMatchObject({ groups: 1, aside: 0 })
    expect(counted?.['keys']).toBeGreaterThan(100)
    expect(await contents()).toEqual(before)
    const known = await citus.query(
      `select result from run_command_on_shards('transactions', 'select reltuples::int from pg_class where oid = %L::regclass')`,
    )
    expect(known.map(({ result }) => Number(result))).not.toContain(-1)
    expect(known.reduce((sum, { result }) => sum + Number(result), 0)).toBe(
      before.find(({ name }) => name === 'transactions')?.['rows'],
    )
  }, 300_000)

  it('customers pay through both faces, and payments end', async () => {
    gateway = await startGateway({
      DATABASE_URL: citus.coordinator.url,
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    })
    const { url } = gateway
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), PATIENT)
    const platform = await createPlatform()
    const { account, bank, balance } = await createPayer(platform, 100_000)
    const transfer = { source: { accountId: account }, destination: { accountId: bank }, amount: 1_000 }
    expect(await platform.rest('POST', '/transfer-out', transfer)).toMatchObject({ status: 201 })
    const quote = await platform.rest('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: account },
      destination: { destinationType: 'ACCOUNT', accountId: bank, currency: 'USD' },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 2_000,
    })
    expect(quote).toMatchObject({ status: 201 })
    expect(await platform.rest('POST', `/quotes/${quote.body.id}/execute`)).toMatchObject({ status: 200 })
    const states = async () => {
      const { transactions } = await platform.graphql('{ transactions(first: 10) { totalCount nodes { status } } }')
      return [transactions.totalCount, ...new Set(transactions.nodes.map(({ status }: { status: string }) => status))]
    }
    await vi.waitFor(async () => expect(await states()).toEqual([3, 'COMPLETED']), PATIENT)
    expect(await balance()).toBe(97_000)
    await expectSameTimes(platform)
    const { body: events } = await platform.rest('GET', '/webhooks/events?limit=100')
    console.log(`events ${events.data.length}`)
    expect(events.data.length).toBeGreaterThan(5)
    expect(await citus.query('select * from ledger_violations')).toEqual([])
  }, 180_000)

  it('webhooks are sent, and a payment whose job was lost is resumed', async () => {
    const receiver = await startReceiver()
    const platform = await createPlatform()
    const { account, bank } = await createPayer(platform, 100_000)
    const types = 'OUTGOING_PAYMENT_PENDING, OUTGOING_PAYMENT_COMPLETED'
    const set = await platform.graphql(
      `mutation { setWebhookEndpoint(input: { url: "${receiver.url}", types: [${types}] }) { __typename } }`,
    )
    expect(set).toEqual({ setWebhookEndpoint: { __typename: 'SetWebhookEndpointSuccess' } })
    const transfer = { source: { accountId: account }, destination: { accountId: bank }, amount: 1_000 }
    const { body } = await platform.rest('POST', '/transfer-out', transfer)
    const of = `platform_id = '${platform.id.replace('Platform:', '')}' and id = '${body.id.split(':').at(-1)}'`
    // Its job waits in the outbox, is in the queue, or has run and left the next one.
    for (let tries = 0; tries < 10; tries += 1) {
      for (const table of ['job_outbox', 'graphile_worker._private_jobs'])
        await citus.query(`delete from ${table} where payload ->> 'transactionId' = '${body.id.split(':').at(-1)}'`)
      await wait(50)
    }
    await citus.query(
      `update transactions set updated_at = '2020-01-01', expected_settlement_at = '2020-01-01' where ${of}`,
    )
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), PATIENT)
    const statusOf = async () => (await citus.query(`select status::text from transactions where ${of}`))[0]?.['status']
    await vi.waitFor(async () => expect(await statusOf()).toBe('COMPLETED'), { timeout: 130_000, interval: 500 })
    console.log(`webhooks received ${receiver.received.length}`)
    receiver.close()
  }, 200_000)

  it('a change of a customer has its open verification checked again', async () => {
    const platform = await createPlatform()
    const customer = await platform.rest('POST', '/customers', {
      customerType: 'BUSINESS',
      address: { line1: '1 Main St', postalCode: '62701', country: 'US' },
      // The sandbox checks the documents of a business whose number has this ending.
      businessInfo: {
        legalName: 'Acme',
        registrationNumber: 'HRB 001',
        entityType: 'LLC',
        incorporatedOn: '2020-01-31',
        taxId: '12-3456789',
        country: 'US',
      },
      currencies: ['USD'],
    })
    expect(customer).toMatchObject({ status: 201 })
    const verification = await platform.rest('POST', '/verifications', { customerId: customer.body.id })
    expect(verification.body).toMatchObject({ verificationStatus: 'RESOLVE_ERRORS' })
    const owner = await platform.rest('POST', '/beneficial-owners', {
      customerId: customer.body.id,
      roles: ['UBO', 'CONTROL_PERSON'],
      ownershipPercentage: 51,
      personalInfo: {
        firstName: 'Nora',
        lastName: 'Lindqvist 003',
        birthDate: '1980-04-12',
        nationality: 'SE',
        address: { line1: '1 Main Street', postalCode: '10115', country: 'DE' },
        idType: 'PASSPORT',
        identifier: 'P-1',
        countryOfIssuance: 'SE',
      },
    })
    expect(owner).toMatchObject({ status: 201 })
    const errors = async () => (await platform.rest('GET', `/verifications/${verification.body.id}`)).body.errors.length
    await vi.waitFor(async () => expect(await errors()).toBeLessThan(verification.body.errors.length), PATIENT)
  }, 120_000)

  it('when a worker and the coordinator crash, payments happen completely or not at all, and all end', async () => {
    const platforms = await Promise.all([1, 2, 3, 4].map(() => createPlatform()))
    const payers = await Promise.all(platforms.map((platform) => createPayer(platform, 1_000_000)))
    const answers: number[] = []
    const accepted = () => answers.filter((status) => status === 201).length
    const pay = async (at: number): Promise<number> => {
      const { account, bank } = payers[at] as (typeof payers)[number]
      const transfer = { source: { accountId: account }, destination: { accountId: bank }, amount: 100 }
      const { status } = await (platforms[at] as Platform).rest('POST', '/transfer-out', transfer)
      answers.push(status)
      return status
    }
    const paying = Promise.all(
      payers.map(async (_, at) => {
        while (accepted() < PAYMENTS) await pay(at)
      }),
    )
    const crash = async (node: Node, after: number) => {
      await vi.waitFor(() => expect(accepted()).toBeGreaterThan(after), { timeout: 120_000, interval: 20 })
      await node.crash()
      await node.start()
    }
    await crash(citus.workers[0], PAYMENTS / 4)
    await crash(citus.coordinator, PAYMENTS / 2)
    await paying
    const others = answers.filter((status) => status !== 201 && status !== 503).length
    console.log(`transfers ${answers.length}, accepted ${accepted()}, other than 503 ${others}`)

    const ids = platforms.map(({ id }) => `'${id.replace('Platform:', '')}'`).join()
    const statuses = () =>
      citus.query(`select status::text, count(*)::int as n from transactions
        where platform_id in (${ids}) and type = 'OUTGOING' group by 1 order by 1`)
    await vi.waitFor(
      async () => {
        const found = await statuses()
        expect(found.map(({ status }) => status)).toEqual(['COMPLETED'])
      },
      { timeout: 240_000, interval: 1_000 },
    )
    const [stored] = await statuses()
    expect(stored?.['n']).toBeGreaterThanOrEqual(accepted())
    // No money is held or lost: the balances have fallen by what was paid.
    const balances = await Promise.all(payers.map(({ balance }) => balance()))
    expect(4_000_000 - balances.reduce((sum, balance) => sum + balance, 0)).toBe(Number(stored?.['n']) * 100)
    expect(await citus.query('select * from ledger_violations')).toEqual([])
    const [left] = await citus.query(`select
      (select count(*)::int from ledger_holds where platform_id in (${ids}) and released_at is null) as held,
      (select count(*)::int from job_outbox) as waiting,
      (select count(*)::int from graphile_worker._private_jobs where attempts > 0 and payload ->> 'platformId' in (${ids})) as failing`)
    expect(left).toEqual({ held: 0, waiting: 0, failing: 0 })
    console.log(`stored ${stored?.['n']}, all completed`)
  }, 600_000)
})

describe.skipIf(!hasCitus)('a database that was distributed by an earlier release', () => {
  let schema: Awaited<ReturnType<typeof schemaOf>>
  beforeAll(async () => {
    citus = await startCitus(migrate)
    await distribute(citus.coordinator.url, () => {})
    schema = await schemaOf(citus)
    await citus.stop()
    citus = await startCitus(async (url) => {
      await migrate(url, earlierMigrations())
      await seedDemo(url)
    })
    await citus.query(`insert into events (platform_id, type, object_kind, object_id, snapshot)
      select platform_id, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount', id, to_jsonb(internal_accounts) from internal_accounts`)
    await distribute(citus.coordinator.url, () => {})
    // Earlier releases did not set it.
    await citus.query('alter database paygraph reset timezone')
  }, 400_000)
  afterAll(stop, 60_000)

  it('takes the later migrations, keeps its rows, and is then like one that was distributed after them', async () => {
    const rows = async () => Object.fromEntries((await contents()).map(({ name, rows }) => [name, Number(rows)]))
    const before = await rows()
    expect(before['events']).toBeGreaterThan(20)
    expect(await migrate(citus.coordinator.url)).toEqual(laterMigrations())
    const after = await rows()
    const { _prisma_migrations, transaction_state_changes, triggers, currencies, ...same } = before
    expect(after).toMatchObject(same)
    const [timelines] = await citus.query('select count(*)::int as steps from transaction_timelines')
    expect(timelines).toEqual({ steps: transaction_state_changes })
    const upgraded = await schemaOf(citus)
    expect(upgraded.map((lines) => lines.length > 1_000)).toEqual([true, true, true])
    const differences = upgraded.map((lines, node) => ({
      missing: schema[node]?.filter((line) => !lines.includes(line)),
      added: lines.filter((line) => !schema[node]?.includes(line)),
    }))
    expect(differences).toEqual(schema.map(() => ({ missing: [], added: [] })))
  }, 120_000)

  it.each(REFUSED)('refuses what migrations do without: $error', async ({ example, error }) => {
    await expect(citus.query(example)).rejects.toThrow(error)
  })

  it('customers then pay on it', async () => {
    gateway = await startGateway({ DATABASE_URL: citus.coordinator.url, LOG_LEVEL: 'error' })
    const { url } = gateway
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), PATIENT)
    const platform = await createPlatform()
    const { account, bank, balance } = await createPayer(platform, 100_000)
    const transfer = { source: { accountId: account }, destination: { accountId: bank }, amount: 1_000 }
    const { body } = await platform.rest('POST', '/transfer-out', transfer)
    const payment = async () => (await platform.rest('GET', `/transactions/${body.id}`)).body
    await vi.waitFor(async () => expect(await payment()).toMatchObject({ status: 'COMPLETED' }), PATIENT)
    expect(await balance()).toBe(99_000)
    await expectSameTimes(platform)
    expect(await citus.query('select * from ledger_violations')).toEqual([])
  }, 120_000)

  it('a migration may take longer than a request, although Citus copies the limits of a role to its nodes', async () => {
    await command(['set-connection-settings'])
    const client = new pg.Client({ connectionString: citus.coordinator.url, options: UNLIMITED })
    await client.connect()
    const [customer] = await citus.query('select platform_id from customers limit 1')
    const slow = `select pg_sleep(6) from customers where platform_id = '${customer?.['platform_id']}' limit 1`
    try {
      await expect(client.query(slow)).rejects.toThrow('statement timeout')
      await inOneTransaction(client, async () => expect((await client.query(slow)).rowCount).toBe(1))
    } finally {
      await client.end()
    }
  }, 60_000)
})
