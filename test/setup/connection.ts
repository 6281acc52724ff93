// Reads every paged list of both faces in one form, so that one test covers all of them. The lists come from the schema and the contract.
import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLField, getNamedType, isAbstractType, isObjectType } from 'graphql'
import contract from '#rest/openapi.json' with { type: 'json' }
import { ask, type Credentials, type GraphQLAnswer, rest } from './faces.ts'
import { CONTENTS } from './list-contents.ts'
import type { Create } from './list-items.ts'
import { STABLECOIN_CONTENTS, STABLECOIN_FILTERS } from './stablecoin-lists.ts'
import { WALLET_CONTENTS } from './wallet-lists.ts'

export type SortOrder = 'ASC' | 'DESC'

export interface Window {
  readonly size?: number
  readonly cursor?: string | null
  readonly backward?: boolean
  readonly sortOrder?: SortOrder
  readonly filter?: Filter
}

export type Filter = Readonly<Record<string, string | number | boolean | readonly string[] | null>> | null

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

interface Filters {
  /** One that admits some, others, and ways to write the first with nulls and empty lists. */
  readonly one: Filter
  readonly others: readonly Filter[]
  readonly same: readonly Filter[]
}

export interface PagedList {
  readonly name: string
  readonly face: 'GraphQL' | 'REST'
  /** Whether each parent has its own list. */
  readonly isNested: boolean
  /** Whether its cursors go on with other filters and in the other order. */
  readonly isStream: boolean
  readonly filters: Filters
  readonly create: Create
  /** A page of each parent's list, with one request. */
  readonly read: (caller: Credentials, parents: readonly string[], window: Window) => Promise<Answer[]>
}

const LATE = '2100-01-01T00:00:00.000Z'
const byTypes = (type: string, other: string): Filters => ({
  one: { types: [type] },
  others: [null, { types: [other] }],
  same: [{ types: [type], customerId: null }],
})

