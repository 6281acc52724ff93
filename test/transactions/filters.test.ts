// The filters of transaction lists (docs/domain/transactions.md#filters): examples of each, and random ones checked against plain
// arrays.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { type Answer, type Filter, inOrder, type PagedList, pagedLists } from '#test/setup/connection.ts'
import { ask as askGraphQL } from '#test/setup/faces.ts'
import {
  admits,
  COUNTED,
  conditionsNear,
  EXTENSIONS,
  FUNDING,
  instructionsWith,
  itemIn,
  listOf,
  nanosOf,
  rowOf,
  UNKNOWN,
  uuidOf,
} from '#test/setup/filter-oracle.ts'
import {
  type Cast,
  cardCredit,
  cardUse,
  createCast,
  createTransactions,
  incoming,
  outgoing,
  paidFrom,
  paidTo,
} from '#test/setup/world.ts'

/** SEED=<number> repeats a run. */
const SEED = Number(process.env['SEED'] ?? randomInt(2 ** 31))
/** The number of random filters of a nested list. The lists of the whole platform get several times as many. The full campaign sets 2,000. */
const RUNS = Number(process.env['RANDOM_FILTERS'] ?? 60)

// ── Examples ──

const cast = await createCast()
const foreign = await createCast()
const [self = '', ada = ''] = cast.owners.map(({ customerId }) => customerId)
const [account = '', other = ''] = cast.internal
const [bank = ''] = cast.external
const [agent = ''] = cast.agents
const [card = ''] = cast.cards

const own = { customerId: uuidOf(ada), platformCustomerId: 'user-1' }
const swipe = { ...own, sourceInternalAccountId: uuidOf(account) }
const named = {
  salary: incoming({
    ...own,
    ...paidFrom(bank),
    ...paidTo(account),
    counterpartyInformation: { FULL_NAME: 'Ada Lovelace' },
    reconciliationReference: 'REF',
    receivedCurrency: 'EUR',
  }),
  rent: outgoing({
    ...own,
    ...paidFrom(account),
    ...paidTo('$Landlord@Bank.Example'),
    agentId: uuidOf(agent),
    description: 'Flat 7%, July',
  }),
  funding: outgoing({ ...own, ...FUNDING, ...paidTo(other), paymentInstructions: instructionsWith('REF') }),
  swap: outgoing({ ...own, ...paidFrom(account), ...paidTo(account), status: 'PENDING' }),
  coffee: cardUse({ ...swipe, cardId: uuidOf(card) }),
  shoes: cardUse({ ...swipe, status: 'REFUNDED' }),
  voucher: cardCredit({ ...own, cardId: uuidOf(card), destinationInternalAccountId: uuidOf(account) }),
  bounced: incoming({ status: 'REFUNDED' }),
}
const hourly = Object.values(named).map((row, hour) => ({ ...row, createdAt: new Date(Date.UTC(2025, 9, 13, hour)) }))
const inserted = await createTransactions(cast.platform, hourly)
const nameOf = (id: string) => Object.keys(named)[inserted.findIndex((row) => row.id === uuidOf(id))]
await createTransactions(foreign.platform, [incoming(paidTo(foreign.internal[0] ?? ''))])

const ask = async (filter: Filter, check: (answer: Answer, list: PagedList) => void) => {
  const isExtension = Object.keys(filter ?? {}).some((name) => EXTENSIONS.includes(name))
  for (const list of pagedLists.filter(({ name }) => name === 'Query.transactions' || name === 'GET /transactions')) {
    if (list.face === 'REST' && isExtension) continue
    const [answer] = await list.read(cast.platform, [''], { filter, sortOrder: 'ASC' })
    check(answer as Answer, list)
  }
}

