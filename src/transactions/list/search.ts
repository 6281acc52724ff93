// Searches transactions by their texts. Those of few texts are read by text, in the order of the list. Those of many are looked for in the order of
// the list as long as that finds them soon, and then in the indexes of the texts.
import type { Caller } from '#core/caller.ts'
import { identifier, join, nothing, query, type Sql, sql } from '#database/db.ts'
import { type Found, type Listable, readPagesAmongNext, readPagesOf } from '#database/list.ts'
import type { ListKey, Page, Window } from '#database/page.ts'
import { TransactionRecord } from '#transactions/transaction.ts'
import {
  accountAsParty,
  areFewerThan,
  type Criteria,
  inRange,
  MOST_PLANNED_EACH,
  planningOf,
  type SearchRange,
  searchRanges,
} from './conditions.ts'
import type { TransactionFilter } from './filter.ts'
import { admittedTypes, isAccount, openStatusCondition, type ParentKind } from './kinds.ts'

/** A search that matches at most this many different texts reads the entries of each in the order of the list. */
const MOST_TEXTS = 8
/** A search with fewer matches reads all of their entries in the indexes of the texts: a page has some 50. */
const FEW = 3_000
/** How many rows, of all parents together, are read in the order of the list to find common matches. */
const NEAR = 5_000

/** The columns of the indexes of the texts, besides the texts. */
const INDEXED = sql`t.platform_id, t.created_at, t.id, t.type, t.listed_status, t.direction, t.headline_currency, t.headline_amount, t.customer_id,
  t.agent_id, t.card_id, t.source_party, t.destination_party`

/** A reference names few transactions, so it is looked up instead. */
export const isBySearch = ({ search, reference }: TransactionFilter): boolean => Boolean(search) && !reference

/** The page of each parent, in order. `alternativesWith` returns the alternatives of the changed filter for the parent with an id. */
export const readSearched = async <T>(
  as: Listable<T>,
  caller: Caller,
  filter: TransactionFilter,
  window: Window,
  parentIds: readonly string[],
  listOf: (parentId: string) => ListKey,
  alternativesWith: (changes: Partial<Criteria>) => Promise<(parentId?: Sql) => readonly Sql[]>,
  parent?: ParentKind,
): Promise<(Page<T> | Error)[]> => {
  const ranges = rangesOf(filter, parent)
  const texts = await textsIn(caller, ranges)
  if (texts.length <= MOST_TEXTS) {
    const byText = await alternativesWith({ search: null, texts })
    if (parentIds.length * byText().length <= MOST_PLANNED_EACH)
      return readPagesOf(as, parentIds, listOf, window, byText, { isPlannedEach: true })
  }
  const others = await alternativesWith({ search: null })
  const planning = planningOf(filter, parentIds.length, others().length)
  const matches = ranges.map(
    (range) => sql`transactions t where ${TransactionRecord.visibleTo(caller)} and ${inRange(range)}`,
  )
  const near =
    planning === 'TOO_MANY' || (await areFewerThan(FEW, matches))
      ? []
      : await readPagesAmongNext(as, parentIds, listOf, window, others, {
          condition: sql`(${join(ranges.map(inRange), ' or ')})`,
          depth: Math.ceil(NEAR / parentIds.length),
          isPlannedEach: planning === 'APART',
        })
  const open = parentIds.filter((_, place) => !isEnded(near[place]))
  if (open.length === 0) return near
  const among = { select: foundBySearch(caller, filter, parent, open), visible: TransactionRecord.visibleTo(caller) }
  const found = await readPagesOf(as, open, listOf, window, (id) => [sql`(${join(others(id), ' or ')})`], { among })
  const rest = found.values()
  return parentIds.map((id, place) => (open.includes(id) ? rest.next().value : near[place]) as Page<T> | Error)
}

const isEnded = (page: Found<unknown> | Error | undefined) => page instanceof Error || page?.isComplete === true

/**
 * Selects the matches of the search, with the columns of `INDEXED`, from the indexes of the texts alone. Postgres estimates badly how many rows
 * match a search together with other conditions, so `offset 0` keeps it from starting with the others.
 */
export const foundBySearch = (
  caller: Caller,
  filter: TransactionFilter,
  parent?: ParentKind,
  parentIds: readonly string[] = [],
): Sql => {
  // The indexes do not tell the open statuses apart, so the rows themselves are read for these.
  const isOpen = openStatusCondition(filter, admittedTypes(filter, parent))
  const found = (condition: Sql) => sql`
    select ${INDEXED} ${isOpen ? sql`, t.status` : nothing} from transactions t
    where ${TransactionRecord.visibleTo(caller)} and ${condition} ${isOpen ? sql`and ${isOpen}` : nothing}`
  return sql`select * from (${join(rangesOf(filter, parent).map(inRange).map(found), ' union all ')} offset 0) t ${parent ? sql`where ${isOfAny(parent, parentIds)}` : nothing}`
}

const isOfAny = (parent: ParentKind, parentIds: readonly string[]): Sql => {
  if (!isAccount(parent)) return sql`${identifier(`t.${parent.toLowerCase()}_id`)} = any(${parentIds}::uuid[])`
  const parties = sql`array(select ${accountAsParty(parent, sql`account.id`)} from unnest(${parentIds}::uuid[]) as account (id))`
  return sql`(t.source_party = any(${parties}) or t.destination_party = any(${parties}))`
}

const rangesOf = (filter: TransactionFilter, parent?: ParentKind) =>
  searchRanges(filter.search ?? '', admittedTypes(filter, parent))

/** A condition for each text in the ranges, up to one more than `MOST_TEXTS`. Each text is found by skipping the entries of the one before it. */
const textsIn = async (caller: Caller, ranges: readonly SearchRange[]): Promise<readonly Sql[]> => {
  const texts = ranges.map(({ column, matches }, place) => {
    const next = (after: Sql) => sql`(select ${column} from transactions t
      where t.platform_id = ${caller.platformId}::uuid and ${matches} ${after} order by ${column} using ~<~ limit 1)`
    return sql`(
      with recursive found (text) as (
        ${next(nothing)} union all
        select ${next(sql`and ${column} ~>~ found.text`)} from found where found.text is not null)
      select ${place}::int, text from found where text is not null limit ${MOST_TEXTS + 1}::int)`
  })
  const rows = await query(join(texts, ' union all '))
  return rows.flatMap(([place, text]) => {
    const range = ranges[Number(place)]
    return range ? [sql`${range.column} = ${text} ${range.unless}`] : []
  })
}