/** Keyed by the type of the filter, or by the name of a list that needs a different one. A new filter needs a line here. */
const FILTERS: Readonly<Record<string, Filters>> = {
  ...STABLECOIN_FILTERS,
  TransactionFilter: {
    one: { types: ['INCOMING'] },
    others: [null, { types: ['OUTGOING'] }, { types: ['INCOMING'], statuses: ['COMPLETED'] }],
    same: [
      { type: 'INCOMING', statuses: [], customerId: null },
      { itemTypes: ['INCOMING'], types: [] },
    ],
  },
  'Card.transactions': {
    one: { statuses: ['AUTHORIZED'] },
    others: [null, { statuses: ['SETTLED'] }],
    same: [{ statuses: ['AUTHORIZED'], types: [], cardId: null }],
  },
  CustomerFilter: {
    one: { customerType: 'BUSINESS' },
    others: [null, { customerType: 'INDIVIDUAL' }, { customerType: 'BUSINESS', search: 'a' }],
    same: [{ customerType: 'BUSINESS', verificationStatuses: [], umaAddress: null }],
  },
  InternalAccountFilter: byTypes('INTERNAL_CRYPTO', 'INTERNAL_FIAT'),
  ExternalAccountFilter: {
    one: { currency: 'EUR' },
    others: [null, { currency: 'USD' }],
    same: [{ currency: 'EUR', statuses: [], owner: null }],
  },
  CardFilter: {
    one: { states: ['FROZEN'] },
    others: [null, { states: ['ACTIVE'] }],
    same: [{ states: ['FROZEN'], accountId: null }],
  },
  AgentFilter: {
    one: { isPaused: true },
    others: [null, { isPaused: false }],
    same: [{ isPaused: true, createdAfter: null, customerId: null }],
  },
  QuoteFilter: {
    one: { statuses: ['EXPIRED'] },
    others: [null, { statuses: ['COMPLETED'] }],
    same: [{ statuses: ['EXPIRED'], agentId: null }],
  },
  AgentActionFilter: {
    one: { statuses: ['APPROVED'] },
    others: [null, { statuses: ['PENDING_APPROVAL'] }],
    same: [{ statuses: ['APPROVED'], types: [], agentId: null }],
  },
  AgentApprovalFilter: {
    one: { endDate: LATE },
    others: [null, { startDate: LATE }],
    same: [{ endDate: LATE, startDate: null, agentId: null }, { endDate: '2100-01-01T01:00:00+01:00' }],
  },
  EventFilter: {
    one: { types: ['TEST'] },
    others: [null, { types: ['INVITATION_CLAIMED'] }],
    same: [{ types: ['TEST'], subjectId: null }],
  },
  WebhookDeliveryFilter: {
    one: { statuses: ['FAILED'] },
    others: [null, { statuses: ['SKIPPED'] }, { statuses: ['FAILED'], startDate: LATE }],
    same: [{ statuses: ['FAILED'], types: [], subjectId: null }],
  },
  ApiTokenFilter: {
    one: { name: 'Nightly' },
    others: [null, { name: 'Hourly' }],
    same: [{ name: 'Nightly', createdAfter: null }],
  },
  AuthMethodFilter: byTypes('OAUTH', 'EMAIL_OTP'),
  SessionFilter: byTypes('OAUTH', 'EMAIL_OTP'),
  DelegatedKeyFilter: {
    one: { statuses: ['PENDING'] },
    others: [null, { statuses: ['REVOKED'] }],
    same: [{ statuses: ['PENDING'], fundingSourceId: null, cardId: null, customerId: null }],
  },
  UmaProviderFilter: {
    one: { hasBlockedProviders: false },
    others: [null, { currencyCode: 'XXX' }],
    same: [{ hasBlockedProviders: false, countryCode: null }],
  },
  BeneficialOwnerFilter: { one: {}, others: [], same: [{ customerId: null }] },
  DocumentFilter: {
    one: { documentTypes: ['SELFIE'] },
    others: [null, { documentTypes: ['PASSPORT'] }],
    same: [{ documentTypes: ['SELFIE'], documentHolder: null }],
  },
  VerificationFilter: {
    one: { verificationStatus: 'APPROVED' },
    others: [null, { verificationStatus: 'REJECTED' }],
    same: [{ verificationStatus: 'APPROVED', verificationStatuses: [] }],
  },
  'GET /uma-providers': {
    one: { hasBlockedProviders: 'false' },
    others: [null, { currencyCode: 'XXX' }],
    same: [],
  },
  'GET /beneficial-owners': { one: {}, others: [], same: [] },
  'GET /documents': { one: {}, others: [], same: [] },
  'GET /verifications': {
    one: { verificationStatus: 'APPROVED' },
    others: [null, { verificationStatus: 'REJECTED' }],
    same: [],
  },
  'GET /transactions': {
    one: { type: 'INCOMING' },
    others: [null, { type: 'OUTGOING' }, { type: 'INCOMING', status: 'COMPLETED' }],
    same: [],
  },
  'GET /tokens': { one: { name: 'Nightly' }, others: [null, { name: 'Hourly' }], same: [] },
  'GET /webhooks/events': { one: { type: 'TEST' }, others: [null, { type: 'INVITATION.CLAIMED' }], same: [] },
  'GET /webhooks/deliveries': { one: { status: 'FAILED' }, others: [null, { status: 'SKIPPED' }], same: [] },
  'GET /customers': { one: { customerType: 'BUSINESS' }, others: [null, { customerType: 'INDIVIDUAL' }], same: [] },
  'GET /customers/internal-accounts': {
    one: { type: 'INTERNAL_CRYPTO' },
    others: [null, { type: 'INTERNAL_FIAT' }],
    same: [],
  },
  'GET /customers/external-accounts': { one: { currency: 'EUR' }, others: [null, { currency: 'USD' }], same: [] },
  'GET /platform/external-accounts': { one: { currency: 'EUR' }, others: [null, { currency: 'USD' }], same: [] },
  'GET /cards': { one: { state: 'FROZEN' }, others: [null, { state: 'ACTIVE' }], same: [] },
  'GET /agents': { one: { isPaused: true }, others: [null, { isPaused: false }], same: [] },
  'GET /agents/approvals': { one: { endDate: LATE }, others: [null, { startDate: LATE }], same: [] },
  'GET /agents/{agentId}/actions': { one: { status: 'APPROVED' }, others: [null, { status: 'FAILED' }], same: [] },
}

const STREAMS = ['Query.events', 'GET /webhooks/events']

/** A directory whose contents no test can choose. It has its own test. */
const DIRECTORIES = ['vasps', '/vasps']

const ALL_CONTENTS = { ...CONTENTS, ...STABLECOIN_CONTENTS, ...WALLET_CONTENTS }

const known = <T>(table: Readonly<Record<string, T>>, name: string): T => {
  const value = table[name]
  if (value === undefined) throw new Error(`Nothing is known of the list ${name}`)
  return value
}

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

const WINDOW = ['$first: Int', '$after: String', '$last: Int', '$before: String', '$sortOrder: SortOrder']
const GIVEN = 'filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder'