describe('the filter', () => {
  it.each<[sentence: string, filter: Filter, ...found: (keyof typeof named)[]]>([
    ['customerId finds what is theirs', { customerId: ada, type: 'OUTGOING' }, 'rent', 'funding', 'swap'],
    ["the platform's own id finds what was made on behalf of the platform", { customerId: self }, 'bounced'],
    ["the platform's own id is its platformCustomerId too", { platformCustomerId: self }, 'bounced'],
    ['platformCustomerId is exact', { platformCustomerId: 'USER-1' }],
    ['accountIdentifier finds both sides', { accountIdentifier: account, type: 'INCOMING' }, 'salary'],
    ['a payment to itself is found once', { accountIdentifier: account, status: 'PENDING' }, 'swap'],
    ['a debited account sends', { senderAccountIdentifier: account }, 'rent', 'swap', 'coffee', 'shoes'],
    ['a credited account receives', { receiverAccountIdentifier: account }, 'salary', 'swap', 'voucher'],
    ['a UMA address matches without regard to case', { accountIdentifier: '$LANDLORD@bank.EXAMPLE' }, 'rent'],
    ['the masked sender of real-time funding is not searched', { accountIdentifier: '$ada@bank.example' }],
    ['REFUNDED also finds card transactions', { status: 'REFUNDED' }, 'shoes', 'bounced'],
    ['type leaves card transactions out', { type: 'INCOMING' }, 'salary', 'bounced'],
    ['reference is one to reconcile by, or to pay with', { reference: 'REF' }, 'salary', 'funding'],
    ['reference is exact', { reference: 'ref' }],
    ['the start is inclusive, at any offset', { startDate: '2025-10-13T08:00:00+02:00' }, 'voucher', 'bounced'],
    ['the start is exact to the nanosecond', { startDate: '2025-10-13T06:00:00.000000001Z' }, 'bounced'],
    ['the end is inclusive', { endDate: '2025-10-13T01:00:00Z' }, 'salary', 'rent'],
    ['an unknown id matches nothing', { customerId: `Customer:${UNKNOWN}` }],
    ["another platform's account matches nothing", { accountIdentifier: foreign.internal[0] ?? '' }],
    ["another platform's own id matches nothing", { customerId: foreign.owners[0]?.customerId ?? '' }],
    ['types finds card transactions too', { types: ['CARD'] }, 'coffee', 'shoes', 'voucher'],
    [
      'an empty list of types is as none',
      { types: [], itemTypes: [], direction: 'CREDIT' },
      'salary',
      'voucher',
      'bounced',
    ],
    ['type, types and itemTypes must all hold', { type: 'INCOMING', types: ['OUTGOING', 'CARD'], itemTypes: ['CARD'] }],
    ['statuses finds any of them', { statuses: ['AUTHORIZED', 'PENDING'] }, 'swap', 'coffee'],
    ['an empty list of statuses is as none', { statuses: [], reference: 'REF' }, 'salary', 'funding'],
    ['accountIdentifier finds nothing of a card', { accountIdentifier: `InternalAccount:${uuidOf(card)}` }],
    ['direction tells the effect on the account', { direction: 'CREDIT' }, 'salary', 'voucher', 'bounced'],
    ['agentId finds what the agent initiated', { agentId: agent }, 'rent'],
    ['agentId finds nothing of a card', { agentId: `Agent:${uuidOf(card)}` }],
    ['cardId finds what the card was used for', { cardId: card }, 'coffee', 'voucher'],
    ['cardId finds nothing of an agent', { cardId: `Card:${uuidOf(agent)}` }],
    ['currency is that of the headline amount', { currency: 'EUR' }, 'salary'],
    [
      'the bounds of the amount are inclusive',
      { currency: 'USD', minAmount: 450, maxAmount: 451 },
      'coffee',
      'shoes',
      'voucher',
    ],
    ['search finds the start of a description', { search: 'FLAT 7%' }, 'rent'],
    ['search finds the start of a merchant', { search: 'coffee b' }, 'coffee', 'shoes', 'voucher'],
    ['search finds the start of a counterparty', { search: 'ada l' }, 'salary'],
    ['search finds nothing in the middle of a text', { search: 'lovelace' }],
    ['a date alone begins at 00:00 in UTC', { startDate: '2025-10-14' }],
    [
      'a date alone ends with its day in UTC',
      { endDate: '2025-10-13', direction: 'CREDIT' },
      'salary',
      'voucher',
      'bounced',
    ],
  ])('%s', async (_sentence, filter, ...found) => {
    await ask(filter, ({ request, page, refusal }) => {
      const told = { found: page?.ids.map(nameOf), totalCount: page?.totalCount, refusal }
      expect(told, request).toEqual({ found, totalCount: found.length })
    })
  })

  it.each([
    ['a start after the end', 'startDate', { startDate: '2025-10-13T00:00:00.001Z', endDate: '2025-10-13T00:00:00Z' }],
    ['a day that there is not', 'endDate', { endDate: '2025-02-30' }],
    ['an amount without currency', 'currency', { minAmount: 1 }],
    ['an amount below zero', 'minAmount', { minAmount: -1, currency: 'USD' }],
    ['a least amount above the greatest', 'minAmount', { minAmount: 2, maxAmount: 1, currency: 'USD' }],
    ['a state of cards', 'status', { status: 'SETTLED' }],
    ['the type of cards', 'type', { type: 'CARD' }],
    ['an id of another kind', 'customerId', { customerId: `Agent:${UNKNOWN}` }],
    ['an account that is none', 'accountIdentifier', { accountIdentifier: ada }],
    ['an empty text', 'platformCustomerId', { platformCustomerId: '' }],
  ])('rejects %s', async (_what, field, filter) => {
    await ask(filter, ({ request, refusal }, { face }) => {
      const path = face === 'GraphQL' ? `filter.${field}` : field
      expect(refusal, request).toEqual({ status: 400, code: 'INVALID_INPUT', field: path })
    })
  })
})

