// Reads go to hot standbys that lag, stand still, hang and die. No read is stale and none fails.
// Own process: has a primary and two standbys of its own.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hashSecret } from '#platforms/api-token.ts'
import { startAddress } from '#test/setup/address.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { type Cluster, type Server, type Standby, startCluster } from '#test/setup/standbys.ts'

/** Pairs of a write and a read. The full campaign sets `REPLICA_PAIRS=10000`. */
const PAIRS = Number(process.env['REPLICA_PAIRS'] ?? 120)
const WORKERS = 4

/** Part of the statement of a page of customers. */
const PAGE = 'from customers t'

let cluster: Cluster
let gateways: [GatewayProcess, GatewayProcess]
const startReading = async (url: string, standbys: readonly Standby[]) => {
  const replicas = standbys.map((standby) => standby.url).join(',')
  const waits = { DATABASE_POOL_SIZE: '4', DATABASE_WAIT_MS: '30000', LOG_LEVEL: 'warn' }
  const gateway = await startGateway({ DATABASE_URL: url, DATABASE_REPLICA_URLS: replicas, ...waits })
  await vi.waitFor(async () => expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200), { timeout: 60_000 })
  return gateway
}
beforeAll(async () => {
  cluster = await startCluster()
  const start = () => startReading(cluster.primary.url, cluster.standbys)
  gateways = [await start(), await start()]
  await vi.waitFor(async () => expect(await cluster.primary.run('select from change_periods')).toHaveLength(1), 30_000)
}, 120_000)
afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.kill()))
  await cluster?.stop()
}, 60_000)

interface Platform {
  readonly id: string
  readonly authorization: string
  /** The number of its customers. */
  written: number
}

const createPlatform = async (primary: Server = cluster.primary): Promise<Platform> => {
  const [id, caller] = [randomUUID() as string, { clientId: randomUUID(), secret: randomUUID() }]
  await primary.run(`insert into platforms (id, name, environment) values ($1, 'Test', 'SANDBOX')`, [id])
  await primary.run(
    `insert into api_tokens (platform_id, id, name, client_id, secret_hash, permissions)
     values ($1, $2, 'Test', $3, $4, '{VIEW,TRANSACT,MANAGE}')`,
    [id, randomUUID(), caller.clientId, hashSecret(caller.secret)],
  )
  return { id, authorization: basic(caller), written: 0 }
}

