// A filter as conditions in SQL, written so that each of them reads one short range of an index (docs/domain/transactions.md#filters).
import type { Caller } from '#core/caller.ts'
import { type Kind, parseId, publicId } from '#core/ids.ts'
import { identifier, join, nothing, query, type Sql, sql } from '#database/db.ts'
import { isWithin, refersTo, startsWith, when } from '#database/record-list.ts'
import { type TransactionItemType, TransactionRecord } from '#transactions/transaction.ts'
import type { TransactionFilter } from './filter.ts'
import { admittedTypes, isAccount, kindChoices, type ParentKind } from './kinds.ts'

/** The same filter without the account that is the only parent. Postgres would not know that both select the same rows. */
export const besidesParent = (filter: TransactionFilter, parent: ParentKind, parentIds: readonly string[]) =>
  isAccount(parent) && parentIds.length === 1 && filter.accountIdentifier === publicId(parent, parentIds[0] ?? '')
    ? { ...filter, accountIdentifier: null }
    : filter

/** A filter whose search may be replaced by conditions, each of which one text satisfies. */
export interface Criteria extends TransactionFilter {
  readonly texts?: readonly Sql[]
}

/**
 * The condition of the filter as alternatives of which exactly one holds for a matching row, each with an index of its own.
 * With a parent, only what belongs to the row `parentId` is matched.
 */
export const conditionsOf = (caller: Caller, filter: Criteria, parent?: ParentKind, parentId?: Sql): readonly Sql[] =>
  termsOf(caller, filter, apart, parent, parentId).map(({ condition }) => condition)

/** The same as conditions whose numbers of rows add up to that of the filter. Some of them are to be subtracted. */
export const countedConditionsOf = (
  caller: Caller,
  filter: TransactionFilter,
  parent?: ParentKind,
  parentId?: Sql,
): readonly Term[] => termsOf(caller, filter, overlapping, parent, parentId)

export interface Term {
  readonly condition: Sql
  readonly isSubtracted: boolean
}

const term = (condition: Sql): Term => ({ condition, isSubtracted: false })

/** Turns two conditions into terms for the rows that match at least one of them. */
type Either = (first: Sql, second: Sql) => readonly Term[]

/** No row satisfies both terms, so a page may read one after the other. */
const apart: Either = (first, second) => [term(first), term(sql`${second} and (${first}) is not true`)]

/** Each term needs the columns of one index only, so a count reads no row of the table. */
const overlapping: Either = (first, second) => [
  term(first),
  term(second),
  { condition: sql`${first} and ${second}`, isSubtracted: true },
]

const termsOf = (
  caller: Caller,
  filter: Criteria,
  either: Either,
  parent?: ParentKind,
  parentId: Sql = sql`parent.id`,
): readonly Term[] => {
  const { accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier, reference, search, texts } = filter
  const types = admittedTypes(filter, parent)
  if (types.length === 0) return [term(sql`false`)]
  const onEitherSide = (party: Sql) => either(isParty('source', party), isParty('destination', party))
  const choices: (readonly Term[])[] = [[term(join(plainConditions(caller, filter), ' and '))]]
  if (isAccount(parent)) choices.push(onEitherSide(accountAsParty(parent, parentId)))
  else if (parent) choices.push([term(sql`${identifier(`t.${parent.toLowerCase()}_id`)} = ${parentId}`)])
  const isOneSide = accountIdentifier === senderAccountIdentifier || accountIdentifier === receiverAccountIdentifier
  if (accountIdentifier && !isOneSide) choices.push(onEitherSide(partyNamed(accountIdentifier)))
  if (reference) {
    choices.push(either(sql`t.reconciliation_reference = ${reference}`, sql`t.instructions_reference = ${reference}`))
  }
  if (texts) choices.push(texts.map(term))
  else if (search) choices.push(searchRanges(search, types).map((range) => term(inRange(range))))
  for (const choice of kindChoices(caller, filter, types, Boolean(texts), parent)) choices.push(choice.map(term))
  return choices.reduce((terms, choice) =>
    terms.flatMap((left) =>
      choice.map((right) => ({
        condition: sql`${left.condition} and ${right.condition}`,
        isSubtracted: left.isSubtracted !== right.isSubtracted,
      })),
    ),
  )
}

const plainConditions = (caller: Caller, filter: TransactionFilter): Sql[] => [
  TransactionRecord.visibleTo(caller),
  ...when(filter.customerId, (id) => ownedBy(caller, id)),
  ...when(filter.senderAccountIdentifier, (party) => isParty('source', partyNamed(party))),
  ...when(filter.receiverAccountIdentifier, (party) => isParty('destination', partyNamed(party))),
  ...isWithin('created_at', filter.startDate, filter.endDate),
  ...when(filter.direction, (direction) => sql`t.direction = ${direction}::transaction_direction`),
  ...refersTo('agent_id', filter.agentId),
  ...refersTo('card_id', filter.cardId),
  ...amountConditions(filter),
]

