// Every change of state creates exactly one event of the right type, in order, whichever path the code takes (docs/domain/events.md#event-types).
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { postMovement } from '#accounts/ledger.ts'
import { partsOfId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { SUBJECT_KINDS } from '#events/event.ts'
import { EVENT_TYPES } from '#events/event-types.ts'
import { numberEvents } from '#events/numbering.ts'
import type { TransactionItemType as Type } from '#generated/prisma/client.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { findTransitions, formOf, makeEveryEvent, type Transition } from '#test/setup/every-event.ts'
import { basic } from '#test/setup/faces.ts'
import {
  createAgent,
  createAgentActions,
  createCard,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  createTransactions,
  type Platform,
} from '#test/setup/world.ts'

const HISTORIES = Number(process.env['HISTORIES'] ?? 20)
const MOST_STEPS = 8

let transitions: readonly Transition[]
let platform: Platform
let customerId: string
let accountId: string

beforeAll(async () => {
  transitions = await findTransitions()
  platform = await createPlatform()
  customerId = (await createCustomer(platform)).id
  accountId = (await createInternalAccount(platform, { customerId })).id
})

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T

/** The entry for a state in the table of event types; null if the state has no event. */
const typeOf = (type: Type, status: string): string | null => {
  if (type === 'CARD') return `CARD_TRANSACTION.${status}`
  if (type === 'OUTGOING') return `OUTGOING_PAYMENT.${status}`
  const name = ['REJECTED', 'EXPIRED'].includes(status) ? 'FAILED' : status
  return ['PENDING', 'COMPLETED', 'FAILED'].includes(name) ? `INCOMING_PAYMENT.${name}` : null
}

/** The events of an object as `TYPE state`, in the order of their positions. */
const eventsOf = async (objectId: string): Promise<string[]> => {
  const rows = await db.$queryRaw<{ text: string }[]>`
    select concat_ws(' ', type, coalesce(snapshot ->> 'status', snapshot ->> 'state', snapshot ->> 'verification_status'), snapshot ->> 'refund_status') as text
    from numbered_events where platform_id = ${platform.id}::uuid and object_id = ${objectId}::uuid order by position`
  return rows.map(({ text }) => text)
}

const ROLLBACK = new Error('Rolled back')

/** Runs steps in transactions of random length, of which some are rolled back. Returns the events that the committed ones should have created. */
const live = async <S>(
  start: S,
  steps: number,
  step: (tx: Tx, state: S) => Promise<{ state: S; told: readonly string[] }>,
) => {
  let state = start
  const told: string[] = []
  for (let left = steps; left > 0; ) {
    const together = 1 + Math.floor(Math.random() * 3)
    const attempt: { state: S; told: string[] } = { state, told: [] }
    try {
      await inTransaction(async (tx) => {
        for (let index = 0; index < together; index++) {
          const next = await step(tx, attempt.state)
          attempt.state = next.state
          attempt.told.push(...next.told)
        }
        if (Math.random() < 0.15) throw ROLLBACK
      })
      state = attempt.state
      told.push(...attempt.told)
    } catch (error) {
      if (error !== ROLLBACK) throw error
    }
    left -= together
  }
  return told
}

interface Payment {
  readonly status: string
  readonly refund: string | null
}

const FIRST: Readonly<Record<Type, readonly string[]>> = {
  INCOMING: ['CREATED', 'PENDING'],
  OUTGOING: ['PENDING'],
  CARD: ['AUTHORIZED', 'SETTLED'],
}

const told = (type: Type, what: string | null, { status, refund }: Payment) =>
  what === null ? [] : [[what, status, type === 'CARD' ? null : refund].filter(Boolean).join(' ')]

const refundEvent = (type: Type, { refund }: Payment) => `${type}_PAYMENT.REFUND_${refund}`

/** One UPDATE: of a status, a refund, both, or something that is not a state. */
const changePayment = (type: Type, id: string) => async (tx: Tx, state: Payment) => {
  const next = transitions.filter((step) => step.type === type && step.from === state.status)
  const refunds = state.refund === null ? ['PENDING'] : state.refund === 'PENDING' ? ['COMPLETED', 'FAILED'] : []
  const movesStatus = next.length > 0 && Math.random() < 0.7
  const movesRefund = type !== 'CARD' && refunds.length > 0 && Math.random() < 0.4
  const status = movesStatus ? pick(next).to : state.status
  const refund = movesRefund ? pick(refunds) : state.refund
  const after = { status, refund }
  await tx.transaction.update({
    where: { platformId_id: { platformId: platform.id, id } },
    data: {
      updatedAt: new Date(),
      ...(movesStatus && {
        status: status as never,
        failureReason: status === 'FAILED' ? (type === 'INCOMING' ? 'QUOTE_EXECUTION_FAILED' : 'QUOTE_EXPIRED') : null,
      }),
      ...(movesRefund && { refundStatus: refund as never, refundReference: 'R', refundInitiatedAt: new Date() }),
    },
  })
  return {
    state: after,
    told: [
      ...(movesStatus ? told(type, typeOf(type, status), after) : []),
      ...(movesRefund ? told(type, refundEvent(type, after), after) : []),
    ],
  }
}

const livePayment = async () => {
  const type = pick(['INCOMING', 'OUTGOING', 'CARD'] as const)
  const start: Payment = { status: pick(FIRST[type]), refund: null }
  const [row] = await createTransactions(platform, [{ ...formOf(type, accountId), status: start.status as never }])
  const id = row?.id ?? ''
  const steps = await live(start, MOST_STEPS, changePayment(type, id))
  return { id, expected: [...told(type, typeOf(type, start.status), start), ...steps] }
}

const liveCard = async () => {
  const { id } = await createCard(platform, { customerId, accountId, state: 'ACTIVE' })
  const expected = await live('ACTIVE', MOST_STEPS, async (tx, state) => {
    const next = pick(['ACTIVE', 'FROZEN'] as const)
    await tx.card.update({
      where: { platformId_id: { platformId: platform.id, id } },
      data: { state: next, platformCardId: randomUUID() },
    })
    return { state: next as string, told: next === state ? [] : [`CARD.STATE_CHANGE ${next}`] }
  })
  return { id, expected }
}

const liveAction = async () => {
  const { id: agentId } = await createAgent(platform, { customerId })
  const { id: externalAccountId } = await createExternalAccount(platform, { customerId })
  const waits = Math.random() < 0.7
  const parties = { agentId, customerId, internalAccountId: accountId, externalAccountId }
  const [action] = await createAgentActions(platform, [{ ...parties, status: waits ? 'PENDING_APPROVAL' : 'APPROVED' }])
  const id = action?.id ?? ''
  // The event of the payment reports the decision, which has no event of its own.
  await db.agentAction.update({
    where: { platformId_id: { platformId: platform.id, id } },
    data: { status: 'REJECTED' },
  })
  return { id, expected: waits ? ['AGENT_ACTION.PENDING_APPROVAL PENDING_APPROVAL'] : [] }
}

it(`the events of an object are exactly its changes, in order: ${HISTORIES} random histories`, {
  timeout: 3_600_000,
}, async () => {
  const different: object[] = []
  let events = 0
  for (let done = 0; done < HISTORIES; done += 4) {
    const lives = await Promise.all([livePayment(), livePayment(), liveCard(), liveAction()])
    await numberEvents()
    for (const { id, expected } of lives) {
      const found = await eventsOf(id)
      events += found.length
      if (found.join() !== expected.join()) different.push({ expected, found })
    }
  }
  console.log(`histories ${HISTORIES}, events ${events}, different ${different.length}`)
  expect(different).toEqual([])
  expect(events).toBeGreaterThan(HISTORIES)
})

it('every type that is not reserved comes from a change, and the database knows the same types', async () => {
  await makeEveryEvent(platform)
  const rows = await db.$queryRaw<{ type: string }[]>`
    select distinct type::text from events where platform_id = ${platform.id}::uuid`
  const found = new Set(rows.map(({ type }) => type))
  // Nothing happens when the endpoint is tested.
  const expected = EVENT_TYPES.filter((type) => type !== 'TEST')
  expect([...found].sort()).toEqual([...expected].sort())
  const [{ labels } = { labels: [] }] = await db.$queryRaw<
    { labels: string[] }[]
  >`select enum_range(null::event_type)::text[] as labels`
  expect(labels).toEqual(EVENT_TYPES)

  // Every event leads to its object.
  await numberEvents()
  const kinds = new Set<string>()
  for (const type of expected) {
    const filter = { types: [type.replaceAll('.', '_')] }
    const { body } = await callGraphQL(basic(platform), LATEST, { filter })
    const [{ subjectId, ...subjects }] = body.data.events.nodes
    const reached = Object.values(subjects as Record<string, { id: string } | null>).filter((object) => object !== null)
    expect({ type, reached }).toEqual({ type, reached: [{ id: subjectId }] })
    kinds.add(partsOfId(subjectId).kind)
  }
  expect([...kinds].sort()).toEqual([...SUBJECT_KINDS].sort())
})

const LATEST = `query ($filter: EventFilter) { events(first: 1, filter: $filter) { nodes {
  subjectId transaction { ... on TransactionNode { id } } card { id } agentAction { id } customer { id } internalAccount { id }
  verification { id } bulkJob { id } invitation { id }
} } }`

it('all changes of a balance in one transaction are one event, and those of the next transaction are another', async () => {
  const accounts = await Promise.all([1, 2, 3].map(() => createInternalAccount(platform, { customerId })))
  const [a = '', b = '', c = ''] = accounts.map(({ id }) => id)
  const deposit = (tx: Tx, id: string, amount: bigint) =>
    postMovement(tx, platform.id, {
      kind: 'FUNDING',
      entries: [
        { accountId: id, currency: 'USD', amount },
        { book: 'OUTSIDE', currency: 'USD', amount: -amount },
      ],
    })
  await inTransaction(async (tx) => {
    await deposit(tx, a, 1n)
    await deposit(tx, b, 10n)
    await deposit(tx, a, 2n)
    await tx.$executeRaw`savepoint before`
    await deposit(tx, a, 4n)
    await deposit(tx, c, 100n)
    await tx.$executeRaw`rollback to savepoint before`
    await deposit(tx, c, 200n)
  })
  await inTransaction((tx) => deposit(tx, a, 8n))
  const events = await db.$queryRaw<{ id: string; balance: string }[]>`
    select object_id as id, snapshot ->> 'balance' as balance from events where platform_id = ${platform.id}::uuid
      and type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' and object_id = any(${[a, b, c]}::uuid[]) order by recorded`
  expect(events).toEqual([
    { id: a, balance: '3' },
    { id: b, balance: '10' },
    { id: c, balance: '200' },
    { id: a, balance: '11' },
  ])
})

it('an event that waits for its position is in the primary key and one other index', async () => {
  const indexes = await db.$queryRaw<{ indexdef: string }[]>`
    select indexdef from pg_indexes where schemaname = 'public' and tablename = 'events'`
  expect(indexes.filter(({ indexdef }) => !indexdef.includes('IS NOT NULL'))).toHaveLength(2)
})

/** Columns with the state of an object that have no event, and why. */
const WITHOUT_EVENTS: Readonly<Record<string, string>> = {
  'quotes.status': 'A quote moves together with its payment, which tells of it.',
  'external_accounts.status': 'No event type tells of external accounts.',
  'external_accounts.beneficiary_verification_status': 'No event type tells of external accounts.',
  'agent_actions.status': 'The insert has an event. The payment reports the decision.',
  'transaction_state_changes.from_status': 'The timeline of the transaction.',
  'transaction_state_changes.to_status': 'The timeline of the transaction.',
  'transaction_transitions.from_status': 'What is allowed.',
  'transaction_transitions.to_status': 'What is allowed.',
  'card_transitions.from_state': 'What is allowed.',
  'card_transitions.to_state': 'What is allowed.',
  'card_pulls.status': 'The end of a pull is told by the balance of the account.',
  'transactions.listed_status': 'Derived from the status.',
  'transaction_count_changes.status': 'Counts.',
  'transaction_count_changes.left_status': 'Counts.',
  'platform_transaction_counts.status': 'Counts.',
  'platform_transaction_days.status': 'Counts.',
  'customer_transaction_counts.status': 'Counts.',
  'parent_transaction_counts.status': 'Counts.',
  'beneficial_owners.kyc_status': 'No event type tells of owners. The verification of the business tells the outcome.',
  'stablecoin_operations.status': 'No event type tells of stablecoins. The account tells of its balance.',
  'stablecoin_provider_accounts.status': 'No event type tells of stablecoins.',
  'stablecoin_quotes.status': 'No event type tells of stablecoins.',
  'uploads.state': 'No event type tells of files.',
  'delegated_keys.status': 'No event type tells of delegated keys.',
  'sca_factor_resets.status': 'No event type tells of factors.',
  'uma_demands.status': 'The payment of the demand tells of it.',
  'webhook_deliveries.status': 'How an event is delivered is no event.',
  'webhook_endpoints.status': 'No event type tells of endpoints, which could not receive it.',
}

it('every column that holds a state has a trigger that records its changes', async () => {
  const columns = await db.$queryRaw<{ name: string; is_told: boolean }[]>`
    select relname || '.' || attname as name, exists (
      select from pg_trigger where tgrelid = c.oid and tgname like '%\\_event%' and a.attnum = any(tgattr)) as is_told
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and t.typtype = 'e' and t.typname ~ '(status|state)$'`
  expect(columns.length).toBeGreaterThan(10)
  expect(
    columns
      .filter(({ is_told }) => !is_told)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(WITHOUT_EVENTS).sort())
})
