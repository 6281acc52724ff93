// Every paged list of both APIs in one form, so that all are tested alike.
import { publicId } from '#core/ids.ts'
import { graphql } from '../gql/index.ts'
import { ask, type Credentials, type GraphQLAnswer, rest } from './faces.ts'
import {
  cardCredit,
  cardUse,
  createAgent,
  createCard,
  createCustomer,
  createCustomers,
  createExternalAccount,
  createInternalAccount,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
  paidFrom,
  paidTo,
} from './world.ts'

export type SortOrder = 'ASC' | 'DESC'

export interface Window {
  readonly size?: number
  readonly cursor?: string | null
  readonly backward?: boolean
  readonly sortOrder?: SortOrder
  readonly filter?: Filter
}

export type Filter = Readonly<Record<string, string | readonly string[] | null>> | null

/** A page, or the reason why there is none. `request` is for messages. */
export type Answer = { readonly request: string } & (
  | { readonly page: Page; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly page?: never }
)

export interface Page {
  readonly ids: readonly string[]
  readonly totalCount: number | null
  /** The cursor of the next page, or null at the end. */
  readonly next: string | null
  /** The response as GraphQL returned it. */
  readonly connection?: ConnectionBody
}

export interface Refusal {
  readonly status: number
  readonly code: string
  readonly field: string | undefined
}

interface ConnectionBody {
  readonly totalCount: number | null
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
  readonly nodes: readonly { readonly id: string }[]
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[]
}

export interface Item {
  readonly id: string
  readonly createdAt: Date
  /** Whether it matches the list's filter. */
  readonly isAdmitted?: boolean
}

/** Items in the list of `parent`. A list of the whole platform has none. */
export interface Given {
  readonly parent: string
  readonly items: readonly Item[]
}

export interface PagedList {
  readonly name: string
  readonly face: 'GraphQL' | 'REST'
  /** Whether each parent has its own list. */
  readonly isNested: boolean
  /** A filter that matches some items, other filters, and ways to write the first with nulls. */
  readonly filters: {
    readonly one: Filter
    readonly others: readonly Filter[]
    readonly same: readonly Filter[]
  } | null
  readonly create: (platform: Platform, times: readonly Date[]) => Promise<Given>
  /** A page of each parent's list, in one request. */
  readonly read: (caller: Credentials, parents: readonly string[], window: Window) => Promise<Answer[]>
}

graphql(/* GraphQL */ `
  fragment TransactionPage on TransactionConnection {
    totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes { ... on TransactionNode { id } }
    edges { cursor node { ... on TransactionNode { id } } }
  }
`)

const TransactionPages = graphql(/* GraphQL */ `
  query TransactionPages($filter: TransactionFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
    transactions(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) {
      ...TransactionPage
    }
  }
`)

const CustomerPages = graphql(/* GraphQL */ `
  query CustomerPages($filter: CustomerFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
    customers(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { id }
      edges { cursor node { id } }
    }
  }
`)

const PagesOfParents = graphql(/* GraphQL */ `
  query PagesOfParents($parents: [ID!]!, $filter: TransactionFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
    nodes(ids: $parents) {
      ... on Customer {
        transactions(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) { ...TransactionPage }
      }
      ... on InternalAccount {
        transactions(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) { ...TransactionPage }
      }
      ... on ExternalAccount {
        transactions(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) { ...TransactionPage }
      }
      ... on Agent {
        transactions(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) { ...TransactionPage }
      }
      ... on Card {
        transactions(first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) {
          totalCount
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
          nodes { id }
          edges { cursor node { id } }
        }
      }
    }
  }
`)

export const argumentsOf = ({ size, cursor, backward, sortOrder, filter }: Window) => ({
  ...(filter !== undefined && { filter: filter as object }),
  ...(sortOrder && { sortOrder }),
  ...(size !== undefined && { [backward ? 'last' : 'first']: size }),
  ...(cursor !== undefined && { [backward ? 'before' : 'after']: cursor }),
})

export const answerOf = (
  asked: { document: unknown; variables: object; backward: boolean | undefined },
  { errors = [] }: GraphQLAnswer<unknown>,
  path: readonly (string | number)[],
  connection: ConnectionBody | null | undefined,
): Answer => {
  const request = `${asked.document}\n${JSON.stringify(asked.variables)}`
  const error = errors.find((candidate) => !candidate.path || candidate.path.join() === path.join())
  if (error) {
    const { status, code, details } = error.extensions
    return { request, refusal: { status, code, field: details?.field } }
  }
  if (!connection)
    throw new Error(`${request}\nneither returns nor refuses ${path.join('.')}: ${JSON.stringify(errors)}`)
  const { nodes, totalCount, pageInfo } = connection
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo
  const hasMore = asked.backward ? hasPreviousPage : hasNextPage
  const next = hasMore ? (asked.backward ? startCursor : endCursor) : null
  return { request, page: { ids: nodes.map(({ id }) => id), totalCount, next, connection } }
}