it.each(['sortOrder: null', 'filter: null, sortOrder: null'])('%s counts as absent', async (args) => {
  const read = (given: string) =>
    askGraphQL(cast.platform, `{ transactions${given} { nodes { ... on TransactionNode { id } } } }`)
  const { data } = await read(`(${args})`)
  expect(data).toEqual((await read('')).data)
  expect(data).toHaveProperty('transactions')
})

const world = await createCast()
const strangers = await createCast()
const sample = (of: Cast, seed: number) => fc.sample(itemIn(of), { seed, numRuns: 400 })
const items = sample(world, SEED)
await createTransactions(strangers.platform, sample(strangers, SEED + 1).map(rowOf))
await createTransactions(world.platform, items.slice(200).map(rowOf))
await db.$queryRaw`SELECT fold_transaction_counts()`
await createTransactions(world.platform, items.slice(0, 200).map(rowOf))

const PARENTS: Record<string, readonly string[]> = {
  'Customer.transactions': world.owners.slice(1).map(({ customerId }) => customerId),
  'InternalAccount.transactions': world.internal,
  'ExternalAccount.transactions': world.external,
  'Agent.transactions': world.agents,
  'Card.transactions': world.cards,
}

describe('random filters', () => {
  const question = (list: PagedList) =>
    fc.constantFrom(...(PARENTS[list.name] ?? [''])).chain((parent) =>
      fc.constantFrom(...items.filter((item) => admits(listOf(parent), item))).chain((item) => {
        const conditions = conditionsNear(item, world, strangers)
        const names = Object.keys(conditions).filter((name) => list.face === 'GraphQL' || !EXTENSIONS.includes(name))
        // Whole months and days, or all time, are counted without reading rows if the filter has nothing else.
        const counted = names.filter((name) => COUNTED.includes(name))
        const span = fc.subarray(counted, { maxLength: 2 }).map((some) => ['startDate', 'endDate', ...some])
        const condition = (name: string) => fc.option(conditions[name] ?? fc.constant(''), { freq: 20 })
        return fc.record({
          parent: fc.constant(parent),
          neighbours: fc.subarray((PARENTS[list.name] ?? []).filter((other) => other !== parent)),
          filter: fc
            .oneof(fc.subarray(names, { minLength: 1, maxLength: 5 }), span)
            // An amount without its currency is refused.
            .map((some) => (some.some((name) => name.endsWith('Amount')) ? [...new Set([...some, 'currency'])] : some))
            .chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, condition(name)])))),
          sortOrder: fc.constantFrom('ASC' as const, 'DESC' as const),
          size: fc.constantFrom(1, 7, 40, 100),
          backward: list.face === 'GraphQL' ? fc.boolean() : fc.constant(false),
        })
      }),
    )

  const given = (filter: Filter, name: string) => filter?.[name] ?? null

  /** Which condition is refused, if any. */
  const refusedIn = (filter: Filter) => {
    if (startsAfterEnd(filter)) return 'startDate'
    const [least, most] = [given(filter, 'minAmount'), given(filter, 'maxAmount')]
    if ((least ?? most) !== null && given(filter, 'currency') === null) return 'currency'
    return least !== null && most !== null && least > most ? 'minAmount' : null
  }

  const startsAfterEnd = (filter: Filter) =>
    filter?.['startDate'] && filter['endDate'] && nanosOf(`${filter['startDate']}`) > nanosOf(`${filter['endDate']}`)

  const matchingIn = (parent: string, { filter, sortOrder }: Pick<Question, 'filter' | 'sortOrder'>) =>
    inOrder(
      items.filter((item) => admits(listOf(parent), item) && admits(filter, item)),
      sortOrder,
    )

  /** Reads up to two pages, the first together with that of the neighbours. Returns the number of matching items. */
  const compare = async (list: PagedList, { parent, neighbours, ...window }: Question) => {
    const read = async (parents: readonly string[], cursor?: string) =>
      (await list.read(world.platform, parents, { ...window, ...(cursor && { cursor }) })) as [Answer, ...Answer[]]
    const [first, ...others] = await read([parent, ...neighbours])
    let { request, page, refusal } = first
    const refused = refusedIn(window.filter)
    if (refused) {
      const field = list.face === 'GraphQL' ? `filter.${refused}` : refused
      expect(refusal, request).toEqual({ status: 400, code: 'INVALID_INPUT', field })
      return 0
    }
    const ofNeighbours = neighbours.map((neighbour) => {
      const wanted = matchingIn(neighbour, window)
      const ids = window.backward ? wanted.slice(-window.size) : wanted.slice(0, window.size)
      return { ids, totalCount: wanted.length }
    })
    expect(
      others.map((other) => ({ ids: other.page?.ids, totalCount: other.page?.totalCount })),
      request,
    ).toEqual(ofNeighbours)
    const wanted = matchingIn(parent, window)
    const pages = page ? [page] : []
    if (page?.next) {
      ;[{ page, refusal }] = await read([parent], page.next)
      if (page) pages.push(page)
    }
    const met = pages.length * window.size
    const expected = window.backward ? wanted.slice(-met) : wanted.slice(0, met)
    const actual = (window.backward ? pages.toReversed() : pages).flatMap(({ ids }) => ids)
    const counts = [...new Set(pages.map(({ totalCount }) => totalCount))]
    const told = { refusal, counts, isAtEnd: page?.next === null }
    const right = { counts: [wanted.length], isAtEnd: met >= wanted.length }
    if (JSON.stringify([actual, told]) === JSON.stringify([expected, right])) return wanted.length
    const missing = expected.filter((id) => !actual.includes(id))
    const surplus = actual.filter((id) => !expected.includes(id))
    const difference = { ...window, parent, missing, surplus, told, right, expected, actual }
    throw new Error(`SEED=${SEED}\n${request}\n${JSON.stringify(difference, null, 2)}`)
  }
  type Question = typeof question extends (list: PagedList) => fc.Arbitrary<infer T> ? T : never

  const runs = { 'Query.transactions': 4 * RUNS, 'GET /transactions': 3 * RUNS }
  it.each(pagedLists.filter(({ name }) => name === 'GET /transactions' || name.endsWith('.transactions')))(
    'find in $name what they find in an array',
    { timeout: 3_600_000 },
    async (list) => {
      const counts: number[] = []
      const property = fc.asyncProperty(question(list), async (asked) => {
        counts.push(await compare(list, asked))
      })
      const numRuns = runs[list.name as keyof typeof runs] ?? RUNS
      await fc.assert(property, { seed: SEED, numRuns, includeErrorInReport: true })
      expect(counts.filter(Boolean).length, `SEED=${SEED}: too few filters match anything`).toBeGreaterThan(numRuns / 3)
    },
  )
})
