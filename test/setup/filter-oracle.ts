// The filters of transaction lists as plain functions, and transactions and questions at random to try them with (docs/domain/transactions.md#filters).
import fc from 'fast-check'
import { publicId } from '#core/ids.ts'
import type { Filter } from './connection.ts'
import { type Cast, cardCredit, cardUse, incoming, outgoing, paidFrom, paidTo } from './world.ts'

export const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const DAY = 86_400_000
export const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

const ADDRESSES = ['$ada@bank.example', '$Ada@Bank.Example', '$GRACE+x@bank.example:8080', '$joan.c_l-a@x.example']
export const FUNDING = {
  sourceType: 'REALTIME_FUNDING',
  sourceFunding: { accountIdentifier: '$ada@bank.example' },
} as const
export const instructionsWith = (reference: string | null) =>
  // The reference may stand in any of the alternatives.
  [{ accountType: 'EMBEDDED_WALLET' }, { accountType: 'USD_ACCOUNT', ...(reference !== null && { reference }) }].map(
    (accountOrWalletInfo) => ({ accountOrWalletInfo }),
  )

// ── The oracle ──

const STATUSES = {
  INCOMING: ['CREATED', 'PENDING', 'PROCESSING', 'COMPLETED', 'REJECTED', 'FAILED', 'REFUNDED', 'EXPIRED'],
  OUTGOING: ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'],
  CARD: ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION'],
} as const

export interface Item {
  readonly id: string
  readonly type: keyof typeof STATUSES
  readonly status: (typeof STATUSES)[keyof typeof STATUSES][number]
  readonly direction: 'CREDIT' | 'DEBIT'
  readonly createdAt: Date
  readonly owner: { readonly customerId: string; readonly platformCustomerId: string }
  /** An account id or a UMA address; null for real-time funding, and on cards. */
  readonly source: string | null
  readonly destination: string | null
  readonly cardAccount: string | null
  readonly agentId: string | null
  readonly reference: string | null
  readonly instructed: string | null
  readonly cardId: string | null
  readonly amount: number
  readonly currency: string
  readonly description: string | null
  readonly counterparty: string | null
  readonly merchant: string | null
}

const isSame = (wanted: string, actual: string | null) =>
  wanted.startsWith('$') ? wanted.toLowerCase() === actual?.toLowerCase() : wanted === actual
const senderOf = ({ type, direction, cardAccount, source }: Item) =>
  type === 'CARD' ? (direction === 'DEBIT' ? cardAccount : null) : source
const receiverOf = ({ type, direction, cardAccount, destination }: Item) =>
  type === 'CARD' ? (direction === 'CREDIT' ? cardAccount : null) : destination