const readTransactions: PagedList['read'] = async (caller, _parents, window) => {
  const asked = { document: TransactionPages, variables: argumentsOf(window), backward: window.backward }
  const answer = await ask(caller, TransactionPages, asked.variables)
  return [answerOf(asked, answer, ['transactions'], answer.data?.transactions)]
}

const readCustomers: PagedList['read'] = async (caller, _parents, window) => {
  const asked = { document: CustomerPages, variables: argumentsOf(window), backward: window.backward }
  const answer = await ask(caller, CustomerPages, asked.variables)
  return [answerOf(asked, answer, ['customers'], answer.data?.customers)]
}

const readOfParents: PagedList['read'] = async (caller, parents, window) => {
  const asked = {
    document: PagesOfParents,
    variables: { parents: [...parents], ...argumentsOf(window) },
    backward: window.backward,
  }
  const answer = await ask(caller, PagesOfParents, asked.variables)
  return parents.map((_, index) => {
    const parent = answer.data?.nodes?.[index]
    const connection = parent && 'transactions' in parent ? parent.transactions : null
    return answerOf(asked, answer, ['nodes', index, 'transactions'], connection)
  })
}

interface RestPage {
  readonly data: readonly { readonly id: string }[]
  readonly hasMore: boolean
  readonly nextCursor?: string
  readonly totalCount: number
}

interface RestError {
  readonly status: number
  readonly code: string
  readonly details?: { readonly field?: string }
}

const readOverRest: PagedList['read'] = async (caller, _parents, { size, cursor, sortOrder, filter }) => {
  const query = new URLSearchParams()
  const parameters = { limit: size?.toString(), cursor, sortOrder: sortOrder?.toLowerCase(), ...filter }
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) query.set(name, `${value}`)
  }
  const request = `/transactions?${query}`
  const { status, body } = await rest<RestPage | RestError>(caller, request)
  if ('code' in body) return [{ request, refusal: { status, code: body.code, field: body.details?.field } }]
  const { data, hasMore, nextCursor = null, totalCount } = body
  if (hasMore !== (nextCursor !== null)) throw new Error(`GET ${request}: hasMore ${hasMore}, nextCursor ${nextCursor}`)
  return [{ request, page: { ids: data.map(({ id }) => id), totalCount, next: nextCursor } }]
}

type Row = ReturnType<typeof incoming>

/** Transactions of every type in turn, one for each time. */
const transactionsAt = async (platform: Platform, times: readonly Date[], forms: readonly Row[]): Promise<Item[]> => {
  const rows = times.map((createdAt, index) => ({ ...forms[index % forms.length], createdAt }))
  return (await createTransactions(platform, rows)).map(({ id, type }, index) => ({
    id: publicId(type === 'CARD' ? 'CardTransaction' : 'Transaction', id),
    createdAt: times[index] ?? new Date(),
    isAdmitted: type === 'INCOMING',
  }))
}

const createOfPlatform: PagedList['create'] = async (platform, times) => {
  const { id } = await createInternalAccount(platform)
  const forms = [incoming(), outgoing(), cardUse({ sourceInternalAccountId: id })]
  return { parent: '', items: await transactionsAt(platform, times, forms) }
}

const createCustomersAt: PagedList['create'] = async (platform, times) => {
  const rows = times.map((createdAt, index) => ({
    createdAt,
    customerType: index % 3 === 0 ? ('BUSINESS' as const) : ('INDIVIDUAL' as const),
  }))
  await createCustomer(platform, { isDeleted: true, createdAt: times[0] ?? new Date() })
  const customers = await createCustomers(platform, rows)
  const items = customers.map(({ id, customerType }, index) => ({
    id: publicId('Customer', id),
    createdAt: times[index] ?? new Date(),
    isAdmitted: customerType === 'BUSINESS',
  }))
  return { parent: '', items }
}

const createOfCustomer: PagedList['create'] = async (platform, times) => {
  const { id, platformCustomerId } = await createCustomer(platform)
  const account = await createInternalAccount(platform, { customerId: id })
  const own = { customerId: id, platformCustomerId }
  const forms = [incoming(own), cardUse({ ...own, sourceInternalAccountId: account.id }), outgoing(own)]
  return { parent: publicId('Customer', id), items: await transactionsAt(platform, times, forms) }
}

