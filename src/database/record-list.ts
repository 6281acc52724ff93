// A list of records with its filter: of the whole platform, or of each of several parents. Both faces read every list in this form.
import type { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { partsOfId } from '#core/ids.ts'
import { parse } from '#core/input.ts'
import { readCount, readCountsOf } from './counting.ts'
import { identifier, join, query, type Sql, sql } from './db.ts'
import { type Listable, readPage, readPagesOf } from './list.ts'
import { listKey, type OrderedBy, type Page, readingOfAll, streamKey, type Window } from './page.ts'
import type { AnyRecord } from './record.ts'

export interface RecordList<T, F, P extends string = never> {
  readonly record: AnyRecord
  /** Cursors are bound to it. */
  readonly name: string
  readonly orderedBy: OrderedBy
  readonly filter: z.ZodType<F>
  /** `as` reads the rows in another form. */
  page<R = T>(caller: Caller, filter: F, window: Window, as?: Listable<R>): Promise<Page<R>>
  /** Null if counting exceeds the statement timeout. */
  count(caller: Caller, filter: F): Promise<number | null>
  /** The page of each parent, in their order. A parent gets an error instead if the cursor does not belong to its list. */
  pagesOf<R = T>(
    caller: Caller,
    parent: P,
    parentIds: readonly string[],
    filter: F,
    window: Window,
    as?: Listable<R>,
  ): Promise<(Page<R> | Error)[]>
  /** For each parent, in their order. All are null if counting exceeds the statement timeout. */
  countsOf(caller: Caller, parent: P, parentIds: readonly string[], filter: F): Promise<(number | null)[]>
}

/** The filter. Throws 400 `INVALID_INPUT` with the field under `path` if a condition is malformed. */
export const filterOf = <F>({ filter }: Pick<RecordList<unknown, F>, 'filter'>, input: unknown, path: string): F =>
  parse(filter, input ?? {}, path)

interface Definition<F, P extends string> {
  readonly name: string
  readonly filter: z.ZodType<F>
  /** Conditions on a row `t`, in addition to the caller's visibility. */
  readonly matches: (filter: F, caller: Caller) => readonly Sql[]
  /** The order is by creation unless stated otherwise. A list by position has no parents. */
  readonly orderedBy?: OrderedBy
  /** The column of `t` that holds the parent's uuid. */
  readonly parents?: Readonly<Record<P, string>>
}

export const recordList = <T, F, P extends string = never>(
  type: AnyRecord & Listable<T>,
  { name, filter, matches, orderedBy = 'CREATION', parents }: Definition<F, P>,
): RecordList<T, F, P> => {
  const conditions = (caller: Caller, values: F) => join([type.visibleTo(caller), ...matches(values, caller)], ' and ')
  const conditionsOf = (caller: Caller, parent: P, values: F, parentId = sql`parent.id`) =>
    sql`${conditions(caller, values)} and ${identifier(`t.${parents?.[parent]}`)} = ${parentId}`
  const counted = (where: Sql) => sql`(select count(*) from ${type.table} t where ${where})`
  return {
    record: type,
    name,
    orderedBy,
    filter,
    page: async <R>(caller: Caller, values: F, window: Window, as = type as unknown as Listable<R>) => {
      type.requireView(caller)
      const key = orderedBy === 'POSITION' ? streamKey(caller, name) : listKey(caller, name, values, window.sortOrder)
      const all = [conditions(caller, values)]
      return readPage(as, key, { orderedBy, ...window }, all, readingOfAll(caller, values))
    },
    count: async (caller, values) => {
      type.requireView(caller)
      return readCount(query(sql`select ${counted(conditions(caller, values))}`))
    },
    pagesOf: async <R>(
      caller: Caller,
      parent: P,
      parentIds: readonly string[],
      values: F,
      window: Window,
      as = type as unknown as Listable<R>,
    ) => {
      type.requireView(caller)
      const list = (id: string) => listKey(caller, `${name} of ${parent} ${id}`, values, window.sortOrder)
      return readPagesOf(as, parentIds, list, window, (id) => [conditionsOf(caller, parent, values, id)])
    },
    countsOf: async (caller, parent, parentIds, values) => {
      type.requireView(caller)
      return readCountsOf(
        parentIds,
        query(sql`
          select parent.id, ${counted(conditionsOf(caller, parent, values))} from unnest(${parentIds}::uuid[]) as parent (id)`),
      )
    },
  }
}

/** The condition, or none if the value is absent. */
export const when = <T>(value: T | null | undefined, condition: (value: T) => Sql): readonly Sql[] =>
  value === null || value === undefined ? [] : [condition(value)]

/** The condition that the column holds the uuid of this public id. */
export const refersTo = (column: string, id: string | null | undefined): readonly Sql[] =>
  when(id, (given) => sql`${identifier(`t.${column}`)} = ${partsOfId(given).uuid}::uuid`)

/** The condition that the column has one of the labels of an enum. */
export const isOneOf = (column: string, type: string, labels: readonly string[] | null | undefined): readonly Sql[] =>
  when(labels, (given) => sql`${identifier(`t.${column}`)} = any(${[...given]}::${identifier(type)}[])`)

/** The condition that the column is between the instants, both included. */
export const isWithin = (
  column: string,
  from: string | null | undefined,
  to: string | null | undefined,
): readonly Sql[] => [
  ...when(from, (at) => sql`${identifier(`t.${column}`)} >= ${at}::timestamptz`),
  ...when(to, (at) => sql`${identifier(`t.${column}`)} <= ${at}::timestamptz`),
]

/** The condition that a column of lower-case texts begins with this text of at most 255 characters: a range of an index with `text_pattern_ops`. */
export const startsWith = (column: Sql, text: string): Sql =>
  sql`${column} like lower(${`${text.replace(/[\\%_]/g, '\\$&')}%`})`

/** The same for any of these columns, regardless of case. An index on a whole column would refuse texts beyond 2,704 bytes. */
export const anyStartsWith = (columns: readonly string[], text: string): Sql =>
  sql`(${join(
    columns.map((column) => startsWith(sql`lower(left(${identifier(`t.${column}`)}, 255))`, text)),
    ' or ',
  )})`
