// Open payments of the demo data continue as in production use, and so does a payment whose job was lost.
// Own process: seeds the demo.
import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { takeJobs } from '#database/distribution/job-outbox.ts'
import { deleteFailedJobs } from '#database/jobs/failed-jobs.ts'
import { runJobs } from '#database/jobs/jobs.ts'
import { readMetrics } from '#http/metrics.ts'
import { resumePayments } from '#resume-payments.ts'
import { tasks } from '#tasks.ts'
import { until, waiting } from '#test/setup/credentials/interleaved.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import {
  createOutside,
  createPayer,
  fund,
  fundsOf,
  quoteInput,
  timelineOf,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createEuropeanPayer } from '#test/setup/sca/europeans.ts'
import { sentBy } from '#test/setup/sent-statements.ts'
import { createUmaDemand, createUmaProvider } from '#test/setup/uma/rows.ts'
import {
  createPlatform,
  createQuote,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'
import { World } from '../../dev/demo/world.ts'
import { seedDemo } from '../../dev/demo.ts'

/** Deletes the platform's jobs, and lets this much time pass. */
const lose = async (platformId: string, interval: string) => {
  await takeJobs()
  await db.$executeRaw`delete from graphile_worker._private_jobs where payload ->> 'platformId' = ${platformId}`
  const seconds = `-extract(epoch from interval '${interval}')::float8`
  await db.$executeRawUnsafe(
    `update transactions set updated_at = plus_seconds(updated_at, ${seconds}), expected_settlement_at = plus_seconds(expected_settlement_at, ${seconds}) where platform_id = '${platformId}'`,
  )
  await db.$executeRawUnsafe(
    `update quotes set expires_at = plus_seconds(expires_at, ${seconds}) where platform_id = '${platformId}'`,
  )
}

const sweep = () => resumePayments.run({})

describe('a payment whose job was lost', () => {
  it('arrives if it was executed', async () => {
    const { platform, dollars, iban } = await createPayer()
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
    await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    await lose(platform.id, '9 minutes')
    await sweep()
    expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING', 'PROCESSING'])
    await lose(platform.id, '1 day')
    await sweep()
    expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  })

  it('is refunded if it was cancelled, before the day that it was expected to arrive', async () => {
    const { platform, dollars } = await createPayer()
    const bank = await createOutside(platform, '003', { paymentRails: ['ACH'] })
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, bank))
    await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    expect((await send(platform, 'POST', `/transactions/${quote.transactionId}/cancel`, {})).status).toBe(200)
    await lose(platform.id, '1 hour')
    await sweep()
    expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
  })

  it('is refunded once the account that it came from has room for it', async () => {
    const most = 9_000_000_000_000_000
    const { platform, dollars } = await createPayer({ balance: BigInt(most) })
    const outside = await createOutside(platform, '002')
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, outside, 1_000))
    await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    await fund(platform, dollars, 'USD', 1_000n)
    await expect(passTime(platform.id)).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
    const refund = async () => {
      await lose(platform.id, '1 hour')
      await sweep()
      return (await send(platform, 'GET', `/transactions/${quote.transactionId}`)).body.refund.status
    }
    expect(await refund()).toBe('PENDING')
    expect(await fundsOf(platform, dollars)).toEqual([most, most])
    await fund(platform, dollars, 'USD', -1_000n)
    expect(await refund()).toBe('COMPLETED')
    expect(await fundsOf(platform, dollars)).toEqual([most, most])
  })

  it('fails although its source has no room, which in production delays only the refund', async () => {
    const most = 9_000_000_000_000_000
    const { platform, dollars, euros } = await createPayer({ balance: BigInt(most) })
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, euros, 1_000))
    await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    await fund(platform, dollars, 'USD', 1_000n)
    await db.internalAccount.updateMany({
      where: { platformId: platform.id, currency: 'EUR' },
      data: { status: 'FROZEN' },
    })
    await passTime(platform.id)
    await db.platform.update({ where: { id: platform.id }, data: { environment: 'PRODUCTION' } })
    const afterSweep = async () => {
      await lose(platform.id, '1 hour')
      await sweep()
      const { status, refund } = (await send(platform, 'GET', `/transactions/${quote.transactionId}`)).body
      return [status, refund?.status]
    }
    expect(await afterSweep()).toEqual(['FAILED', 'PENDING'])
    await fund(platform, dollars, 'USD', -1_000n)
    expect(await afterSweep()).toEqual(['FAILED', 'COMPLETED'])
    expect(await fundsOf(platform, dollars)).toEqual([most, most])
  })

  it('leaves if it was a transfer, and its hold is released', async () => {
    const { platform, dollars, outside } = await createPayer()
    const { body } = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 1_000))
    await lose(platform.id, '1 hour')
    await sweep()
    expect(await timelineOf(platform, body.id)).toEqual(['PENDING', 'PROCESSING'])
    expect(await fundsOf(platform, dollars)).toEqual([99_000, 99_000])
  })

  it('in production waits for the operator if it was a transfer whose job has failed for the last time', async () => {
    const { platform, dollars, outside } = await createPayer()
    await db.platform.update({ where: { id: platform.id }, data: { environment: 'PRODUCTION' } })
    const { body } = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 1_000))
    await takeJobs()
    await db.$executeRaw`
      update graphile_worker._private_jobs set attempts = max_attempts, updated_at = now() - interval '1 year'
      where payload ->> 'platformId' = ${platform.id}`
    await deleteFailedJobs.run({})
    expect((await readMetrics()).text).toContain('\nfailed_jobs{task="startTransfer"} 1\n')
    expect(await timelineOf(platform, body.id)).toEqual(['PENDING'])
    const { PATH, DATABASE_URL, DATABASE_DIRECT_URL, MASTER_KEY } = process.env
    const env = { PATH, DATABASE_URL, DATABASE_DIRECT_URL, MASTER_KEY }
    const command = spawnSync(process.execPath, [inject('gatewayMain'), 'retry-jobs'], { env, encoding: 'utf8' })
    expect(command).toMatchObject({ status: 0, stdout: 'Jobs to be run again: 1\n', stderr: '' })
    expect((await readMetrics()).text).not.toContain('\nfailed_jobs{')
    const runner = await runJobs(tasks)
    await expect.poll(() => timelineOf(platform, body.id), { timeout: 10_000 }).toEqual(['PENDING', 'PROCESSING'])
    await runner.stop()
    expect(await fundsOf(platform, dollars)).toEqual([99_000, 99_000])
  })

  it('fails if it was not authorized in time, also in production', async () => {
    const { platform, dollars, iban } = await createEuropeanPayer()
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
    await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    await db.platform.update({ where: { id: platform.id }, data: { environment: 'PRODUCTION' } })
    await lose(platform.id, '1 hour')
    await db.$executeRaw`update sca_challenges set expires_at = now() - interval '1 hour' where platform_id = ${platform.id}::uuid`
    await sweep()
    expect(await timelineOf(platform, quote.transactionId)).toEqual([
      'PENDING',
      'PENDING_AUTHORIZATION',
      'FAILED QUOTE_EXPIRED',
    ])
  })

  it('in production only expires, because the provider decides the outcome of an executed payment', async () => {
    const { platform, dollars, outside } = await createPayer()
    await db.platform.update({ where: { id: platform.id }, data: { environment: 'PRODUCTION' } })
    const ids = []
    for (const _ of [1, 2]) ids.push((await send(platform, 'POST', '/quotes', quoteInput(dollars, outside))).body)
    await send(platform, 'POST', `/quotes/${ids[0].id}/execute`)
    await lose(platform.id, '1 day')
    await sweep()
    expect(await timelineOf(platform, ids[0].transactionId)).toEqual(['PENDING', 'PROCESSING'])
    expect(await timelineOf(platform, ids[1].transactionId)).toEqual(['PENDING', 'EXPIRED'])
  })
})