/** Incoming and outgoing payments, a payment from the account to itself, and both directions of a card. */
const createOfInternalAccount: PagedList['create'] = async (platform, times) => {
  const { id } = await createInternalAccount(platform)
  const parent = publicId('InternalAccount', id)
  const forms = [
    incoming(paidTo(parent)),
    outgoing(paidFrom(parent)),
    outgoing({ ...paidFrom(parent), ...paidTo(parent) }),
    cardUse({ sourceInternalAccountId: id }),
    cardCredit({ destinationInternalAccountId: id }),
    incoming({ ...paidFrom(parent), ...paidTo(parent) }),
  ]
  return { parent, items: await transactionsAt(platform, times, forms) }
}

const createOfExternalAccount: PagedList['create'] = async (platform, times) => {
  const { id } = await createExternalAccount(platform)
  const parent = publicId('ExternalAccount', id)
  const itself = outgoing({ ...paidFrom(parent), ...paidTo(parent) })
  const forms = [incoming(paidFrom(parent)), outgoing(paidTo(parent)), itself]
  return { parent, items: await transactionsAt(platform, times, forms) }
}

const createOfAgent: PagedList['create'] = async (platform, times) => {
  const customer = await createCustomer(platform)
  const { id: agentId } = await createAgent(platform, { customerId: customer.id })
  const items = await transactionsAt(platform, times, [outgoing({ agentId }), incoming({ agentId })])
  return { parent: publicId('Agent', agentId), items }
}

const createOfCard: PagedList['create'] = async (platform, times) => {
  const { id: customerId } = await createCustomer(platform)
  const { id: accountId } = await createInternalAccount(platform, { customerId })
  const { id: cardId } = await createCard(platform, { customerId, accountId })
  const forms = [
    cardUse({ cardId, sourceInternalAccountId: accountId }),
    cardCredit({ cardId, destinationInternalAccountId: accountId }),
  ]
  return { parent: publicId('Card', cardId), items: await transactionsAt(platform, times, forms) }
}

const byType: PagedList['filters'] = {
  one: { type: 'INCOMING' },
  others: [null, { type: 'OUTGOING' }, { type: 'INCOMING', status: 'COMPLETED' }],
  same: [{ type: 'INCOMING', status: null, customerId: null }],
}
const byCustomerType: PagedList['filters'] = {
  one: { customerType: 'BUSINESS' },
  others: [null, { customerType: 'INDIVIDUAL' }, { customerType: 'BUSINESS', search: 'a' }],
  same: [{ customerType: 'BUSINESS', search: null, umaAddress: null }],
}
const ofPlatform = { face: 'GraphQL', isNested: false } as const
const ofParents = { face: 'GraphQL', isNested: true, filters: byType, read: readOfParents } as const

export const pagedLists: readonly PagedList[] = [
  { name: 'Query.transactions', ...ofPlatform, filters: byType, create: createOfPlatform, read: readTransactions },
  { name: 'Query.customers', ...ofPlatform, filters: byCustomerType, create: createCustomersAt, read: readCustomers },
  { name: 'Customer.transactions', ...ofParents, create: createOfCustomer },
  { name: 'InternalAccount.transactions', ...ofParents, create: createOfInternalAccount },
  { name: 'ExternalAccount.transactions', ...ofParents, create: createOfExternalAccount },
  { name: 'Agent.transactions', ...ofParents, create: createOfAgent },
  { name: 'Card.transactions', ...ofParents, filters: null, create: createOfCard },
  {
    name: 'GET /transactions',
    face: 'REST',
    isNested: false,
    filters: byType,
    create: createOfPlatform,
    read: readOverRest,
  },
]

/** The page of one list. Throws if it was refused. */
export const pageOf = async (list: PagedList, caller: Credentials, { parent }: Given, window: Window) => {
  const [answer] = await list.read(caller, [parent], window)
  if (!answer?.page) throw new Error(`${answer?.request}\nis refused: ${JSON.stringify(answer?.refusal)}`)
  return { ...answer.page, request: answer.request }
}

/** Reads page after page to the end. */
export const walk = async (list: PagedList, caller: Credentials, given: Given, window: Window) => {
  const pages = [await pageOf(list, caller, given, window)]
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) {
    pages.push(await pageOf(list, caller, given, { ...window, cursor: next }))
    if (pages.length > 1000) throw new Error(`${list.name} does not end: ${JSON.stringify(window)}`)
  }
  return pages
}

/** By time, then by UUID. */
export const inOrder = (items: readonly Item[], sortOrder: SortOrder): string[] => {
  const uuidOf = ({ id }: Item) => id.slice(id.indexOf(':'))
  const ascending = items.toSorted(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (uuidOf(a) < uuidOf(b) ? -1 : 1),
  )
  return (sortOrder === 'ASC' ? ascending : ascending.reverse()).map(({ id }) => id)
}
