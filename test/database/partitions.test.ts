// Rows that matter for a day are kept across midnight, and are then dropped with their day (docs/scale.md#retention).
// Own process: changes the partitions of its database.
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { parseId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { migrationNames, readMigration } from '#database/migrations.ts'
import { numberEvents } from '#events/numbering.ts'
import { keepPartitions } from '#partitions.ts'
import { credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { until, waiting } from '#test/setup/credentials/interleaved.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { createHousehold } from '#test/setup/credentials/wallet-operations.ts'
import { oauthProof } from '#test/setup/credentials/wallet-sessions.ts'
import { startGateway, through } from '#test/setup/gateway-process.ts'
import { insertPastEvent } from '#test/setup/past-event.ts'
import { createPayer, type Payer, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { insertEndpoint } from '#test/setup/webhooks/endpoints.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'
import { planDeliveries } from '#webhooks/sending/fan-out.ts'

const TABLES = ['idempotent_replies', 'oidc_token_uses', 'sent_codes', 'uma_nonces'] as const
const direct = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'] })
beforeAll(() => direct.connect())
afterAll(() => direct.end())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pay = ({ platform, dollars, outside }: Payer, key: string, amount = 1_000) =>
  send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, amount), { 'idempotency-key': key })
const paymentsOf = ({ platform }: Payer) => db.transaction.count({ where: { platformId: platform.id } })

/** Moves the replies of a platform to another day, as if they had been stored then. */
const moveReplies = ({ platform }: Payer, days: number, hours = 0) =>
  direct.query(
    `update idempotent_replies set day = day + $1::int, created_at = plus_seconds(created_at, $2::float8)
     where platform_id = $3`,
    [days, hours * 3_600, platform.id],
  )

/** The partitions of a table, as days from today. */
const daysOf = async (table: string): Promise<string[]> => {
  const { rows } = await direct.query<{ day: string }>(
    `select case when relname like '%\\_rest' then 'rest'
       else (to_date(right(relname, 8), 'YYYYMMDD') - (now() at time zone 'UTC')::date)::text end as day
     from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = $1::regclass order by relname`,
    [table],
  )
  return rows.map(({ day }) => day)
}
const KEPT = ['-1', '0', '1', '2', '3', 'rest']

const inPartition = (table: string, days: number) =>
  direct.query(`select add_partition($1::regclass, (now() at time zone 'UTC')::date + $2::int)`, [table, days])

/** How many rows were ever deleted from the partitions that there are. */
/** Of the partitions of these tables. Connections of earlier tests report what they deleted from others late. */
const deletedRows = async (tables: readonly string[]): Promise<number> => {
  await direct.query('select pg_stat_force_next_flush()')
  const { rows } = await direct.query<{ deleted: string }>(
    `select coalesce(sum(n_tup_del), 0) as deleted from pg_stat_user_tables
     where schemaname = 'partitions' and relname like any($1)`,
    [tables.map((table) => `${table}\\_%`)],
  )
  return Number(rows[0]?.deleted)
}

describe('midnight', () => {
  it('changes nothing for an idempotency key: it gets the stored reply for 24 hours', async () => {
    const payer = await createPayer()
    const key = randomUUID()
    const first = await pay(payer, key)
    expect(first.status).toBe(201)
    await moveReplies(payer, -1, -23)
    const again = await pay(payer, key)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect((await pay(payer, key, 2_000)).status).toBe(409)
    expect(await paymentsOf(payer)).toBe(1)
    await moveReplies(payer, 0, -1)
    expect((await pay(payer, key, 2_000)).status).toBe(201)
    expect(await paymentsOf(payer)).toBe(2)
  })

  it('does not free the key of a call that died before it, nor what the call had done', async () => {
    const payer = await createPayer()
    const key = randomUUID()
    const first = await pay(payer, key)
    await db.$executeRaw`
      update idempotent_replies set status = null, body = null, day = day - 1, created_at = now() - interval '11 seconds'
      where platform_id = ${payer.platform.id}::uuid`
    const again = await pay(payer, key)
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
    expect(await paymentsOf(payer)).toBe(1)
    const replies = await db.idempotentReply.findMany({ where: { platformId: payer.platform.id } })
    expect(replies).toMatchObject([{ status: 201 }])
    expect(replies[0]?.day.toISOString().slice(0, 10)).toBe(new Date().toISOString().slice(0, 10))
  })

  it.each([-1, 1])(
    'lets only one of two calls that claim a key at the same time continue, the other %s day away',
    async (days) => {
      const payer = await createPayer()
      const key = randomUUID()
      await pay(payer, key)
      const [other] = await db.idempotentReply.findMany({ where: { platformId: payer.platform.id } })
      await db.idempotentReply.deleteMany({ where: { platformId: payer.platform.id } })
      await direct.query('begin')
      await direct.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `${other?.platformId} ${other?.scope}`,
      ])
      const ours = pay(payer, key)
      await until(async () => (await waiting()) > 0)
      await direct.query(
        `insert into idempotent_replies (platform_id, scope, day, fingerprint, attempt)
       values ($1, $2, (now() at time zone 'UTC')::date + $3::int, $4, gen_random_uuid())`,
        [other?.platformId, other?.scope, days, other?.fingerprint],
      )
      await direct.query('commit')
      expect((await ours).body).toMatchObject({
        code: 'CONFLICT',
        message: 'The first call with this idempotency key is still running',
      })
      expect(await paymentsOf(payer)).toBe(1)
    },
  )

  it('does not make an identity token usable again, because its use is stored under the day of its `iat`', async () => {
    const [face] = credentialFaces
    if (!face) throw new Error('No face')
    const platform = await createPlatform()
    const { oauth } = await createHousehold(face, platform)
    const { identity } = oauth as typeof oauth & { identity: Parameters<typeof oauthProof>[0] }
    const tomorrow = new Date(new Date().setUTCHours(24, 0, 10, 0))
    vi.useFakeTimers({ toFake: ['Date'], now: tomorrow })
    const { $queryRaw } = db
    vi.spyOn(db, '$queryRaw').mockImplementation(((parts: TemplateStringsArray, ...values: unknown[]) =>
      parts[0] === 'select now()::timestamptz(3) as now'
        ? Promise.resolve([{ now: tomorrow }])
        : $queryRaw(parts, ...values)) as never)
    const proof = oauthProof(identity, newKey())
    expect((await face.verify(platform, oauth.id, proof)).status).toBe(200)
    expect(await face.verify(platform, oauth.id, proof)).toMatchObject({
      status: 401,
      details: { reason: 'OIDC_NONCE' },
    })
    const uses = await db.oidcTokenUse.findMany({ where: { platformId: platform.id } })
    expect(uses.map(({ day }) => day)).toContainEqual(new Date(tomorrow.setUTCHours(0, 0, 0, 0)))
  })
})