describe('an incoming payment that nobody decided', () => {
  /** With a quote that is still open. */
  const receive = async () => {
    const platform = await createPlatform()
    const { id: quoteId } = await createQuote(platform, { status: 'PENDING' })
    const [row] = await createTransactions(platform, [incoming({ status: 'PENDING', quoteId })])
    const id = row?.id ?? ''
    const statusOfQuote = async () => (await db.quote.findFirstOrThrow({ where: { id: quoteId } })).status
    return { platform, id, statusOfQuote, timeline: () => timelineOf(platform, publicId('Transaction', id)) }
  }

  it('times out with its quote, whose window does not matter', async () => {
    const { platform, timeline, statusOfQuote } = await receive()
    await lose(platform.id, '1 hour')
    await sweep()
    expect(await timeline()).toEqual(['PENDING', 'FAILED PAYMENT_APPROVAL_TIMED_OUT'])
    expect(await statusOfQuote()).toBe('FAILED')
  })

  it('in production keeps waiting, although its quote has expired', async () => {
    const { platform, timeline } = await receive()
    await db.platform.update({ where: { id: platform.id }, data: { environment: 'PRODUCTION' } })
    await lose(platform.id, '20 years')
    await sweep()
    expect(await timeline()).toEqual(['PENDING'])
  })

  it('continues if it is approved at the same moment', async () => {
    const { platform, id, timeline } = await receive()
    await lose(platform.id, '1 hour')
    const [swept] = await db.$transaction(async (approval) => {
      await approval.$executeRaw`update transactions set status = 'PROCESSING' where id = ${id}::uuid`
      const sweeping = sweep()
      await until(async () => (await waiting()) > 0)
      return [sweeping]
    })
    await swept
    expect(await timeline()).toEqual(['PENDING', 'PROCESSING'])
  })
})