/** Exact, whatever the number of digits. */
export const nanosOf = (instant: string) => {
  const [, seconds = '', fraction = '', zone = ''] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(instant) ?? []
  return BigInt(Date.parse(seconds + zone)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}
const createdNanos = ({ createdAt }: Item) => BigInt(createdAt.getTime()) * 1_000_000n

/** docs/domain/transactions.md#filters, line by line, and the extensions. Lists come as `many`. */
const ORACLE: Record<string, (item: Item, wanted: string, many: readonly string[]) => boolean> = {
  types: ({ type }, _wanted, many) => many.includes(type),
  cardId: ({ cardId }, wanted) => cardId === wanted,
  currency: ({ currency }, wanted) => currency === wanted,
  minAmount: ({ amount }, wanted) => amount >= Number(wanted),
  maxAmount: ({ amount }, wanted) => amount <= Number(wanted),
  search: ({ description, counterparty, merchant }, wanted) =>
    // An empty text counts as absent.
    wanted === '' ||
    [description, counterparty, merchant].some((text) => text?.toLowerCase().startsWith(wanted.toLowerCase())),
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
export const EXTENSIONS = [
  'types',
  'itemTypes',
  'statuses',
  'direction',
  'agentId',
  'cardId',
  'currency',
  'minAmount',
  'maxAmount',
  'search',
]
export const COUNTED = [
  'customerId',
  'accountIdentifier',
  'agentId',
  'cardId',
  'type',
  'status',
  'types',
  'itemTypes',
  'statuses',
  'direction',
  'currency',
]

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

export const admits = (filter: Filter, item: Item) =>
  Object.entries(filter ?? {}).every(
    ([name, value]) =>
      value === null || isEmptyList(value) || ORACLE[name]?.(item, `${value}`, [value].flat().map(String)),
  )

/** The filter that gives the same list as the parent. */
const CONDITION_OF: Record<string, string> = {
  Customer: 'customerId',
  InternalAccount: 'accountIdentifier',
  ExternalAccount: 'accountIdentifier',
  Agent: 'agentId',
  Card: 'cardId',
}
export const listOf = (parent: string): Filter =>
  parent ? { [CONDITION_OF[parent.split(':')[0] ?? ''] ?? '']: parent } : null

// ── Random transactions ──

/** What begins alike, in letters of either case, and with what `like` reads as a pattern. */
const TEXTS = ['Rent', 'rent for July', 'RENT_7', 'Rent 100%', 'Ada Lovelace', 'ada', '\\Müller', 'Ünal']
const REFERENCES = ['INV-1', 'inv-1', "O'Hara 100% ü", 'A2B3C4D5E6F7']

/** Few values, so that they often agree; times at the edges of days and months in UTC. */
export const itemIn = ({ owners, internal, external, agents, cards }: Cast): fc.Arbitrary<Item> => {
  const parties = [...internal, ...external, ...ADDRESSES]
  const clock = fc.tuple(fc.constantFrom(29, 30, 31, 61, 62), fc.constantFrom(-1, 0, 1, DAY / 2, DAY / 2 + 1))
  return fc
    .record({
      uuid: fc.noBias(fc.uuid()),
      type: fc.constantFrom('INCOMING', 'OUTGOING', 'CARD'),
      state: fc.nat(119),
      direction: fc.constantFrom('CREDIT', 'DEBIT'),
      createdAt: clock.map(([day, offset]) => new Date(Date.UTC(2025, 9, day) + offset)),
      owner: fc.constantFrom(...owners),
      source: fc.constantFrom(null, ...parties),
      destination: fc.constantFrom(...parties),
      cardAccount: fc.constantFrom(...internal),
      agentId: fc.option(fc.constantFrom(...agents)),
      reference: fc.option(fc.constantFrom(...REFERENCES)),
      instructed: fc.option(fc.constantFrom(...REFERENCES)),
      cardId: fc.option(fc.constantFrom(...cards)),
      amount: fc.constantFrom(0, 1, 450, 451, 1_000, 9e15),
      currency: fc.constantFrom('USD', 'EUR', 'JPY'),
      description: fc.option(fc.constantFrom(...TEXTS)),
      counterparty: fc.option(fc.constantFrom(...TEXTS)),
      merchant: fc.constantFrom(...TEXTS),
    })
    .map(({ uuid, state, ...item }) => {
      const status = STATUSES[item.type][state % STATUSES[item.type].length] ?? 'COMPLETED'
      if (item.type === 'CARD') return { ...item, status, id: publicId('CardTransaction', uuid), ...NO_PAYMENT }
      const reference = status === 'CREATED' ? null : item.reference
      const instructed = item.type === 'OUTGOING' ? item.instructed : null
      return { ...item, status, id: publicId('Transaction', uuid), ...NO_CARD, reference, instructed }
    })
}
const NO_CARD = { cardAccount: null, cardId: null, merchant: null }
const NO_PAYMENT = {
  source: null,
  destination: null,
  agentId: null,
  reference: null,
  instructed: null,
  description: null,
  counterparty: null,
}

const UNTOLD = { sourceType: null, sourceUmaAddress: null }

export const rowOf = ({ owner, type, status, direction, source, destination, instructed, ...item }: Item) => {
  const isPlatforms = owner.customerId.startsWith('PlatformConfig')
  const shared = {
    id: uuidOf(item.id),
    status,
    createdAt: item.createdAt,
    customerId: isPlatforms ? null : uuidOf(owner.customerId),
    platformCustomerId: isPlatforms ? null : owner.platformCustomerId,
  }
  const account = uuidOf(item.cardAccount ?? '')
  const [amount, currency] = [BigInt(item.amount), item.currency]
  const card = {
    ...shared,
    cardId: item.cardId && uuidOf(item.cardId),
    merchantDescriptor: item.merchant,
    authorizedAmount: amount,
    cardCurrency: currency,
  }
  if (type === 'CARD' && direction === 'DEBIT') return cardUse({ ...card, sourceInternalAccountId: account })
  if (type === 'CARD') return cardCredit({ ...card, destinationInternalAccountId: account })
  const payment = {
    ...shared,
    ...paidTo(destination ?? ''),
    direction,
    agentId: item.agentId && uuidOf(item.agentId),
    reconciliationReference: item.reference,
    description: item.description,
    ...(item.counterparty !== null && { counterpartyInformation: { FULL_NAME: item.counterparty } }),
    failureReason: status === 'FAILED' ? ('QUOTE_EXPIRED' as const) : null,
  }
  if (type === 'INCOMING')
    return incoming({
      ...payment,
      receivedAmount: amount,
      receivedCurrency: currency,
      ...(source === null ? UNTOLD : paidFrom(source)),
    })
  return outgoing({
    ...payment,
    sentAmount: amount,
    sentCurrency: currency,
    ...(source === null ? FUNDING : paidFrom(source)),
    paymentInstructions: instructionsWith(instructed),
  })
}

// ── Random questions ──

/** Mostly the value itself, otherwise one of the others. */
const near = <T>(value: T | null, ...others: readonly T[]): fc.Arbitrary<T> =>
  value === null
    ? fc.constantFrom(...others)
    : fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const subset = (...labels: readonly string[]) => fc.subarray([...labels])

/** Some days or a month away, with any offset, and as many digits as the fraction adds to the milliseconds. */
const instantFrom = (time: Date, days: number, ...fractions: readonly string[]) =>
  fc
    .tuple(
      fc
        .tuple(fc.constantFrom(0, 1, 2, 3, 33), near(0, -1, 1, -DAY, DAY))
        .map(([n, more]) => time.getTime() + n * days * DAY + more),
      fc.constantFrom('', '000', '000000', '001', '999', ...fractions),
      fc.constantFrom(['Z', 0] as const, ['+02:00', 120] as const, ['-05:30', -330] as const),
    )
    .map(([at, digits, [zone, minutes]]) => new Date(at + minutes * 60_000).toISOString().replace('Z', digits + zone))

/** Values that the item, or another, has; those of another platform; unknown ones. */
export const conditionsNear = (
  item: Item,
  cast: Cast,
  foreign: Cast,
): Record<string, fc.Arbitrary<string | number | string[]>> => {
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
    types: subset('INCOMING', 'OUTGOING', 'CARD'),
    itemTypes: subset('INCOMING', 'OUTGOING', 'CARD'),
    statuses: subset(...Object.values(STATUSES).flat()),
    direction: near(item.direction, 'CREDIT', 'DEBIT'),
    agentId: near(item.agentId, ...all.flatMap(({ agents }) => agents), `Agent:${UNKNOWN}`),
    cardId: near(item.cardId, ...all.flatMap(({ cards }) => cards), `Card:${UNKNOWN}`),
    currency: near(item.currency, 'USD', 'EUR', 'JPY', 'XXX'),
    minAmount: near(item.amount, 0, 1, 451, 1_001),
    maxAmount: near(item.amount, 0, 450, 9e15),
    search: near(item.description ?? item.counterparty ?? item.merchant, ...TEXTS, '%', '_', 'x')
      .chain((text) => fc.nat(text.length).map((length) => text.slice(0, length)))
      .chain((text) => fc.mixedCase(fc.constant(text))),
  }
}