describe('partitions', () => {
  it('of past days are dropped, and no row is deleted', async () => {
    const payer = await createPayer()
    const key = randomUUID()
    await pay(payer, key)
    for (const table of TABLES) for (const days of [-2, -3, -9]) await inPartition(table, days)
    await moveReplies(payer, -2)
    await pay(payer, key)
    const deleted = await deletedRows(TABLES)
    // Several gateways do this at the same time.
    await Promise.all([keepPartitions(), keepPartitions(), keepPartitions()])
    await keepPartitions()
    for (const table of TABLES) expect(await daysOf(table)).toEqual(KEPT)
    expect(await deletedRows(TABLES)).toBe(deleted)
    const replies = await db.idempotentReply.findMany({ where: { platformId: payer.platform.id } })
    expect(replies).toHaveLength(1)
    expect((await pay(payer, key)).status).toBe(201)
    expect(await paymentsOf(payer)).toBe(2)
  })

  it('that are being read stay until the next run, and no one waits for long', async () => {
    const payer = await createPayer()
    await inPartition('idempotent_replies', -5)
    await direct.query('begin')
    await direct.query('select count(*) from idempotent_replies')
    await keepPartitions()
    expect((await pay(payer, randomUUID())).status).toBe(201)
    expect(await daysOf('idempotent_replies')).toContain('-5')
    await direct.query('commit')
    await keepPartitions()
    expect(await daysOf('idempotent_replies')).toEqual(KEPT)
  })

  it('are not needed for writes: a gateway that was off for a week writes, and then creates them', async () => {
    for (const table of TABLES) {
      for (const day of [-1, 0, 1, 2, 3]) {
        const { rows } = await direct.query(
          `select partition_of_day($1::regclass, (now() at time zone 'UTC')::date + $2::int) as name`,
          [table, day],
        )
        await direct.query(`drop table ${rows[0].name}`)
      }
      await inPartition(table, -7)
    }
    const payer = await createPayer()
    const key = randomUUID()
    const first = await pay(payer, key)
    expect(first.status).toBe(201)
    const gateway = await startGateway()
    await expect.poll(() => daysOf('idempotent_replies')).toEqual(['1', '2', '3', 'rest'])
    await expect.poll(() => daysOf('uma_nonces')).toEqual(['0', '1', '2', '3', 'rest'])
    const again = await through(gateway, () => pay(payer, key))
    expect([again.status, again.text]).toEqual([201, first.text])
    await gateway.kill()
    // Rows without a partition are deleted when they reach the same age, and then the days have partitions again.
    await moveReplies(payer, -2)
    // Work that finds a lock taken is left to the next run. The gateway that was killed may still have some.
    const repliesLeft = async () => {
      await keepPartitions()
      return db.idempotentReply.count({ where: { platformId: payer.platform.id } })
    }
    await expect.poll(repliesLeft).toBe(0)
    await keepPartitions()
    for (const table of TABLES) {
      expect(await daysOf(table)).toEqual(['0', '1', '2', '3', 'rest'])
      await inPartition(table, -1)
    }
  })
})

