// What is true of all money of a platform, whatever happened: the ledger has moved exactly what the payments say, and nothing else.
import { expect } from 'vitest'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import { isToken } from '#platforms/settings/customer-fields.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { expectConsistent } from '#test/setup/cards/consistency.ts'
import { basic } from '#test/setup/faces.ts'
import { callRest, type Json } from '#test/setup/sca/sca-faces.ts'
import type { Platform } from '#test/setup/world.ts'

/** Call it while nothing else changes the platform. Each row that it finds is a mistake. */
export const expectBalanced = async (platform: Platform): Promise<void> => {
  const { id: platformId } = platform
  const wrong = await db.$queryRaw<object[]>`
    select 'balance' as what, a.id::text from internal_accounts a
    cross join lateral (
      select coalesce(sum(amount), 0) as total from ledger_entries where platform_id = a.platform_id and account_id = a.id) entries
    cross join lateral (
      select coalesce(sum(amount), 0) as held from ledger_holds
      where platform_id = a.platform_id and account_id = a.id and released_at is null) holds
    where a.platform_id = ${platformId}::uuid and (total_balance <> total or balance <> total - held or balance < 0)
    union all
    select 'hold', h.id::text from ledger_holds h join transactions t on t.platform_id = h.platform_id and t.id = h.transaction_id
    where h.platform_id = ${platformId}::uuid and released_at is null
      and not (t.type = 'OUTGOING' and t.status = 'PENDING' and t.quote_id is null and sent_amount = h.amount)
      and not exists (
        select from card_pulls p where p.platform_id = h.platform_id and hold_id = h.id and p.status = 'PENDING' and p.amount - given_back = h.amount)
    union all
    select 'operation', o.id::text from stablecoin_operations o
    left join ledger_entries e on e.platform_id = o.platform_id and e.movement_id in (o.movement_id, o.refund_id) and account_id = internal_account_id
    where o.platform_id = ${platformId}::uuid group by o.platform_id, o.id
    having coalesce(sum(e.amount), 0) <> case
      when operation_type = 'MINT' then case when status in ('FAILED', 'EXPIRED') then 0 else -o.amount end
      when status = 'COMPLETED' then o.amount else 0 end
    union all
    select 'unexplained movement', m.id::text from ledger_movements m
    where m.platform_id = ${platformId}::uuid and transaction_id is null and kind <> 'OPENING'
      and not exists (select from stablecoin_operations o where o.platform_id = m.platform_id and m.id in (o.movement_id, o.refund_id))
    union all
    select 'spend of the agent', a.id::text from agents a
    left join agent_actions c on c.platform_id = a.platform_id and c.agent_id = a.id and c.status = 'APPROVED'
    left join transactions t on t.platform_id = c.platform_id and t.id = c.transaction_id
    where a.platform_id = ${platformId}::uuid group by a.platform_id, a.id
    having coalesce(sum(sent_amount), 0) <> monthly_spend`
  expect(wrong).toEqual([])
  await expectExplained(platformId)
  await expectConsistent(platform)
  await expectCounted(platform)
}

interface Moved {
  readonly id: string
  readonly kind: string
  readonly place: string
  readonly amount: bigint
  readonly isPlatforms: boolean
}

class Sums extends Map<string, bigint> {
  add(place: string, amount: bigint) {
    this.set(place, (this.get(place) ?? 0n) + amount)
  }
  get text() {
    return [...this].flatMap(([place, amount]) => (amount === 0n ? [] : `${place} ${amount}`)).toSorted()
  }
}

