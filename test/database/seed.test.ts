// Own process: seeds the demo.
// Not distributed: bulk data is written with functions of one session.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  PaymentRail,
  RefundReason,
  RefundStatus,
  SourceType,
  type TransactionFailureReason,
  type TransactionLifecycleStatus,
} from '#generated/prisma/client.ts'
import { seedTransactions } from '../../dev/bulk.ts'
import { CardLedger } from '../../dev/demo/card-ledger.ts'
import { priceOf } from '../../dev/demo/rates.ts'
import { seedDemo } from '../../dev/demo.ts'

const { DATABASE_DIRECT_URL: url = '' } = process.env
const client = new pg.Client({ connectionString: url })

const rowsOf = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  (await client.query<Row>(text, values)).rows

const valuesOf = async (expression: string, where: string) => {
  const rows = await rowsOf<{ value: string }>(
    `SELECT DISTINCT (${expression})::text AS value FROM transactions JOIN platforms ON platforms.id = platform_id
     WHERE (${where}) AND (${expression}) IS NOT NULL`,
  )
  return rows.map(({ value }) => value).sort()
}

const sorted = (values: Iterable<string>) => [...values].sort()

/** The allowed next states by type (docs/domain/transactions.md#status-changes). Incoming transactions never use PENDING_AUTHORIZATION. */
const TRANSITIONS: Record<'INCOMING' | 'OUTGOING' | 'CARD', Record<string, readonly TransactionLifecycleStatus[]>> = {
  OUTGOING: {
    '': ['PENDING'],
    PENDING: ['PROCESSING', 'PENDING_AUTHORIZATION', 'EXPIRED', 'FAILED'],
    PENDING_AUTHORIZATION: ['PROCESSING', 'PENDING', 'FAILED'],
    PROCESSING: ['COMPLETED', 'FAILED'],
    COMPLETED: ['FAILED'],
  },
  INCOMING: {
    '': ['CREATED', 'PENDING'],
    CREATED: ['PENDING', 'EXPIRED', 'FAILED'],
    PENDING: ['PROCESSING', 'REJECTED', 'FAILED'],
    PROCESSING: ['COMPLETED', 'FAILED'],
    COMPLETED: ['REFUNDED'],
  },
  CARD: {
    '': ['AUTHORIZED', 'SETTLED'],
    AUTHORIZED: ['PARTIALLY_SETTLED', 'SETTLED', 'EXCEPTION'],
    PARTIALLY_SETTLED: ['PARTIALLY_SETTLED', 'SETTLED', 'EXCEPTION'],
    SETTLED: ['REFUNDED'],
    REFUNDED: ['REFUNDED', 'SETTLED'],
  },
}

const STATUSES = Object.entries(TRANSITIONS).flatMap(([type, steps]) =>
  [...new Set(Object.values(steps).flat())].map((status) => `${type} ${status}`),
)

const INCOMING_FAILURES = [
  'LNURLP_FAILED',
  'PAY_REQUEST_FAILED',
  'PAYMENT_APPROVAL_WEBHOOK_ERROR',
  'PAYMENT_APPROVAL_TIMED_OUT',
  'OFFRAMP_FAILED',
  'MISSING_MANDATORY_PAYEE_DATA',
  'QUOTE_EXPIRED',
  'QUOTE_EXECUTION_FAILED',
] as const satisfies TransactionFailureReason[]
const OUTGOING_FAILURES = [
  'QUOTE_EXPIRED',
  'QUOTE_EXECUTION_FAILED',
  'LIGHTNING_PAYMENT_FAILED',
  'FUNDING_AMOUNT_MISMATCH',
  'COUNTERPARTY_POST_TX_FAILED',
] as const satisfies TransactionFailureReason[]

const FAILURES = [
  ...INCOMING_FAILURES.map((reason) => `INCOMING ${reason}`),
  ...OUTGOING_FAILURES.map((reason) => `OUTGOING ${reason}`),
]

/** A role that may write every table but cannot disable triggers. */
const role = `seeder_${randomBytes(4).toString('hex')}`
const roleUrl = Object.assign(new URL(url), { username: role, password: role }).href