describe('events', () => {
  const WEEKLY = ['events', 'webhook_deliveries', 'webhook_attempts'] as const
  const weekOf = (age: number) =>
    direct.query(
      `select add_partition(parent, first_day((now() at time zone 'UTC')::date - $2::int, 7), 7) from unnest($1::regclass[]) parent`,
      [WEEKLY, age],
    )

  /** An event of some days ago, with its delivery and an attempt. */
  const happened = async (platform: Platform, age: number): Promise<string> => {
    const id = await insertPastEvent(platform, age)
    await numberEvents()
    await planDeliveries()
    await db.$executeRaw`
      insert into webhook_attempts (platform_id, delivery_id, number, trigger, at, milliseconds, response_status, failure)
      select platform_id, id, 1, 'SCHEDULE', now(), 5, 500, 'STATUS' from webhook_deliveries
      where platform_id = ${platform.id}::uuid and event_id = ${parseId(id)?.uuid}::uuid`
    return id
  }

  it('are dropped by week, together with their deliveries and attempts', async () => {
    const platform = await createPlatform()
    await insertEndpoint(platform)
    // One more on some weekdays than on others.
    const kept = await daysOf('webhook_attempts')
    for (const age of [45, 38]) await weekOf(age)
    const [, , recent = ''] = [await happened(platform, 45), await happened(platform, 38), await happened(platform, 29)]
    const deliveries = async () => (await send(platform, 'GET', '/webhooks/deliveries')).body.data
    const events = async () => (await send(platform, 'GET', '/webhooks/events')).body.data
    expect([(await deliveries()).length, (await events()).length]).toEqual([3, 3])
    for (const table of WEEKLY) expect(await daysOf(table)).toHaveLength(kept.length + 2)
    const deleted = await deletedRows(WEEKLY)
    await Promise.all([keepPartitions(), keepPartitions()])
    await keepPartitions()
    for (const table of WEEKLY) expect(await daysOf(table)).toEqual(kept)
    expect(await deletedRows(WEEKLY)).toBe(deleted)
    expect(await deliveries()).toMatchObject([{ eventId: recent, attempts: [{ responseStatus: 500 }] }])
    expect(await events()).toMatchObject([{ id: recent }])
  })

  it('are written to partitions with the storage parameters of the rest', async () => {
    await weekOf(52)
    const { rows } = await direct.query(
      `select distinct reloptions from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'events'::regclass`,
    )
    expect(rows).toEqual([{ reloptions: ['fillfactor=50', 'autovacuum_vacuum_scale_factor=0.02'] }])
    await keepPartitions()
  })
})