/** Every payment has moved what follows from its terms and its timeline. */
const expectExplained = async (platformId: string) => {
  const payments = await db.transaction.findMany({
    where: { platformId, type: { not: 'CARD' } },
    include: { quote: true },
  })
  const moved = await db.$queryRaw<Moved[]>`
    select transaction_id as id, kind::text, concat(coalesce(account_id::text, book::text), ' ', e.currency) as place, amount,
      a.id is not null and a.customer_id is null as "isPlatforms"
    from ledger_movements m join ledger_entries e on e.platform_id = m.platform_id and movement_id = m.id
    left join internal_accounts a on a.platform_id = e.platform_id and a.id = account_id
    where m.platform_id = ${platformId}::uuid and transaction_id is not null`
  const steps = await db.$queryRaw<{ id: string; to: string }[]>`
    select transaction_id as id, to_status::text as "to" from transaction_timelines where platform_id = ${platformId}::uuid`
  for (const payment of payments) {
    const ofPayment = <T extends { id: string }>(all: readonly T[]) => all.filter(({ id }) => id === payment.id)
    const mine = ofPayment(moved)
    const passed = new Set(ofPayment(steps).map(({ to }) => to))
    const found = new Sums()
    for (const { place, amount } of mine) found.add(place, amount)
    const { id, status, refundStatus, quote } = payment
    expect([id, status, refundStatus, found.text]).toEqual([
      id,
      status,
      refundStatus,
      movedBy(payment, passed, mine).text,
    ])
    if (quote) {
      const state = status === 'REJECTED' ? 'FAILED' : status
      const { totalSendingAmount: sent, totalReceivingAmount: received, feesIncluded: fees } = quote
      expect([id, quote.status, sent, received, fees]).toEqual([
        id,
        state,
        payment.sentAmount,
        payment.receivedAmount,
        payment.fees,
      ])
    }
    const isInOneCurrency = payment.type === 'OUTGOING' && payment.sentCurrency === payment.receivedCurrency
    // What a bank has received may come back, but not what an internal account has received.
    if (payment.destinationInternalAccountId !== null && passed.has('COMPLETED'))
      expect([id, status]).toEqual([id, 'COMPLETED'])
    if (isInOneCurrency)
      expect([id, payment.receivedAmount]).toEqual([id, (payment.sentAmount ?? 0n) - (payment.fees ?? 0n)])
  }
}

const movedBy = (payment: Transaction, passed: ReadonlySet<string>, mine: readonly Moved[]): Sums => {
  const { type, sentCurrency, receivedCurrency, refundStatus } = payment
  const [sent, received, fees, share] = [
    payment.sentAmount ?? 0n,
    payment.receivedAmount ?? 0n,
    payment.fees ?? 0n,
    payment.platformFees ?? 0n,
  ]
  const from = payment.sourceInternalAccountId ?? 'OUTSIDE'
  const to = payment.destinationInternalAccountId ?? 'OUTSIDE'
  const arrived = passed.has('COMPLETED') && payment.refundReason !== 'USER_CANCELLATION'
  const sums = new Sums()
  if (type === 'INCOMING') {
    if (arrived) sums.add(`${from} ${receivedCurrency}`, -received)
    if (arrived) sums.add(`${to} ${receivedCurrency}`, received)
    return sums
  }
  const feePlace = mine.find(
    ({ kind, isPlatforms, amount }) => kind === 'PAYMENT' && isPlatforms && amount === share,
  )?.place
  const pushed = mine.find(({ kind, place }) => kind !== 'REFUND' && place === `OUTSIDE ${sentCurrency}`)?.amount ?? 0n
  if (refundStatus === 'COMPLETED') {
    // Pushed tokens cannot go back where they came from: an account of the customer has them.
    if (payment.sourceType === 'REALTIME_FUNDING' && isToken(sentCurrency ?? '')) {
      const home = mine.find(
        ({ kind, amount, place }) => kind === 'REFUND' && amount === -pushed && !place.startsWith('OUTSIDE'),
      )
      sums.add(`OUTSIDE ${sentCurrency}`, pushed)
      sums.add(home?.place ?? 'nowhere', -pushed)
    }
    // A platform that has spent its fee in the meantime owes the shortfall.
    const owed = mine.find(({ place }) => place.startsWith('RECEIVABLE'))?.amount ?? 0n
    expect(owed <= 0n && -owed <= share).toBe(true)
    sums.add(`RECEIVABLE ${sentCurrency}`, owed)
    sums.add(feePlace ?? 'nowhere', -owed)
    return sums
  }
  if (passed.has('PROCESSING')) {
    sums.add(`${from} ${sentCurrency}`, -sent)
    sums.add(`FEES ${sentCurrency}`, fees - share)
    sums.add(feePlace ?? 'nowhere', share)
    sums.add(`EXCHANGE ${sentCurrency}`, sent - fees)
  } else if (refundStatus !== null) {
    sums.add(`OUTSIDE ${sentCurrency}`, pushed)
    sums.add(`SUSPENSE ${sentCurrency}`, -pushed)
  }
  if (arrived) sums.add(`EXCHANGE ${receivedCurrency}`, -received)
  if (arrived) sums.add(`${to} ${receivedCurrency}`, received)
  return sums
}