const amountConditions = ({ currency, minAmount, maxAmount }: TransactionFilter): readonly Sql[] => [
  ...when(currency, (code) => sql`t.headline_currency = ${code}`),
  ...when(minAmount, (amount) => sql`t.headline_amount >= ${amount}::bigint`),
  ...when(maxAmount, (amount) => sql`t.headline_amount <= ${amount}::bigint`),
]

/** The texts of a column that a search matches. `unless` leaves out the rows of an earlier range. */
export interface SearchRange {
  readonly column: Sql
  readonly matches: Sql
  readonly unless: Sql
}

/** A payment is searched by its description and by its counterparty, a use of a card by its merchant. A match is in exactly one of the ranges. */
export const searchRanges = (text: string, types: readonly TransactionItemType[]): readonly SearchRange[] => {
  const [ofText, ofCounterparty] = [sql`t.searched_text`, sql`t.searched_counterparty`]
  const inText = startsWith(ofText, text)
  const range = { column: ofText, matches: inText, unless: nothing }
  if (types.every((item) => item === 'CARD')) return [range]
  const unless = sql`and (${inText}) is not true`
  return [range, { column: ofCounterparty, matches: startsWith(ofCounterparty, text), unless }]
}

export const inRange = ({ matches, unless }: SearchRange): Sql => sql`${matches} ${unless}`

/**
 * Whether the numbers of rows in these tables add up to less than `limit`. Each is what follows `from` in a select, and at most `limit` entries of
 * an index are read for it.
 */
export const areFewerThan = async (limit: number, tables: readonly Sql[]): Promise<boolean> => {
  const found = tables.map((table) => sql`(select from ${table} limit ${limit}::int)`)
  const [[count] = []] = await query(sql`select count(*) from (${join(found, ' union all ')}) t`)
  return Number(count) < limit
}

/** The range of amounts of the filter, or undefined. Postgres does not estimate well how many of the rows in a currency it matches. */
export const amountRange = ({ currency, minAmount, maxAmount }: TransactionFilter): TransactionFilter | undefined =>
  (minAmount ?? maxAmount ?? null) === null ? undefined : { currency, minAmount, maxAmount }

/** What the filter names by its id: each has an index. */
export const named = (filter: TransactionFilter): TransactionFilter => {
  const { customerId, agentId, cardId, accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier } = filter
  return { customerId, agentId, cardId, accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier }
}

/** The most conditions of all parents together. Postgres takes about a millisecond to plan each. */
export const MOST_PLANNED_EACH = 20

export type Planning = 'ALIKE' | 'APART' | 'TOO_MANY'

/**
 * How to plan a statement that reads this number of conditions for each parent. `ALIKE` if the index of the parents is the best for all of
 * them. `APART` if it depends on the parent, and `TOO_MANY` if planning for each of them would then take too long.
 */
export const planningOf = (filter: TransactionFilter, parents: number, conditions: number): Planning => {
  if (parents === 1) return 'APART'
  // Which index is better, that of the parent or this one, depends on the parent.
  const hasOtherIndexes = Boolean(filter.platformCustomerId) || Object.values(named(filter)).some(Boolean)
  if (!hasOtherIndexes) return 'ALIKE'
  return parents * conditions <= MOST_PLANNED_EACH ? 'APART' : 'TOO_MANY'
}

const ownedBy = (caller: Caller, customerId: string): Sql => {
  const id = parseId(customerId)
  if (id?.kind === 'Customer') return sql`t.customer_id = ${id.uuid}::uuid`
  return isPlatform(caller, customerId) ? sql`t.customer_id is null` : sql`false`
}

/** Transactions of the platform itself go by the id of its configuration. */
export const isPlatform = (caller: Caller, id: string) => id === publicId('PlatformConfig', caller.platformId)

/** The one value by which an account or a UMA address is indexed. */
export const partyNamed = (accountIdentifier: string): Sql => {
  const id = parseId(accountIdentifier)
  return id ? accountAsParty(id.kind, sql`${id.uuid}::uuid`) : sql`party(null, null, ${accountIdentifier})`
}

export const accountAsParty = (kind: Kind, id: Sql): Sql =>
  kind === 'InternalAccount' ? sql`party(${id}, null, null)` : sql`party(null, ${id}, null)`

const isParty = (side: 'source' | 'destination', party: Sql): Sql => sql`${identifier(`t.${side}_party`)} = ${party}`