const schema = buildSchema(readFileSync(new URL('../../src/graphql/schema.graphql', import.meta.url), 'utf8'))

/** The fields of the schema that answer a connection. */
const connectionFields = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type))
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ owner: type.name, field })))
  .filter(({ field }) => getNamedType(field.type).name.endsWith('Connection') && !DIRECTORIES.includes(field.name))

const listOfField = ({ owner, field }: { owner: string; field: GraphQLField<unknown, unknown> }): PagedList => {
  const name = `${owner}.${field.name}`
  const isNested = owner !== 'Query'
  const connection = getNamedType(field.type)
  const node = isObjectType(connection) && connection.getFields()['nodes']
  const id = node && isAbstractType(getNamedType(node.type)) ? '... on Node { id }' : 'id'
  const filter = getNamedType(field.args.find(({ name }) => name === 'filter')?.type)?.name ?? ''
  const page = `page: ${field.name}(${GIVEN}) {
    totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { ${id} } edges { cursor node { ${id} } }
  }`
  const parameters = [...(isNested ? ['$parents: [ID!]!'] : []), `$filter: ${filter}`, ...WINDOW].join(', ')
  const document = `query (${parameters}) { ${isNested ? `nodes(ids: $parents) { ... on ${owner} { ${page} } }` : page} }`
  return {
    name,
    face: 'GraphQL',
    isNested,
    isStream: STREAMS.includes(name),
    filters: FILTERS[name] ?? known(FILTERS, filter),
    create: known(ALL_CONTENTS, name),
    read: async (caller, parents, window) => {
      const variables = { ...(isNested && { parents: [...parents] }), ...argumentsOf(window) }
      const asked = { document, variables, backward: window.backward }
      const answer = await ask<Pages, object>(caller, document, variables)
      if (!isNested) return [answerOf(asked, answer, ['page'], answer.data?.page)]
      return parents.map((_, index) =>
        answerOf(asked, answer, ['nodes', index, 'page'], answer.data?.nodes?.[index]?.page),
      )
    },
  }
}

interface Pages {
  readonly page?: ConnectionBody
  readonly nodes?: readonly { readonly page?: ConnectionBody }[]
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

/** The paths of the contract that answer a page to a platform. */
const pagedPaths = Object.entries(
  contract.paths as Record<string, { get?: { parameters?: { name: string; in: string; required?: boolean }[] } }>,
)
  .filter(
    // A stream takes a cursor too, but no size.
    ([path, { get }]) =>
      !path.startsWith('/agents/me/') &&
      !DIRECTORIES.includes(path) &&
      ['cursor', 'limit'].every((parameter) => get?.parameters?.some(({ name }) => name === parameter)),
  )
  .map(([path, { get }]) => {
    const parent = get?.parameters?.find((parameter) => parameter.in === 'query' && parameter.required)
    return parent ? `${path}?${parent.name}={id}` : path
  })

const listOfPath = (path: string): PagedList => {
  const name = `GET ${path.split('?')[0]}`
  return {
    name,
    face: 'REST',
    isNested: path.includes('{'),
    isStream: STREAMS.includes(name),
    filters: known(FILTERS, name),
    create: known(ALL_CONTENTS, name),
    read: (caller, parents, window) => Promise.all(parents.map((parent) => readOverRest(caller, path, parent, window))),
  }
}

const readOverRest = async (
  caller: Credentials,
  path: string,
  parent: string,
  { size, cursor, sortOrder, filter }: Window,
): Promise<Answer> => {
  const query = new URLSearchParams()
  const parameters = { limit: size?.toString(), cursor, sortOrder: sortOrder?.toLowerCase(), ...filter }
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) query.set(name, `${value}`)
  }
  const request = `${path.replace(/\{\w+\}/, parent)}${path.includes('?') ? '&' : '?'}${query}`
  const { status, body } = await rest<RestPage | RestError>(caller, request)
  if ('code' in body) return { request, refusal: { status, code: body.code, field: body.details?.field } }
  const { data, hasMore, nextCursor = null, totalCount } = body
  if (hasMore !== (nextCursor !== null)) throw new Error(`GET ${request}: hasMore ${hasMore}, nextCursor ${nextCursor}`)
  return { request, page: { ids: data.map(({ id }) => id), totalCount, next: nextCursor } }
}

export const pagedLists: readonly PagedList[] = [...connectionFields.map(listOfField), ...pagedPaths.map(listOfPath)]

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