it('an existing database keeps the rows that still matter', async () => {
  const MIGRATION = '20261123600000_partitions'
  const name = `paygraph_before_${randomBytes(4).toString('hex')}`
  const url = new URL(`/${name}`, inject('serverUrl')).href
  await direct.query(`create database ${name}`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const before = migrationNames().filter((each) => each < MIGRATION)
    for (const each of before) await client.query(readMigration(`${each}/migration.sql`))
    await client.query(`
      insert into platforms (id, name, environment) values ('00000000-0000-7000-8000-000000000001', 'Before', 'SANDBOX');
      insert into idempotent_replies (platform_id, scope, fingerprint, attempt, status, body, created_at)
        select id, repeat(age::text, 64), sha256('input'), gen_random_uuid(), 201, '{"age":' || age || '}', now() - make_interval(hours => age * 7)
        from platforms, generate_series(1, 4) age;
      insert into oidc_token_uses (platform_id, token_hash, expires_at)
        select id, sha256('token'), date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '130 seconds' from platforms;
      insert into uma_nonces (platform_id, domain, nonce, expires_at)
        select id, 'peer.example', 'nonce', date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '620 seconds' from platforms;
      insert into sent_codes (platform_id, id, address, sent_at)
        select id, gen_random_uuid(), 'a@mail.example', now() - make_interval(hours => age * 10) from platforms, generate_series(1, 4) age;
      insert into webhook_endpoints (platform_id, url, status, position, public_key, sealed_key, sealed_secret)
        select id, 'https://example.com', 'ENABLED', 0, '', '', '' from platforms;
      insert into events (platform_id, type, snapshot) select id, 'TEST', '{}' from platforms;
      insert into webhook_deliveries (platform_id, event_id, type, position, lane, give_up_at)
        select platform_id, id, type, 1, id, now() from events;
      insert into webhook_attempts (platform_id, delivery_id, number, trigger, at, milliseconds)
        select platform_id, id, 1, 'SCHEDULE', now(), 1 from webhook_deliveries`)
    for (const each of migrationNames().filter((every) => every >= MIGRATION)) {
      await client.query(readMigration(`${each}/migration.sql`))
    }
    const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows
    expect(
      await rows(
        `select body, day = (created_at at time zone 'UTC')::date from idempotent_replies order by created_at desc`,
      ),
    ).toEqual([1, 2, 3].map((age) => [`{"age":${age}}`, true]))
    // Accepted within seconds of midnight, so that they may say that they are of either day.
    const days = `day - (now() at time zone 'UTC')::date`
    expect(await rows(`select ${days} from oidc_token_uses order by 1`)).toEqual([[-1], [0]])
    expect(await rows(`select ${days} from uma_nonces order by 1`)).toEqual([[-1], [0]])
    expect(await rows('select count(*)::int from sent_codes')).toEqual([[2]])
    const week = `to_char(first_day((now() at time zone 'UTC')::date, 7), 'YYYYMMDD')`
    for (const table of ['events', 'webhook_deliveries', 'webhook_attempts']) {
      expect(
        await rows(`select tableoid::regclass = ('partitions.${table}_' || ${week})::regclass from ${table}`),
      ).toEqual([[true]])
    }
  } finally {
    await client.end()
    await direct.query(`drop database ${name}`)
  }
})
