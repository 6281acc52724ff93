// A filter as conditions in SQL, written so that each of them reads one short range of an index (docs/domain/transactions.md#filters).
import type { Caller } from '#core/caller.ts'
import { type Kind, parseId, publicId } from '#core/ids.ts'
import { identifier, join, nothing, query, type Sql, sql } from '#database/db.ts'
import { anyStartsWith, isWithin, startsWith, when } from '#database/record-list.ts'
import {
  CARD_TRANSACTION_STATUSES,
  OUTGOING_TRANSACTION_STATUSES,
  TRANSACTION_DIRECTIONS,
  TRANSACTION_ITEM_TYPES,
  TRANSACTION_LIFECYCLE_STATUSES,
  TRANSACTION_STATUSES,
  type TransactionItemType,
  TransactionRecord,
} from '#transactions/transaction.ts'
import type { TransactionFilter } from './filter.ts'

/**
 * The filter by customerId that replaces platformCustomerId, which may have named several customers over time. They are looked up
 * first because the plan of a page depends on how busy its customer is.
 */
export const byCustomerId = async (
  caller: Caller,
  filter: TransactionFilter,
): Promise<readonly TransactionFilter[]> => {
  const { platformCustomerId: id } = filter
  if (!id || isPlatform(caller, id)) return [filter]
  const customerIds = lookedUp.get(filter) ?? lookUp(caller, id)
  lookedUp.set(filter, customerIds)
  return (await customerIds)
    .filter((customerId) => !filter.customerId || filter.customerId === customerId)
    .map((customerId) => ({ ...filter, customerId, platformCustomerId: null }))
}

/** The filter of a request is one object, so its page and its count share the look-up. */
const lookedUp = new WeakMap<TransactionFilter, Promise<readonly string[]>>()

const lookUp = async ({ platformId }: Caller, platformCustomerId: string): Promise<readonly string[]> => {
  const rows = await query(sql`
    select id from customers where platform_id = ${platformId}::uuid and platform_customer_id = ${platformCustomerId}`)
  return rows.map(([id]) => publicId('Customer', id ?? ''))
}

/** The kinds of parents, besides the platform, whose transactions can be listed. */
const PARENT_KINDS = ['Customer', 'InternalAccount', 'ExternalAccount', 'Agent', 'Card'] as const
export type ParentKind = (typeof PARENT_KINDS)[number]

/**
 * The condition of the filter as alternatives of which exactly one holds for a matching row, each with an index of its own.
 * With a parent, only what belongs to the row `parentId` is matched.
 */
export const conditionsOf = (
  caller: Caller,
  filter: TransactionFilter,
  parent?: ParentKind,
  parentId: Sql = sql`parent.id`,
): readonly Sql[] => {
  const { accountIdentifier, reference } = filter
  const types = admittedTypes(filter, parent)
  if (types.length === 0) return [sql`false`]
  const choices: Sql[][] = [[join(plainConditions(caller, filter, types), ' and ')]]
  if (parent) choices.push(belongsTo(parent, parentId))
  if (accountIdentifier) choices.push(onEitherSide(partyNamed(accountIdentifier)))
  if (reference) {
    choices.push(eitherOf(sql`t.reconciliation_reference = ${reference}`, sql`t.instructions_reference = ${reference}`))
  }
  const isByParty = partiesIn(filter).length > 0 || isAccount(parent)
  const kinds = isOfPlatform(caller, filter, parent) && kindConditions(filter, types)
  const isByCard = isOfCard(filter, parent)
  choices.push(kinds || typeConditions(filter, types, isByParty, isByCard), statusConditions(filter, types, isByParty))
  return choices.reduce((alternatives, choice) =>
    alternatives.flatMap((left) => choice.map((right) => sql`${left} and ${right}`)),
  )
}

const plainConditions = (caller: Caller, filter: TransactionFilter, types: readonly TransactionItemType[]): Sql[] => [
  TransactionRecord.visibleTo(caller),
  ...when(filter.customerId, (id) => ownedBy(caller, id)),
  ...when(filter.platformCustomerId, (id) => knownAs(caller, id)),
  ...when(filter.senderAccountIdentifier, (party) => isParty('source', partyNamed(party))),
  ...when(filter.receiverAccountIdentifier, (party) => isParty('destination', partyNamed(party))),
  ...isWithin('created_at', filter.startDate, filter.endDate),
  ...when(filter.direction, (direction) => sql`t.direction = ${direction}::transaction_direction`),
  ...when(filter.agentId, (id) => sql`t.agent_id = ${parseId(id)?.uuid}::uuid`),
  ...when(filter.cardId, (id) => sql`t.card_id = ${parseId(id)?.uuid}::uuid`),
  ...amountConditions(filter),
  ...when(filter.search, (text) => isSearched(text, types)),
]