const COUNTS = `query ($start: Date!, $end: Date!) {
  transactions { totalCount }
  transactionStatistics(startDate: $start, endDate: $end, groupBy: [TYPE, STATUS, CURRENCY]) {
    totals { count type status currency { code } amount { amount } }
  }
}`

const expectCounted = async (platform: Platform) => {
  const [start, end] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
  const { body } = await callGraphQL(basic(platform), COUNTS, { start, end })
  const rows = await db.$queryRaw<{ text: string }[]>`
    select concat_ws(' ', type, status, headline_currency, count(*), sum(headline_amount)) as text
    from transactions where platform_id = ${platform.id}::uuid group by type, status, headline_currency`
  const { transactions, transactionStatistics } = body.data
  const told = transactionStatistics.totals.map(({ type, status, currency, count, amount }: Json) =>
    [type, status, currency.code, count, amount.amount].join(' '),
  )
  expect(told.toSorted()).toEqual(rows.map(({ text }) => text).toSorted())
  expect(transactions.totalCount).toBe(await db.transaction.count({ where: { platformId: platform.id } }))
}

/** Nothing waits for anything any more, and no money of an open payment is left. */
export const expectEnded = async ({ id: platformId }: Platform): Promise<void> => {
  const open = await db.$queryRaw<object[]>`
    select id::text, type || ' ' || status || ' ' || coalesce(refund_status::text, '') as state from transactions
    where platform_id = ${platformId}::uuid
      and (status in ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING') or refund_status = 'PENDING')
    union all
    select id::text, 'pull' from card_pulls where platform_id = ${platformId}::uuid and status = 'PENDING'
    union all
    select id::text, 'operation ' || status from stablecoin_operations
    where platform_id = ${platformId}::uuid and status not in ('COMPLETED', 'FAILED', 'EXPIRED')
    union all
    select id::text, 'action' from agent_actions where platform_id = ${platformId}::uuid and status = 'PENDING_APPROVAL'
    union all
    select id::text, 'hold' from ledger_holds where platform_id = ${platformId}::uuid and released_at is null`
  expect(open).toEqual([])
}

/** The type of the event that tells of the status, if there is one. */
const typeOf = (type: string, status: string): string[] => {
  if (type !== 'INCOMING') return [status]
  const name = ['REJECTED', 'EXPIRED'].includes(status) ? 'FAILED' : status
  return ['PENDING', 'COMPLETED', 'FAILED'].includes(name) ? [name] : []
}

/** The events tell every state once and in order, and the last one has the transaction as REST returns it. */
export const expectTold = async (platform: Platform): Promise<void> => {
  await numberEvents()
  const { id: platformId } = platform
  const transactions = await db.transaction.findMany({ where: { platformId } })
  for (const { id: uuid, type, refundStatus } of transactions) {
    const id = `${type === 'CARD' ? 'CardTransaction' : 'Transaction'}:${uuid}`
    const { body: events } = await callRest(platform, 'GET', `/webhooks/events?subjectId=${id}&sortOrder=asc&limit=100`)
    const names: string[] = events.data.map((event: Json) => event.type.split('.')[1])
    const steps = await db.$queryRaw<{ to: string }[]>`
      select to_status::text as "to" from transaction_timelines
      where platform_id = ${platformId}::uuid and transaction_id = ${uuid}::uuid order by sequence`
    const isRefund = (name: string) => name.startsWith('REFUND_')
    expect([id, ...names.filter((name) => !isRefund(name))]).toEqual([
      id,
      ...steps.flatMap(({ to }) => typeOf(type, to)),
    ])
    const refunds = refundStatus === null || refundStatus === 'PENDING' ? [refundStatus] : ['PENDING', refundStatus]
    expect([id, ...names.filter(isRefund)]).toEqual([
      id,
      ...refunds.flatMap((state) => (state ? `REFUND_${state}` : [])),
    ])
    const { body } = await callRest(platform, 'GET', `/transactions/${id}`)
    expect(told(events.data.at(-1).data)).toEqual(told(body))
  }
}

/** Without what changes without an event, such as the pulls and advices of cards, and what only events tell. */
const told = ({ updatedAt: _updatedAt, requestedReceiverCustomerInfoFields: _requested, ...body }: Json) => {
  if (body.type !== 'CARD') return body
  const { status, settledAmount, refundedAmount, settlementSummary, refundSummary } = body
  return { status, settledAmount, refundedAmount, settlementSummary, refundSummary }
}