beforeAll(async () => {
  await client.connect()
  await seedDemo(url)
  await seedTransactions(url, { count: 20_000 })
  await client.query(
    `CREATE ROLE ${role} LOGIN PASSWORD '${role}'; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`,
  )
  await seedTransactions(roleUrl, { count: 1_000, platform: 'other' })
})
afterAll(async () => {
  await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await client.end()
})

const SETS = [
  { set: 'the demo', where: `name = 'demo' AND platform_customer_id NOT LIKE 'bulk-%'` },
  { set: 'a bulk set', where: `name = 'demo' AND platform_customer_id LIKE 'bulk-%'` },
  {
    set: 'a bulk set of a thousand, made without the rights of a superuser',
    where: `name = 'other' AND platform_customer_id LIKE 'bulk-%'`,
  },
]

describe.each(SETS)('$set', ({ where }) => {
  it('contains every status of every transaction type', async () => {
    expect(await valuesOf(`type || ' ' || status`, where)).toEqual(sorted(STATUSES))
  })

  it('contains every failure reason of each type', async () => {
    expect(await valuesOf(`type || ' ' || failure_reason`, where)).toEqual(sorted(FAILURES))
  })

  it('contains every status and reason of a refund', async () => {
    expect(await valuesOf('refund_status', where)).toEqual(sorted(Object.values(RefundStatus)))
    expect(await valuesOf('refund_reason', where)).toEqual(sorted(Object.values(RefundReason)))
  })

  it('contains every type of source and destination', async () => {
    const kind = (side: string) =>
      `type || ' ' || ${side}_type || CASE WHEN ${side}_internal_account_id IS NOT NULL THEN ' internal'
        WHEN ${side}_external_account_id IS NOT NULL THEN ' external' ELSE '' END`
    expect(await valuesOf(kind('source'), where)).toEqual([
      'INCOMING ACCOUNT external',
      'INCOMING ACCOUNT internal',
      'INCOMING REALTIME_FUNDING',
      'INCOMING UMA_ADDRESS',
      'OUTGOING ACCOUNT internal',
      'OUTGOING REALTIME_FUNDING',
    ])
    expect(await valuesOf(kind('destination'), where)).toEqual([
      'INCOMING ACCOUNT internal',
      'INCOMING UMA_ADDRESS',
      'OUTGOING ACCOUNT external',
      'OUTGOING ACCOUNT internal',
      'OUTGOING UMA_ADDRESS',
    ])
    expect(await valuesOf('source_type', where)).toEqual(sorted(Object.values(SourceType)))
  })

  it('contains both ways to choose a rail, and both directions of a card transaction', async () => {
    expect(await valuesOf('rail_selection_mode', where)).toEqual(['AUTO', 'MANUAL'])
    expect(await valuesOf('direction', `${where} AND type = 'CARD'`)).toEqual(['CREDIT', 'DEBIT'])
  })
})