const amountConditions = ({ currency, minAmount, maxAmount }: TransactionFilter): readonly Sql[] => [
  ...when(currency, (code) => sql`t.headline_currency = ${code}`),
  ...when(minAmount, (amount) => sql`t.headline_amount >= ${amount}::bigint`),
  ...when(maxAmount, (amount) => sql`t.headline_amount <= ${amount}::bigint`),
]

/** The searched columns that these types have. CHECK constraints ensure that they have no others. */
const searchedColumns = (types: readonly TransactionItemType[]) => [
  ...(types.some((item) => item !== 'CARD') ? ['description', 'counterparty_name'] : []),
  ...(types.includes('CARD') ? ['merchant_descriptor'] : []),
]

/** The conditions of a search, any of which a row matches, or else that of amounts. Postgres estimates neither of them well. */
export const unestimatedIn = (filter: TransactionFilter, parent?: ParentKind): readonly Sql[] => {
  const { search, currency, minAmount, maxAmount } = filter
  if (search) return searchedColumns(admittedTypes(filter, parent)).map((column) => startsWith(column, search))
  if (!isGiven(minAmount ?? maxAmount)) return []
  return [join(amountConditions({ currency, minAmount, maxAmount }), ' and ')]
}

/** The condition that a searched column starts with the text. */
export const isSearched = (text: string, types: readonly TransactionItemType[]): Sql =>
  anyStartsWith(searchedColumns(types), text)

/** The statuses of each type. CHECK constraints ensure that a type has no others. */
const STATUSES_OF: Record<TransactionItemType, readonly string[]> = {
  INCOMING: TRANSACTION_STATUSES,
  OUTGOING: OUTGOING_TRANSACTION_STATUSES,
  CARD: CARD_TRANSACTION_STATUSES,
}

const partiesIn = ({ accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier }: TransactionFilter) =>
  [accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier].filter((party) => typeof party === 'string')

const isOfCard = ({ cardId }: TransactionFilter, parent?: ParentKind) => Boolean(cardId) || parent === 'Card'

/** Card transactions have no agent, external account or UMA address. A CHECK constraint ensures it, and that no others have a card. */
const isOfPayments = (filter: TransactionFilter, parent?: ParentKind) =>
  Boolean(filter.agentId) ||
  parent === 'Agent' ||
  parent === 'ExternalAccount' ||
  partiesIn(filter).some((party) => parseId(party)?.kind !== 'InternalAccount')

/** Without the types that have no such rows: looking for them would read the whole list. */
export const admittedTypes = (filter: TransactionFilter, parent?: ParentKind) => {
  const { types, statuses } = filter
  const isCard = isOfCard(filter, parent)
  const isPayment = isOfPayments(filter, parent)
  return (types ?? TRANSACTION_ITEM_TYPES).filter(
    (item) =>
      !(item === 'CARD' ? isPayment : isCard) &&
      (!statuses || statuses.some((status) => STATUSES_OF[item].includes(status))),
  )
}

const isGiven = (value: unknown) => value !== null && value !== undefined

/** Whether the list is the platform's whole list, filtered only by kind, status and time. */
const isOfPlatform = (caller: Caller, filter: TransactionFilter, parent?: ParentKind) => {
  const { types, direction, statuses, startDate, endDate, ...others } = filter
  return caller.scheme === 'PLATFORM' && !parent && !Object.values(others).some(isGiven)
}

/**
 * One range for each type and direction: a platform may lack any of them, and its list would be read to the end to find no such row.
 * Undefined where all are asked for, and where the statuses are rare and have an index of their own.
 */
const kindConditions = (filter: TransactionFilter, types: readonly TransactionItemType[]): Sql[] | undefined => {
  const isEveryKind = types.length === TRANSACTION_ITEM_TYPES.length && !filter.direction
  if (isEveryKind || areRare(statusesOf(filter, types))) return undefined
  const ofTypes = types.map((item) => sql`t.type = ${item}::transaction_item_type`)
  if (filter.direction) return ofTypes
  return ofTypes.flatMap((ofType) =>
    TRANSACTION_DIRECTIONS.map((direction) => sql`${ofType} and t.direction = ${direction}::transaction_direction`),
  )
}

