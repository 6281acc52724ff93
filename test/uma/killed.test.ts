// Either gateway is killed in the middle of payments between the two: each payment happens once, or its money is returned, and never both.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCounterpart } from '#test/setup/uma/counterpart.ts'
import {
  balanceOf,
  createPerson,
  type Institution,
  introduce,
  owedBy,
  type Person,
  startInstitution,
} from '#test/setup/uma/institution.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'

let a: Institution
let b: Institution
let alice: Person
let bob: Person
let receiver: Awaited<ReturnType<typeof startReceiver>>

const START = 10_000_000

beforeAll(async () => {
  receiver = await startReceiver()
  ;[a, b] = await Promise.all([startInstitution('a.example'), startInstitution('b.example')])
  await Promise.all([
    introduce(a, { ...b, url: b.gateway.url }),
    introduce(b, { ...a, url: a.gateway.url }),
    b.send('PATCH', '/config', { webhookEndpoint: receiver.url }),
  ])
  ;[alice, bob] = await Promise.all([createPerson(a, 'alice', { USD: START }), createPerson(b, 'bob', { EUR: 0 })])
}, 120_000)

afterAll(async () => {
  receiver.close()
  await Promise.all([a.close(), b.close()])
})

const quotes = async (count: number, umaAddress = bob.umaAddress): Promise<string[]> => {
  const lookup = await a.send('GET', `/receiver/uma/${encodeURIComponent(umaAddress)}?customerId=${alice.customerId}`)
  const made = await Promise.all(
    Array.from({ length: count }, () =>
      a.send('POST', '/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: alice.accounts['USD'] },
        destination: { destinationType: 'UMA_ADDRESS', umaAddress },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 10_000,
        lookupId: lookup.body.lookupId,
      }),
    ),
  )
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
  return made.map(({ body }) => body.id)
}

/** The states of all payments, by whether they are over. */
const open = async (one: Institution): Promise<number> => {
  const [row] = await one.sql(
    `select count(*)::int as open from transactions where status in ('CREATED', 'PENDING', 'PROCESSING') or refund_status = 'PENDING'`,
  )
  return row.open
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const PER_ROUND = 5

const KILLS = [
  ['the payer, at once', () => a, 0],
  ['the payee, a moment later', () => b, 40],
  ['the payer, later', () => a, 120],
  ['the payee, at once', () => b, 0],
  ['the payer, a moment later', () => a, 40],
  ['the payee, later', () => b, 120],
] as const

/** In CI only the first two. The full campaign sets CRASHES=all. */
it.each(process.env['CRASHES'] === 'all' ? KILLS : KILLS.slice(0, 2))(
  'killed: %s',
  async (_who, victim, ms) => {
    const ids = await quotes(PER_ROUND)
    // The answer of a killed process never comes.
    const executions = ids.map((id) => a.send('POST', `/quotes/${id}/execute`).catch(() => undefined))
    await later(ms)
    await victim().restart()
    await Promise.all(executions)
    // A client retries every call that got no answer. A payment that is under way is not started twice.
    for (const id of ids) {
      const { status, body } = await a.send('POST', `/quotes/${id}/execute`)
      expect([200, 409], JSON.stringify(body)).toContain(status)
    }
    await expect.poll(() => open(a), { timeout: 50_000, interval: 200 }).toBe(0)
    await expect.poll(() => open(b), { timeout: 50_000, interval: 200 }).toBe(0)
  },
  120_000,
)

it('every payment happened once or was returned', async () => {
  const sums = `
    select count(*)::int as payments, count(*) filter (where status = 'COMPLETED')::int as completed,
      count(*) filter (where status = 'FAILED')::int as failed,
      coalesce(sum(sent_amount) filter (where status = 'COMPLETED'), 0)::int as sent,
      coalesce(sum(received_amount) filter (where status = 'COMPLETED'), 0)::int as received
    from transactions`
  const [[outgoing], [incoming]] = await Promise.all([a.sql(sums), b.sql(sums)])
  expect(outgoing.completed).toBe(incoming.completed)
  expect(outgoing.received).toBe(incoming.received)
  expect(outgoing.completed).toBeGreaterThan(0)
  expect(await balanceOf(a, alice.accounts['USD'] ?? '')).toBe(START - outgoing.sent)
  expect(await balanceOf(b, bob.accounts['EUR'] ?? '')).toBe(incoming.received)
  expect(await owedBy(b, a)).toBe(-(await owedBy(a, b)))
  const ends = await Promise.all(
    [a, b].map((one) => one.sql('select demand_id, status from uma_demands order by demand_id')),
  )
  expect(ends[0]).toEqual(ends[1])
  for (const one of [a, b]) expect(await one.sql('select * from ledger_violations')).toEqual([])
  console.log(
    `payments ${outgoing.payments}, completed ${outgoing.completed}, refunded ${outgoing.failed}, both 0, lost 0`,
  )
})

it('a process that is killed while an institution is silent notifies it again after the restart', async () => {
  const silent = await startCounterpart('c.example', alice.umaAddress)
  try {
    await introduce(a, silent)
    const [id] = await quotes(1, silent.address)
    let calls = 0
    silent.handlers.done = () => (calls += 1)
    expect((await a.send('POST', `/quotes/${id}/execute`)).body.status).toBe('PROCESSING')
    await expect.poll(() => calls, { timeout: 50_000 }).toBe(1)
    await a.restart()
    silent.handlers.done = (_request, response, body) => response.end(JSON.stringify(silent.goodDone(body)))
    const status = async () => (await a.send('GET', `/quotes/${id}`)).body.status
    await expect.poll(status, { timeout: 50_000, interval: 200 }).toBe('COMPLETED')
  } finally {
    silent.close()
  }
}, 120_000)