describe('the demo and bulk data together', () => {
  it('contain every rail and network', async () => {
    expect(await valuesOf('payment_rail', 'true')).toEqual(sorted(Object.values(PaymentRail)))
    expect(await valuesOf('source_network', 'true')).toHaveLength(7)
    expect(await valuesOf('destination_network', 'true')).toHaveLength(6)
  })

  it('contain transactions made by customers, the platform and agents', async () => {
    expect(await valuesOf(`(customer_id IS NULL) || ' ' || (agent_id IS NULL)`, 'true')).toEqual([
      'false false',
      'false true',
      'true true',
    ])
  })

  it('satisfy every foreign key', async () => {
    const keys = await rowsOf<{ name: string; broken: string }>(
      `SELECT conname AS name, format('SELECT FROM %s AS child WHERE (%s) IS NOT NULL AND NOT EXISTS (SELECT FROM %s AS parent WHERE (%s) = (%s))',
         conrelid::regclass, columns, confrelid::regclass, columns, targets) AS broken
       FROM pg_constraint CROSS JOIN LATERAL (
         SELECT string_agg(format('child.%I', c.attname), ', ' ORDER BY place) AS columns, string_agg(format('parent.%I', p.attname), ', ' ORDER BY place) AS targets
         FROM unnest(conkey, confkey) WITH ORDINALITY AS pair (child, parent, place)
         JOIN pg_attribute AS c ON c.attrelid = conrelid AND c.attnum = child
         JOIN pg_attribute AS p ON p.attrelid = confrelid AND p.attnum = parent
       ) AS named WHERE contype = 'f'`,
    )
    expect(keys.length).toBeGreaterThan(30)
    for (const { name, broken } of keys) expect(await rowsOf(broken), name).toEqual([])
  })

  it('have exact counts by platform, customer and other parents', async () => {
    const parties = 'parents_of(source_party, destination_party, agent_id, card_id) AS parent_ids'
    for (const [table, key, each] of [
      ['platform_transaction_counts', 'platform_id, month', ''],
      ['customer_transaction_counts', 'platform_id, customer_id, month', 'WHERE customer_id IS NOT NULL'],
      ['parent_transaction_counts', 'platform_id, parent_id', 'CROSS JOIN LATERAL unnest(parent_ids) parent_id'],
    ]) {
      const facts = `${key}, type, direction, status`
      const counted = `SELECT ${facts}, sum(n) FROM (
          SELECT ${facts}, count AS n FROM ${table} UNION ALL SELECT ${facts}, change FROM transaction_count_deltas ${each}
        ) AS counts GROUP BY ${facts} HAVING sum(n) <> 0`
      const actual = `SELECT ${facts}, count(*) FROM (SELECT *, utc_month(created_at) AS month, ${parties} FROM transactions) AS dated ${each} GROUP BY ${facts}`
      expect(await rowsOf(actual), table).not.toEqual([])
      expect(await rowsOf(`(${counted} EXCEPT ${actual}) UNION ALL (${actual} EXCEPT ${counted})`), table).toEqual([])
    }
  })

  it('have exact counts and sums by day and currency', async () => {
    const key = 'platform_id, day, type, direction, status, currency'
    const counted = `SELECT ${key}, sum(count), sum(amount) FROM (
        SELECT ${key}, count, amount FROM platform_transaction_days UNION ALL SELECT ${key}, change, amount FROM transaction_count_deltas
      ) AS counts GROUP BY ${key} HAVING sum(count) <> 0`
    const actual = `SELECT ${key}, count(*), sum(amount) FROM (
        SELECT *, utc_day(created_at) AS day, coalesce(card_currency, CASE type WHEN 'INCOMING' THEN received_currency ELSE sent_currency END) AS currency,
          coalesce(authorized_amount, CASE type WHEN 'INCOMING' THEN received_amount ELSE sent_amount END) AS amount FROM transactions
      ) AS dated GROUP BY ${key}`
    expect(await rowsOf(`(${counted} EXCEPT ${actual}) UNION ALL (${actual} EXCEPT ${counted})`)).toEqual([])
  })
})

describe('the ledger', () => {
  it('of a bulk set opens each account with its full balance, including funds on hold', async () => {
    const [found] = await rowsOf(
      `SELECT count(*)::int AS accounts, count(opening)::int AS opened, bool_or(balance < total_balance) AS held, bool_and(opening = total_balance) AS all
       FROM internal_accounts AS account JOIN customers ON (customers.platform_id, customers.id) = (account.platform_id, customer_id)
       LEFT JOIN (
         SELECT platform_id, account_id, amount AS opening FROM ledger_entries JOIN ledger_movements AS movement USING (platform_id) WHERE movement.id = movement_id AND kind = 'OPENING'
       ) AS ledger ON (ledger.platform_id, account_id) = (account.platform_id, account.id)
       WHERE platform_customer_id LIKE 'bulk-%'`,
    )
    expect(found).toEqual({ accounts: 750, opened: 750, held: true, all: true })
  })

  it('of both sets balances', async () => {
    expect(await rowsOf('SELECT * FROM ledger_violations')).toEqual([])
  })
})

