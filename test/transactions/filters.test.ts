// The filters of transaction lists (docs/domain/transactions.md#filters): examples of each, and random ones checked against plain
// arrays.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { type Answer, type Filter, inOrder, type PagedList, pagedLists } from '#test/setup/connection.ts'
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
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const DAY = 86_400_000
const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

const ADDRESSES = ['$ada@bank.example', '$Ada@Bank.Example', '$GRACE+x@bank.example:8080', '$joan.c_l-a@x.example']
const FUNDING = { sourceType: 'REALTIME_FUNDING', sourceFunding: { accountIdentifier: '$ada@bank.example' } } as const
const instructionsWith = (reference: string | null) =>
  // The reference may be in any of the alternatives.
  [{ accountType: 'EMBEDDED_WALLET' }, { accountType: 'USD_ACCOUNT', ...(reference !== null && { reference }) }].map(
    (accountOrWalletInfo) => ({ accountOrWalletInfo }),
  )

// ── Examples ──

const cast = await createCast()
const foreign = await createCast()
const [self = '', ada = ''] = cast.owners.map(({ customerId }) => customerId)
const [account = '', other = ''] = cast.internal
const [bank = ''] = cast.external
const [agent = ''] = cast.agents

const own = { customerId: uuidOf(ada), platformCustomerId: 'user-1' }
const swipe = { ...own, sourceInternalAccountId: uuidOf(account) }
const named = {
  salary: incoming({ ...own, ...paidFrom(bank), ...paidTo(account), reconciliationReference: 'REF' }),
  rent: outgoing({ ...own, ...paidFrom(account), ...paidTo('$Landlord@Bank.Example'), agentId: uuidOf(agent) }),
  funding: outgoing({ ...own, ...FUNDING, ...paidTo(other), paymentInstructions: instructionsWith('REF') }),
  swap: outgoing({ ...own, ...paidFrom(account), ...paidTo(account), status: 'PENDING' }),
  coffee: cardUse(swipe),
  shoes: cardUse({ ...swipe, status: 'REFUNDED' }),
  voucher: cardCredit({ ...own, destinationInternalAccountId: uuidOf(account) }),
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
    ['itemTypes finds card transactions too', { itemTypes: ['CARD'] }, 'coffee', 'shoes', 'voucher'],
    ['an empty list of types matches nothing', { itemTypes: [] }],
    ['type and itemTypes must both hold', { type: 'INCOMING', itemTypes: ['OUTGOING', 'CARD'] }],
    ['statuses finds any of them', { statuses: ['AUTHORIZED', 'PENDING'] }, 'swap', 'coffee'],
    ['an empty list of statuses matches nothing', { statuses: [] }],
    ['direction tells the effect on the account', { direction: 'CREDIT' }, 'salary', 'voucher', 'bounced'],
    ['agentId finds what the agent initiated', { agentId: agent }, 'rent'],
  ])('%s', async (_sentence, filter, ...found) => {
    await ask(filter, ({ request, page, refusal }) => {
      const told = { found: page?.ids.map(nameOf), totalCount: page?.totalCount, refusal }
      expect(told, request).toEqual({ found, totalCount: found.length })
    })
  })

  it.each([
    ['a start after the end', 'startDate', { startDate: '2025-10-13T00:00:00.001Z', endDate: '2025-10-13T00:00:00Z' }],
    ['a date without time', 'endDate', { endDate: '2025-10-13' }],
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

// ── The oracle ──

const STATUSES = {
  INCOMING: ['CREATED', 'PENDING', 'PROCESSING', 'COMPLETED', 'REJECTED', 'FAILED', 'REFUNDED', 'EXPIRED'],
  OUTGOING: ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'],
  CARD: ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION'],
} as const

interface Item {
  readonly id: string
  readonly type: keyof typeof STATUSES
  readonly status: (typeof STATUSES)[keyof typeof STATUSES][number]
  readonly direction: 'CREDIT' | 'DEBIT'
  readonly createdAt: Date
  readonly owner: { readonly customerId: string; readonly platformCustomerId: string }
  /** An account id or a UMA address. Null for real-time funding and for cards. */
  readonly source: string | null
  readonly destination: string | null
  readonly cardAccount: string | null
  readonly agentId: string | null
  readonly reference: string | null
  readonly instructed: string | null
}

const isSame = (wanted: string, actual: string | null) =>
  wanted.startsWith('$') ? wanted.toLowerCase() === actual?.toLowerCase() : wanted === actual
const senderOf = ({ type, direction, cardAccount, source }: Item) =>
  type === 'CARD' ? (direction === 'DEBIT' ? cardAccount : null) : source
const receiverOf = ({ type, direction, cardAccount, destination }: Item) =>
  type === 'CARD' ? (direction === 'CREDIT' ? cardAccount : null) : destination

/** Exact for any number of digits. */
const nanosOf = (instant: string) => {
  const [, seconds = '', fraction = '', zone = ''] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(instant) ?? []
  return BigInt(Date.parse(seconds + zone)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}
const createdNanos = ({ createdAt }: Item) => BigInt(createdAt.getTime()) * 1_000_000n

/** docs/domain/transactions.md#filters, rule by rule, and the extensions. Lists are given as `many`. */
const ORACLE: Record<string, (item: Item, wanted: string, many: readonly string[]) => boolean> = {
  customerId: ({ owner }, wanted) => owner.customerId === wanted,
  platformCustomerId: ({ owner }, wanted) => owner.platformCustomerId === wanted,
  senderAccountIdentifier: (item, wanted) => isSame(wanted, senderOf(item)),
  receiverAccountIdentifier: (item, wanted) => isSame(wanted, receiverOf(item)),
  accountIdentifier: (item, wanted) => isSame(wanted, senderOf(item)) || isSame(wanted, receiverOf(item)),
  status: ({ status }, wanted) => status === wanted,
  type: ({ type }, wanted) => type === wanted,
  reference: ({ reference, instructed }, wanted) => reference === wanted || instructed === wanted,
  startDate: (item, wanted) => createdNanos(item) >= nanosOf(wanted),
  endDate: (item, wanted) => createdNanos(item) <= nanosOf(wanted),
  itemTypes: ({ type }, _wanted, many) => many.includes(type),
  statuses: ({ status }, _wanted, many) => many.includes(status),
  direction: ({ direction }, wanted) => direction === wanted,
  agentId: ({ agentId }, wanted) => agentId === wanted,
}
const EXTENSIONS = ['itemTypes', 'statuses', 'direction', 'agentId']
const COUNTED = ['customerId', 'type', 'status', 'itemTypes', 'statuses', 'direction']

const admits = (filter: Filter, item: Item) =>
  Object.entries(filter ?? {}).every(
    ([name, value]) => value === null || ORACLE[name]?.(item, `${value}`, [value].flat()),
  )

/** The platform filter that corresponds to a parent's list. */
const CONDITION_OF: Record<string, string> = {
  Customer: 'customerId',
  InternalAccount: 'accountIdentifier',
  ExternalAccount: 'accountIdentifier',
  Agent: 'agentId',
}
const listOf = (parent: string): Filter =>
  parent ? { [CONDITION_OF[parent.split(':')[0] ?? ''] ?? '']: parent } : null

// ── Random transactions ──

const REFERENCES = ['INV-1', 'inv-1', "O'Hara 100% ü", 'A2B3C4D5E6F7']

/** Drawn from few values so that they often match, with times at the edges of UTC days. */
const itemIn = ({ owners, internal, external, agents }: Cast): fc.Arbitrary<Item> => {
  const parties = [...internal, ...external, ...ADDRESSES]
  const clock = fc.tuple(fc.nat(4), fc.constantFrom(-1, 0, 1, DAY / 2, DAY / 2 + 1))
  return fc
    .record({
      uuid: fc.noBias(fc.uuid()),
      type: fc.constantFrom('INCOMING', 'OUTGOING', 'CARD'),
      state: fc.nat(119),
      direction: fc.constantFrom('CREDIT', 'DEBIT'),
      createdAt: clock.map(([day, offset]) => new Date(Date.UTC(2025, 9, 13 + day) + offset)),
      owner: fc.constantFrom(...owners),
      source: fc.constantFrom(null, ...parties),
      destination: fc.constantFrom(...parties),
      cardAccount: fc.constantFrom(...internal),
      agentId: fc.option(fc.constantFrom(...agents)),
      reference: fc.option(fc.constantFrom(...REFERENCES)),
      instructed: fc.option(fc.constantFrom(...REFERENCES)),
    })
    .map(({ uuid, state, ...item }) => {
      const status = STATUSES[item.type][state % STATUSES[item.type].length] ?? 'COMPLETED'
      if (item.type === 'CARD') return { ...item, status, id: publicId('CardTransaction', uuid), ...NO_PAYMENT }
      const reference = status === 'CREATED' ? null : item.reference
      const instructed = item.type === 'OUTGOING' ? item.instructed : null
      return { ...item, status, id: publicId('Transaction', uuid), cardAccount: null, reference, instructed }
    })
}
const NO_PAYMENT = { source: null, destination: null, agentId: null, reference: null, instructed: null }

const UNTOLD = { sourceType: null, sourceUmaAddress: null }

const rowOf = ({ owner, type, status, direction, source, destination, instructed, ...item }: Item) => {
  const isPlatforms = owner.customerId.startsWith('PlatformConfig')
  const shared = {
    id: uuidOf(item.id),
    status,
    createdAt: item.createdAt,
    customerId: isPlatforms ? null : uuidOf(owner.customerId),
    platformCustomerId: isPlatforms ? null : owner.platformCustomerId,
  }
  const account = uuidOf(item.cardAccount ?? '')
  if (type === 'CARD' && direction === 'DEBIT') return cardUse({ ...shared, sourceInternalAccountId: account })
  if (type === 'CARD') return cardCredit({ ...shared, destinationInternalAccountId: account })
  const payment = {
    ...shared,
    ...paidTo(destination ?? ''),
    direction,
    agentId: item.agentId && uuidOf(item.agentId),
    reconciliationReference: item.reference,
    failureReason: status === 'FAILED' ? ('QUOTE_EXPIRED' as const) : null,
  }
  if (type === 'INCOMING') return incoming({ ...payment, ...(source === null ? UNTOLD : paidFrom(source)) })
  return outgoing({
    ...payment,
    ...(source === null ? FUNDING : paidFrom(source)),
    paymentInstructions: instructionsWith(instructed),
  })
}

// ── Random filters ──

/** Usually the value itself, otherwise one of the others. */
const near = <T>(value: T | null, ...others: readonly T[]): fc.Arbitrary<T> =>
  value === null
    ? fc.constantFrom(...others)
    : fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const subset = (...labels: readonly string[]) => fc.subarray([...labels])

/** A time some days away with any offset, and as many digits as the fraction adds to the milliseconds. */
const instantFrom = (time: Date, days: number, ...fractions: readonly string[]) =>
  fc
    .tuple(
      fc.tuple(fc.nat(3), near(0, -1, 1, -DAY, DAY)).map(([n, more]) => time.getTime() + n * days * DAY + more),
      fc.constantFrom('', '000', '000000', '001', '999', ...fractions),
      fc.constantFrom(['Z', 0] as const, ['+02:00', 120] as const, ['-05:30', -330] as const),
    )
    .map(([at, digits, [zone, minutes]]) => new Date(at + minutes * 60_000).toISOString().replace('Z', digits + zone))

/** Values of the item or of another one, values of another platform, and unknown values. */
const conditionsNear = (item: Item, cast: Cast, foreign: Cast): Record<string, fc.Arbitrary<string | string[]>> => {
  const all = [cast, foreign]
  const accounts = all.flatMap(({ internal, external }) => [...internal, ...external])
  const parties = [
    ...accounts,
    ...ADDRESSES,
    `InternalAccount:${UNKNOWN}`,
    `ExternalAccount:${UNKNOWN}`,
    '$no@x.example',
  ]
  const party = (own: string | null) =>
    near(own, ...parties).chain((text) => (text.startsWith('$') ? fc.mixedCase(fc.constant(text)) : fc.constant(text)))
  const owners = [
    ...all.flatMap((each) => each.owners),
    { customerId: `Customer:${UNKNOWN}`, platformCustomerId: 'nobody' },
  ]
  const payments = [...STATUSES.INCOMING, 'PENDING_AUTHORIZATION']
  return {
    customerId: near(item.owner, ...owners).map(({ customerId }) => customerId),
    platformCustomerId: near(item.owner, ...owners).map(({ platformCustomerId }) => platformCustomerId),
    accountIdentifier: fc.boolean().chain((isSender) => party(isSender ? senderOf(item) : receiverOf(item))),
    senderAccountIdentifier: party(senderOf(item)),
    receiverAccountIdentifier: party(receiverOf(item)),
    status: near(item.type === 'CARD' && item.status !== 'REFUNDED' ? null : item.status, ...payments),
    type: near(item.type === 'CARD' ? null : item.type, 'INCOMING', 'OUTGOING'),
    reference: near(item.reference ?? item.instructed, ...REFERENCES, 'INV', 'nothing'),
    startDate: instantFrom(item.createdAt, -1, '000001'),
    endDate: instantFrom(item.createdAt, 1, '999999'),
    itemTypes: subset('INCOMING', 'OUTGOING', 'CARD'),
    statuses: subset(...Object.values(STATUSES).flat()),
    direction: near(item.direction, 'CREDIT', 'DEBIT'),
    agentId: near(item.agentId, ...all.flatMap(({ agents }) => agents), `Agent:${UNKNOWN}`),
  }
}

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
}

describe('random filters', () => {
  const question = (list: PagedList) =>
    fc.constantFrom(...(PARENTS[list.name] ?? [''])).chain((parent) =>
      fc.constantFrom(...items.filter((item) => admits(listOf(parent), item))).chain((item) => {
        const conditions = conditionsNear(item, world, strangers)
        const names = Object.keys(conditions).filter((name) => list.face === 'GraphQL' || !EXTENSIONS.includes(name))
        // Whole days are counted without reading rows if the filter has nothing else.
        const counted = names.filter((name) => COUNTED.includes(name))
        const span = fc.subarray(counted, { maxLength: 2 }).map((some) => ['startDate', 'endDate', ...some])
        const condition = (name: string) => fc.option(conditions[name] ?? fc.constant(''), { freq: 20 })
        return fc.record({
          parent: fc.constant(parent),
          filter: fc
            .oneof(fc.subarray(names, { minLength: 1, maxLength: 5 }), span)
            .chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, condition(name)])))),
          sortOrder: fc.constantFrom('ASC' as const, 'DESC' as const),
          size: fc.constantFrom(1, 7, 40, 100),
          backward: list.face === 'GraphQL' ? fc.boolean() : fc.constant(false),
        })
      }),
    )

  const startsAfterEnd = (filter: Filter) =>
    filter?.['startDate'] && filter['endDate'] && nanosOf(`${filter['startDate']}`) > nanosOf(`${filter['endDate']}`)

  /** Reads up to two pages. Returns the number of matching items. */
  const compare = async (list: PagedList, { parent, ...window }: Question) => {
    const read = async (cursor?: string) =>
      (await list.read(world.platform, [parent], { ...window, ...(cursor && { cursor }) }))[0] as Answer
    let { request, page, refusal } = await read()
    if (startsAfterEnd(window.filter)) {
      const field = list.face === 'GraphQL' ? 'filter.startDate' : 'startDate'
      expect(refusal, request).toEqual({ status: 400, code: 'INVALID_INPUT', field })
      return 0
    }
    const matching = items.filter((item) => admits(listOf(parent), item) && admits(window.filter, item))
    const wanted = inOrder(matching, window.sortOrder)
    const pages = page ? [page] : []
    if (page?.next) {
      ;({ page, refusal } = await read(page.next))
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

  const runs = { 'Query.transactions': 800, 'GET /transactions': 600 }
  it.each(pagedLists.filter(({ name }) => !['Query.customers', 'Card.transactions'].includes(name)))(
    'find in $name what they find in a plain array',
    async (list) => {
      const counts: number[] = []
      const property = fc.asyncProperty(question(list), async (asked) => {
        counts.push(await compare(list, asked))
      })
      const numRuns = runs[list.name as keyof typeof runs] ?? 200
      await fc.assert(property, { seed: SEED, numRuns, includeErrorInReport: true })
      expect(counts.filter(Boolean).length, `SEED=${SEED}: too few filters match anything`).toBeGreaterThan(numRuns / 3)
    },
  )
})