/**
 * The indexes of parties have the type before the time, so that a type that is rare on one side is found at once. That of cards has no
 * type, because a card implies it.
 */
const typeConditions = (
  filter: TransactionFilter,
  types: readonly TransactionItemType[],
  isByParty: boolean,
  isByCard: boolean,
): Sql[] => {
  if (isByCard && !isByParty) return [sql`true`]
  if (isByParty || types.length === 1) return types.map((item) => sql`t.type = ${item}::transaction_item_type`)
  return filter.types ? [sql`t.type = any(${types}::transaction_item_type[])`] : [sql`true`]
}

/** Open payments are listed under one status, so that a payment that starts changes no index. */
const OPEN_STATUSES: readonly string[] = ['CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING']

const listedStatus = (status: string) => (OPEN_STATUSES.includes(status) ? 'PENDING' : status)

/** Rare statuses have an index that begins with the listed status: one range of it for each. The common ones are found soon in any order. */
const statusConditions = (
  filter: TransactionFilter,
  types: readonly TransactionItemType[],
  isByParty: boolean,
): Sql[] => {
  if (!filter.statuses) return [sql`true`]
  const statuses = statusesOf(filter, types)
  const listed = [...new Set(statuses.map(listedStatus))]
  const isOne = listed.includes('PENDING')
    ? sql` and t.status = any(${statuses}::transaction_lifecycle_status[])`
    : nothing
  return listed.length === 1 || (areRare(statuses) && !isByParty)
    ? listed.map((status) => sql`t.listed_status = ${status}::transaction_lifecycle_status${isOne}`)
    : [sql`t.listed_status = any(${listed}::transaction_lifecycle_status[])${isOne}`]
}

const statusesOf = (filter: TransactionFilter, types: readonly TransactionItemType[]) =>
  (filter.statuses ?? TRANSACTION_LIFECYCLE_STATUSES).filter((status) =>
    types.some((item) => STATUSES_OF[item].includes(status)),
  )

const areRare = (statuses: readonly string[]) =>
  !statuses.some((status) => status === 'COMPLETED' || status === 'SETTLED')

const belongsTo = (parent: ParentKind, parentId: Sql): Sql[] => {
  if (isAccount(parent)) return onEitherSide(accountAsParty(parent, parentId))
  return [sql`${identifier(`t.${parent.toLowerCase()}_id`)} = ${parentId}`]
}

const ownedBy = (caller: Caller, customerId: string): Sql => {
  const id = parseId(customerId)
  if (id?.kind === 'Customer') return sql`t.customer_id = ${id.uuid}::uuid`
  return isPlatform(caller, customerId) ? sql`t.customer_id is null` : sql`false`
}

const knownAs = (caller: Caller, platformCustomerId: string): Sql =>
  isPlatform(caller, platformCustomerId)
    ? sql`t.customer_id is null`
    : sql`t.platform_customer_id = ${platformCustomerId}`

/** Transactions of the platform itself go by the id of its configuration. */
const isPlatform = (caller: Caller, id: string) => id === publicId('PlatformConfig', caller.platformId)

/** The one value by which an account or a UMA address is indexed. */
const partyNamed = (accountIdentifier: string): Sql => {
  const id = parseId(accountIdentifier)
  return id ? accountAsParty(id.kind, sql`${id.uuid}::uuid`) : sql`party(null, null, ${accountIdentifier})`
}

const accountAsParty = (kind: Kind, id: Sql): Sql =>
  kind === 'InternalAccount' ? sql`party(${id}, null, null)` : sql`party(null, ${id}, null)`

const isAccount = (parent: ParentKind | undefined) => parent === 'InternalAccount' || parent === 'ExternalAccount'

const isParty = (side: 'source' | 'destination', party: Sql): Sql => sql`${identifier(`t.${side}_party`)} = ${party}`

const onEitherSide = (party: Sql) => eitherOf(isParty('source', party), isParty('destination', party))

/** The two conditions as alternatives without overlap. */
const eitherOf = (first: Sql, second: Sql): Sql[] => [first, sql`${second} and (${first}) is not true`]