interface Called {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

const call = async (
  gateway: GatewayProcess,
  { authorization }: Platform,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Called> => {
  const response = await fetch(`${gateway.url}${path}`, {
    headers: { ...headers, authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const nameOf = (number: number) => `customer-${number}`

const write = async (gateway: GatewayProcess, platform: Platform): Promise<Called> => {
  const body = { customerType: 'INDIVIDUAL', fullName: 'Ada', platformCustomerId: nameOf(platform.written + 1) }
  const answer = await call(gateway, platform, '/2025-10-13/customers', body)
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  platform.written += 1
  return answer
}

const QUERY = '{ customers(first: 1) { totalCount nodes { platformCustomerId } } }'

/** `queryCost` has no compiled writer, so this is executed by resolvers. */
const RESOLVED = `{
  queryCost(document: "{ viewer { id } }") { nodes }
  customers(first: 100) {
    nodes { platformCustomerId internalAccounts(first: 1) { nodes { customer { platformCustomerId } } } }
  }
}`

/** The newest customer and the number of customers, as one request returns them. */
const READS = {
  REST: async (gateway: GatewayProcess, platform: Platform, headers: Record<string, string> = {}) => {
    const answer = await call(gateway, platform, '/2025-10-13/customers?limit=1', undefined, headers)
    if (answer.status !== 200) return `${answer.status} ${answer.text}`
    const { data, totalCount } = JSON.parse(answer.text)
    return [data[0]?.platformCustomerId, totalCount]
  },
  GraphQL: async (gateway: GatewayProcess, platform: Platform, headers: Record<string, string> = {}) => {
    const answer = await call(gateway, platform, '/graphql', { query: QUERY }, headers)
    const { data, errors } = JSON.parse(answer.text)
    if (errors || !data) return `${answer.status} ${answer.text}`
    return [data.customers.nodes[0]?.platformCustomerId, data.customers.totalCount]
  },
}
const FACES = [READS.REST, READS.GraphQL] as const
type Read = (typeof FACES)[number]

const newestOf = ({ written }: Platform) => [nameOf(written), written]

const readsAtStandbys = async (standbys: readonly Standby[] = cluster.standbys) => {
  const counts = await Promise.all(standbys.map((standby) => standby.countOf(PAGE)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Repeats the read until a standby serves it. */
const untilAtStandby = (read: () => Promise<unknown>, standbys?: readonly Standby[]) =>
  vi.waitFor(async () => {
    const before = await readsAtStandbys(standbys)
    await read()
    expect(await readsAtStandbys(standbys)).toBeGreaterThan(before)
  }, 20_000)

/** Repeats the read until it sleeps at the standby. A standby that is behind for a moment is not asked. Returns the wait for its answer. */
const readThatSleeps = async <T>(standby: Standby, read: () => Promise<T>) => {
  for (;;) {
    let hasEnded = false
    const found = read().finally(() => {
      hasEnded = true
    })
    const isAsleep = await vi.waitFor(async () => {
      if (hasEnded) return false
      expect(await standby.run(`select ${SLEEPING}`)).not.toEqual([])
      return true
    }, 20_000)
    if (isAsleep) return () => found
  }
}

/** Writes at one gateway and reads at the other, and then again at both, while a platform that does not change is read too. */
const writeAndRead = async (pairs: number, standbys: readonly Standby[] = cluster.standbys) => {
  const wrong: unknown[] = []
  const quiet = await createPlatform()
  await write(gateways[0], quiet)
  const before = await readsAtStandbys(standbys)
  let slowest = 0
  const check = async (platform: Platform, gateway: GatewayProcess, read: Read) => {
    const began = performance.now()
    const found = await read(gateway, platform).catch((error) => String(error))
    slowest = Math.max(slowest, performance.now() - began)
    if (JSON.stringify(found) !== JSON.stringify(newestOf(platform)))
      wrong.push({ found, expected: newestOf(platform) })
  }
  const worker = async (_: unknown, number: number) => {
    const platform = await createPlatform()
    for (let pair = number; pair < pairs; pair += WORKERS) {
      const [writer, reader] = pair % 2 === 0 ? gateways : ([gateways[1], gateways[0]] as const)
      const [read, other] = pair % 4 < 2 ? FACES : ([FACES[1], FACES[0]] as const)
      await write(writer, platform)
      await check(platform, reader, read)
      await check(platform, writer, other)
      await check(quiet, reader, other)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
  return { wrong, slowest: Math.round(slowest), atStandbys: (await readsAtStandbys(standbys)) - before }
}

/** Has each read of a customer at a standby sleep for longer than the test takes. */
const SLEEP_AT_STANDBYS = [
  `create function is_awake() returns boolean language plpgsql as
   $$ begin if pg_is_in_recovery() then perform pg_sleep(60); end if; return true; end $$`,
  'alter table customers rename to customer_rows',
  'create view customers as select * from customer_rows where is_awake()',
]
const AWAKE = ['drop view customers', 'alter table customer_rows rename to customers', 'drop function is_awake']
const SLEEPING = `from pg_stat_activity where wait_event = 'PgSleep'`

const LAGS = {
  'as fast as they can be': async () => {},
  '50 and 300 ms behind': async () => {
    await cluster.standbys[0].delay(50)
    await cluster.standbys[1].delay(300)
  },
  '300 ms behind, one of them paused': async () => {
    await cluster.standbys[0].delay(300)
    await cluster.standbys[1].pause()
  },
  'not delayed, one of them still paused': async () => cluster.standbys[0].delay(0),
}

describe('reads at two standbys', () => {
  it.each(Object.keys(LAGS) as (keyof typeof LAGS)[])(
    'that are %s show everything that was written before the read',
    async (lag) => {
      await LAGS[lag]()
      const { wrong, slowest, atStandbys } = await writeAndRead(PAIRS / 4)
      console.log(
        `${lag}: pairs ${PAIRS / 4}, stale or failed ${wrong.length}, pages at standbys ${atStandbys}, slowest read ${slowest} ms`,
      )
      expect(wrong).toEqual([])
      expect(atStandbys).toBeGreaterThan(0)
    },
    600_000,
  )

  it('show changes by a job or by hand at once, without a request', async () => {
    await cluster.standbys[0].delay(100)
    const platform = await createPlatform()
    await write(gateways[0], platform)
    for (let round = 0; round < 20; round++) {
      const name = `renamed-${round}`
      await cluster.primary.run('update customers set platform_customer_id = $2 where platform_id = $1', [
        platform.id,
        name,
      ])
      for (const gateway of gateways)
        for (const read of FACES) expect(await read(gateway, platform)).toEqual([name, platform.written])
    }
    await cluster.standbys[0].delay(0)
  })

  it('keep requests of different platforms apart, when their resolvers take turns', async () => {
    await cluster.standbys[0].delay(300)
    await cluster.standbys[1].pause()
    const [busy, quiet] = [await createPlatform(), await createPlatform()]
    for (const { id } of [busy, quiet]) {
      await cluster.primary.run(
        `with made as (
           insert into customers (platform_id, id, platform_customer_id, uma_address, customer_type, verification_status)
           select $1, gen_random_uuid(), 'first/' || n, '$' || n || '@bank.example', 'INDIVIDUAL', 'APPROVED' from generate_series(1, 100) n returning platform_id, id
         )
         insert into internal_accounts (platform_id, id, customer_id, type, status, currency)
         select platform_id, gen_random_uuid(), id, 'INTERNAL_FIAT', 'ACTIVE', 'USD' from made`,
        [id],
      )
    }
    const namesOf = async (platform: Platform) => {
      const { text } = await call(gateways[0], platform, '/graphql', { query: RESOLVED })
      return new Set(text.match(/(?<="platformCustomerId":")[^"/]*/g))
    }
    await untilAtStandby(() => namesOf(quiet))
    for (let round = 0; round < 10; round++) {
      const name = `round-${round}`
      await cluster.primary.run(
        `update customers set platform_customer_id = $2 || substr(platform_customer_id, strpos(platform_customer_id, '/')) where platform_id = $1`,
        [busy.id, name],
      )
      const found = await Promise.all([quiet, busy, quiet, busy, quiet, busy].map(namesOf))
      expect(found.filter((_, index) => index % 2 === 1)).toEqual(Array(3).fill(new Set([name])))
    }
    await cluster.standbys[0].delay(0)
    await cluster.standbys[1].resume()
  })

  it('show a change whose record was lost because the primary crashed', async () => {
    const platform = await createPlatform()
    await write(gateways[0], platform)
    for (const gateway of gateways) await untilAtStandby(() => READS.REST(gateway, platform))
    await Promise.all(cluster.standbys.map((standby) => standby.pause()))
    await cluster.primary.run(`update customers set platform_customer_id = 'renamed' where platform_id = $1`, [
      platform.id,
    ])
    await cluster.primary.crash()
    const answerOf = async (gateway: GatewayProcess, read: Read) => {
      const found = await read(gateway, platform)
      if (typeof found === 'string') throw new Error(found)
      return found
    }
    for (const gateway of gateways)
      for (const read of FACES) expect(await vi.waitFor(() => answerOf(gateway, read), 20_000)).toEqual(['renamed', 1])
    await Promise.all(cluster.standbys.map((standby) => standby.resume()))
  })

  it.each(['cancels a statement that conflicts with replay', 'ends the connection of a statement'] as const)(
    'are repeated at the primary when a standby %s',
    async (what) => {
      const [standby, other] = cluster.standbys
      const [gateway] = gateways
      await other.pause()
      await standby.run('alter system set max_standby_streaming_delay = 0')
      await standby.run('select pg_reload_conf()')
      const platform = await createPlatform()
      await write(gateway, platform)
      await untilAtStandby(() => READS.REST(gateway, platform))
      const lastOf = (event: string) => gateway.log().lastIndexOf(event)
      const leftOut = lastOf('replica left out')
      for (const statement of SLEEP_AT_STANDBYS) await cluster.primary.run(statement)
      await vi.waitFor(() => standby.run('select from customer_rows'), 20_000)
      for (const read of FACES) {
        const found = await readThatSleeps(standby, () => read(gateway, platform))
        if (what === 'ends the connection of a statement')
          await standby.run(`select pg_terminate_backend(pid) ${SLEEPING}`)
        else await cluster.primary.run('begin; lock table customer_rows in access exclusive mode; commit')
        expect(await found()).toEqual(newestOf(platform))
        await vi.waitFor(
          () => expect(lastOf('replica used again')).toBeGreaterThanOrEqual(lastOf('replica left out')),
          20_000,
        )
      }
      // A conflict with replay says nothing about the state of the standby.
      expect(lastOf('replica left out') > leftOut).toBe(what === 'ends the connection of a statement')
      for (const statement of AWAKE) await cluster.primary.run(statement)
      await untilAtStandby(() => READS.REST(gateway, platform))
      await standby.run('alter system reset max_standby_streaming_delay')
      await standby.run('select pg_reload_conf()')
      await other.resume()
    },
  )

  it('show a change to a client that sends its position, and ask the primary nothing', async () => {
    const platform = await createPlatform()
    const { headers } = await write(gateways[0], platform)
    const position = headers.get('x-position') ?? ''
    expect(position).toMatch(/^[\w-]{22}$/)
    const mutation = 'mutation { deleteCustomer(input: { id: "Customer:none" }) { __typename } }'
    const mutated = await call(gateways[0], platform, '/graphql', { query: mutation })
    expect(mutated.headers.get('x-position')).toMatch(/^[\w-]{22}$/)
    await Promise.all(FACES.map((read) => read(gateways[1], platform)))
    const asked = await cluster.primary.countOf('pg_current_wal_insert_lsn')
    const before = await readsAtStandbys()
    for (let round = 0; round < 10; round++)
      for (const read of FACES)
        expect(await read(gateways[1], platform, { 'x-position': position })).toEqual(newestOf(platform))
    expect(await cluster.primary.countOf('pg_current_wal_insert_lsn')).toBe(asked)
    expect(await readsAtStandbys()).toBeGreaterThan(before)
  })

  it.each(['hangs', 'dies'] as const)(
    'answer without an error while one of them %s',
    async (end) => {
      const [standby, other] = cluster.standbys
      let goOn = () => {}
      let isEnded = false
      const ending = (async () => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        if (end === 'dies') await standby.kill()
        else goOn = await standby.freeze()
        isEnded = true
      })()
      const runs: Awaited<ReturnType<typeof writeAndRead>>[] = []
      do runs.push(await writeAndRead(WORKERS * 4, [other]))
      while (!isEnded || runs.length < 3)
      await ending
      goOn()
      const slowest = Math.max(...runs.map((each) => each.slowest))
      console.log(`one ${end}: pairs ${runs.length * WORKERS * 4}, slowest read ${slowest} ms`)
      expect(runs.flatMap(({ wrong }) => wrong)).toEqual([])
      expect(gateways.map((gateway) => gateway.log()).join('')).toContain('replica left out')
    },
    120_000,
  )
})

describe('a standby that took the place of its primary without the last commits', () => {
  it('is the only node that is read, also while another standby has a longer log of the old primary', async () => {
    const { primary, standbys, stop } = await startCluster()
    const [heir, ahead] = standbys
    const address = await startAddress(primary.url)
    const gateway = await startReading(address.url, [ahead])
    try {
      const platform = await createPlatform(primary)
      await write(gateway, platform)
      await heir.catchUp()
      await untilAtStandby(() => READS.REST(gateway, platform), [ahead])
      await heir.cut()
      await primary.run(`select pg_logical_emit_message(false, '', repeat('x', 1000000)) from generate_series(1, 50)`)
      await ahead.catchUp()
      await primary.kill()
      await heir.promote()
      address.leadTo(heir.url)
      const { headers } = await vi.waitFor(() => write(gateway, platform), { timeout: 30_000, interval: 200 })
      const position = { 'x-position': headers.get('x-position') ?? '' }
      for (const read of FACES)
        for (const sent of [{}, position]) expect(await read(gateway, platform, sent)).toEqual(newestOf(platform))
    } finally {
      await gateway.kill()
      address.close()
      await stop()
    }
  }, 120_000)
})

describe('the record of changes', () => {
  const recorded = () => cluster.primary.run('select from platform_changes')
  const tracked = () =>
    cluster.primary.run(`
      select relname as name, count(tgname) filter (where tgname like 'track\\_%')::text as triggers
      from pg_class left join pg_trigger on tgrelid = pg_class.oid
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace group by relname order by relname`)

  it('covers every table, except those that no caller reads, until it is removed', async () => {
    expect((await tracked()).filter(({ triggers }) => triggers !== '3').map(({ name }) => name)).toEqual([
      '_prisma_migrations',
      'change_periods',
      'device_code_redeems',
      'job_holders',
      'platform_changes',
      'spent_nodes',
    ])
    await createPlatform()
    expect(await recorded()).not.toEqual([])
    await Promise.all(gateways.map((gateway) => gateway.kill()))
    await cluster.primary.run('call untrack_changes()')
    expect((await tracked()).filter(({ triggers }) => triggers !== '0')).toEqual([])
    await createPlatform()
    expect(await recorded()).toEqual([])
  })
})