describe("a transaction's timeline", () => {
  const steps = `SELECT type, status, updated_at, refund_initiated_at, created_at, step.*,
      lag(to_status) OVER life AS before, lag(at) OVER life AS before_at, row_number() OVER life AS place, count(*) OVER (PARTITION BY platform_id, transaction_id) AS steps
    FROM transaction_timelines AS step
    JOIN (SELECT platform_id, id AS transaction_id, type, status, updated_at, refund_initiated_at, created_at FROM transactions) AS of USING (platform_id, transaction_id)
    WINDOW life AS (PARTITION BY platform_id, transaction_id ORDER BY sequence)`

  it('contains only allowed transitions', async () => {
    const taken = await rowsOf<{ type: keyof typeof TRANSITIONS; from: string; to: string }>(
      `SELECT DISTINCT type, coalesce(from_status::text, '') AS from, to_status AS to FROM (${steps}) AS steps`,
    )
    const allowed = Object.entries(TRANSITIONS).flatMap(([type, from]) =>
      Object.entries(from).flatMap(([status, to]) => to.map((each) => `${type} ${status} ${each}`)),
    )
    expect(new Set(taken.map(({ type }) => type))).toEqual(new Set(Object.keys(TRANSITIONS)))
    for (const { type, from, to } of taken) expect(allowed).toContain(`${type} ${from} ${to}`)
  })

  it('contains only transitions that the current triggers allow', async () => {
    expect(
      await rowsOf(
        `SELECT DISTINCT type, from_status, to_status FROM (${steps}) AS steps WHERE from_status IS NOT NULL
         EXCEPT SELECT type, from_status, to_status FROM transaction_transitions`,
      ),
    ).toEqual([])
  })

  it('is contiguous: each step starts at the previous state, at a later time, and the last one is the current status', async () => {
    expect(
      await rowsOf(
        `SELECT * FROM (${steps}) AS steps WHERE sequence <> place OR from_status IS DISTINCT FROM before OR at < before_at
           OR (place = 1 AND at <> created_at) OR (place = steps AND to_status <> status)`,
      ),
    ).toEqual([])
  })

  it('ends at updatedAt, unless the refund continued after it', async () => {
    expect(
      await rowsOf(
        `SELECT * FROM (${steps}) AS steps WHERE place = steps AND (updated_at > now() OR at > updated_at OR (at < updated_at AND refund_initiated_at IS NULL))`,
      ),
    ).toEqual([])
  })
})

describe('a card transaction', () => {
  it.each([
    [1, 12_550n, [], 'AUTHORIZED', [1, 12_550n, 1], [0, 0n], [0, 0n]],
    [2, 12_550n, [12_550n], 'SETTLED', [1, 12_550n, 0], [1, 12_550n], [0, 0n]],
    [3, 12_550n, [12_550n, 'return 12550'], 'REFUNDED', [1, 12_550n, 0], [1, 12_550n], [1, 12_550n]],
    [4, 1_250n, [1_500n], 'SETTLED', [2, 1_500n, 0], [1, 1_500n], [0, 0n]],
    [5, 4_200n, ['pull-failed', 4_200n], 'EXCEPTION', [1, 0n, 0], [1, 4_200n], [0, 0n]],
    [6, 1_250n, ['short 1500'], 'EXCEPTION', [2, 1_250n, 0], [1, 1_500n], [0, 0n]],
    [7, 10_000n, [4_000n], 'PARTIALLY_SETTLED', [1, 10_000n, 0], [1, 4_000n], [0, 0n]],
    [8, 10_000n, [4_000n, 6_000n], 'SETTLED', [1, 10_000n, 0], [2, 10_000n], [0, 0n]],
    [9, 10_000n, [4_000n, 0n], 'SETTLED', [1, 10_000n, 0], [1, 4_000n], [0, 0n]],
    [10, 5_000n, [0n], 'SETTLED', [1, 5_000n, 0], [0, 0n], [0, 0n]],
    [11, 1_250n, [1_500n, 'return 500'], 'REFUNDED', [2, 1_500n, 0], [1, 1_500n], [1, 500n]],
    [12, 1_250n, [1_500n, 'return 500', 'reversal'], 'SETTLED', [2, 1_500n, 0], [1, 1_500n], [0, 0n]],
  ] as const)(
    'matches row %i of the worked examples',
    (_row, authorized, events, status, pulls, settlements, refunds) => {
      const ledger = new CardLedger(authorized)
      for (const event of events) {
        const [word, amount] = typeof event === 'bigint' ? ['', 0] : event.split(' ')
        if (typeof event === 'bigint') ledger.apply({ kind: 'clearing', amount: event })
        else if (word === 'short') ledger.apply({ kind: 'clearing', amount: BigInt(amount ?? 0), isShort: true })
        else if (word === 'return') ledger.apply({ kind: 'return', amount: BigInt(amount ?? 0) })
        else ledger.apply({ kind: word === 'reversal' ? 'reversal' : 'pull-failed' })
      }
      expect(ledger.status).toBe(status)
      expect([ledger.pulls.count, ledger.pulls.total, ledger.pulls.pending]).toEqual(pulls)
      expect([ledger.settlements.count, ledger.settlements.total]).toEqual(settlements)
      expect([ledger.refunds.count, ledger.refunds.total]).toEqual(refunds)
    },
  )

  it('has summaries that match its status and amounts', async () => {
    expect(
      await rowsOf(
        `SELECT * FROM transactions WHERE type = 'CARD' AND NOT CASE status
           WHEN 'AUTHORIZED' THEN settled_amount IS NULL AND last_event_at IS NULL AND settlement_count = 0
           WHEN 'PARTIALLY_SETTLED' THEN settled_amount BETWEEN 1 AND authorized_amount - 1
           WHEN 'EXCEPTION' THEN pull_total_amount < settled_amount
           WHEN 'REFUNDED' THEN refund_count > 0 AND refunded_amount BETWEEN 1 AND settled_amount
           ELSE refund_count = 0 AND settled_amount IS NOT NULL AND (direction = 'CREDIT' OR pull_total_amount >= settled_amount)
         END`,
      ),
    ).toEqual([])
    expect(
      await rowsOf(
        `SELECT * FROM transactions WHERE type = 'CARD' AND (coalesce(settled_amount, 0) <> settlement_total_amount
           OR coalesce(refunded_amount, 0) <> refund_total_amount OR (direction = 'CREDIT') <> (pull_count = 0)
           OR (settled_amount IS NOT NULL AND (pull_pending_count > 0 OR last_event_at <> updated_at)))`,
      ),
    ).toEqual([])
  })

  it('uses the currency and the account of its card', async () => {
    expect(
      await rowsOf(
        `SELECT * FROM transactions AS spent JOIN cards ON (cards.platform_id, cards.id) = (spent.platform_id, card_id)
         JOIN internal_accounts AS account ON (account.platform_id, account.id) = (cards.platform_id, account_id)
         WHERE card_currency <> currency OR account_id <> coalesce(source_internal_account_id, destination_internal_account_id) OR cards.customer_id <> spent.customer_id`,
      ),
    ).toEqual([])
  })
})