it('an incoming payment that never got its terms expires, and can be reconciled', async () => {
  const platform = await createPlatform()
  const [row] = await createTransactions(platform, [incoming({ status: 'CREATED' })])
  const id = publicId('Transaction', row?.id ?? '')
  const read = async () => (await send(platform, 'GET', `/transactions/${id}`)).body
  expect(await read()).not.toHaveProperty('reconciliationInstructions')
  await lose(platform.id, '1 hour')
  await sweep()
  expect(await read()).toMatchObject({
    status: 'EXPIRED',
    reconciliationInstructions: { reference: expect.stringMatching(/^[A-Z2-7]{12}$/) },
  })
})

it('a payment that another institution settles is not read', async () => {
  const platform = await createPlatform()
  const [row] = await createTransactions(platform, [outgoing({ status: 'PROCESSING' })])
  const transactionId = row?.id ?? ''
  const { id: providerId } = await createUmaProvider(platform)
  await createUmaDemand(platform, { providerId, transactionId, expiresAt: new Date() })
  await lose(platform.id, '1 day')
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  await sweep()
  const sent = spy.mock.calls.flatMap(([query]) => sentBy(query))
  spy.mockRestore()
  expect(sent.filter(({ values }) => values?.includes(transactionId))).toEqual([])
})

describe('payments that cannot be continued', () => {
  const COUNT = 201
  let stuck: Platform
  beforeAll(async () => {
    stuck = await createPlatform()
    // These payments have no received amount, so they cannot arrive.
    const payment = outgoing({ status: 'PROCESSING', updatedAt: new Date('2020-01-01T00:00:00Z') })
    await createTransactions(
      stuck,
      Array.from({ length: COUNT }, () => payment),
    )
  })

  it('do not stop the payments behind them, however many there are', async () => {
    const { platform, dollars, outside } = await createPayer()
    const { body } = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 1_000))
    await lose(platform.id, '1 hour')
    await sweep()
    expect(await timelineOf(platform, body.id)).toEqual(['PENDING', 'PROCESSING'])
  })

  it('are not even read if no provider settles them', async () => {
    await db.platform.update({ where: { id: stuck.id }, data: { environment: 'PRODUCTION' } })
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    await sweep()
    const sent = spy.mock.calls.flatMap(([query]) => sentBy(query))
    spy.mockRestore()
    const lists = sent.filter(({ text }) => text.includes("interval '10 minutes'"))
    expect(lists).not.toEqual([])
    const client = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'] })
    await client.connect()
    await client.query('analyze')
    await client.query('set enable_seqscan = off')
    for (const { text, values } of lists) {
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, values ?? [])
      expect(rowsRead(rows[0]['QUERY PLAN'][0].Plan)).toBeLessThan(COUNT)
    }
    await client.end()
  })
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** The rows of `transactions` that the statement read. */
const rowsRead = (plan: Plan): number => {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0, Plans = [] } = plan
  const own = plan['Relation Name'] === 'transactions' ? (rows + removed) * loops : 0
  return Plans.reduce((sum, each) => sum + rowsRead(each), own)
}

describe('in the demo', () => {
  const { platformId } = new World('demo', new Date())
  beforeAll(() => seedDemo(process.env['DATABASE_DIRECT_URL'] ?? ''))

  const open = () => db.$queryRaw<{ status: string; refund: string | null; waits: boolean }[]>`
    select status::text, refund_status::text as refund, exists (
      select from agent_actions action
      where action.platform_id = payment.platform_id and action.transaction_id = payment.id and action.status = 'PENDING_APPROVAL') as waits
    from transactions payment
    where platform_id = ${platformId}::uuid and type <> 'CARD'
      and (status in ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING') or refund_status = 'PENDING')`

  it('every payment is completed unless it waits for a decision, and the ledger stays correct', async () => {
    const before = await open()
    expect(before.filter(({ waits }) => !waits).length).toBeGreaterThan(15)
    for (let round = 0; round < 6; round += 1) {
      await lose(platformId, '3 days')
      await sweep()
      await passTime(platformId, 900)
    }
    const after = await open()
    expect(after.filter(({ waits }) => !waits)).toEqual([])
    expect(after).toHaveLength(before.filter(({ waits }) => waits).length)
    const wrong = await db.$queryRaw`
      select account.id, total_balance, coalesce(sum(entry.amount), 0) as booked from internal_accounts account
      left join ledger_entries entry on (entry.platform_id, entry.account_id) = (account.platform_id, account.id)
      where account.platform_id = ${platformId}::uuid group by account.platform_id, account.id
      having total_balance <> coalesce(sum(entry.amount), 0)`
    expect(wrong).toEqual([])
    const late = await db.$queryRaw`
      select id from quotes q where platform_id = ${platformId}::uuid and expires_at < now()
        and status in ('PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING') and not exists (
          select from agent_actions where platform_id = q.platform_id and quote_id = q.id and status = 'PENDING_APPROVAL')`
    expect(late).toEqual([])
  })
})