describe('the price of a quote', () => {
  it('follows the same arithmetic in the bulk data', async () => {
    const rows = await rowsOf<{
      sending: 'USD'
      receiving: 'EUR'
      sent: string
      received: string
      fees: string
      fee: string
    }>(
      `SELECT sent_currency AS sending, received_currency AS receiving, sent_amount AS sent, received_amount AS received, fees, coalesce(platform_fees, 0) AS fee
       FROM transactions WHERE platform_customer_id LIKE 'bulk-%' AND sent_amount IS NOT NULL LIMIT 5000`,
    )
    // Quotes with a platform fee, and without one.
    expect(new Set(rows.map(({ fee }) => fee === '0'))).toEqual(new Set([true, false]))
    for (const { sending, receiving, sent, received, fees, fee } of rows) {
      const platform = fee === '0' ? undefined : { fixed: 50n, rate: 2_000n }
      expect(priceOf(sending, receiving, BigInt(sent), platform)).toMatchObject({
        receive: BigInt(received),
        fees: BigInt(fees),
        platformFees: BigInt(fee),
      })
    }
  })
})

describe('the demo data', () => {
  it('is identical when it is written again', async () => {
    const before = await rowsOf('SELECT id FROM transactions ORDER BY id')
    await seedDemo(url)
    expect(await rowsOf('SELECT id FROM transactions ORDER BY id')).toEqual(before)
  })

  it('has a challenge on each quote that waits for one, and on no other', async () => {
    expect(
      await rowsOf(
        `SELECT quotes.id FROM quotes FULL JOIN sca_challenges AS challenge ON (challenge.platform_id, quote_id) = (quotes.platform_id, quotes.id)
         LEFT JOIN customers ON (customers.platform_id, customers.id) = (quotes.platform_id, quotes.customer_id)
         WHERE platform_customer_id NOT LIKE 'bulk-%' AND (status = 'PENDING_AUTHORIZATION') <> (challenge.id IS NOT NULL)`,
      ),
    ).toEqual([])
  })
})
