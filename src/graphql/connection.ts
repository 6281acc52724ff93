// Turns pages of the domain into Relay connections.
import type { ArgBuilder, ObjectRef, OutputType } from '@pothos/core'
import { invalidInput } from '#core/errors.ts'
import {
  checkPageSize,
  cursorOf,
  DEFAULT_PAGE_SIZE,
  type Listed,
  type ListKey,
  MAX_PAGE_SIZE,
  type Page,
  type SortOrder,
  type Window,
} from '#database/page.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { builder, type SchemaTypes } from './builder.ts'
import { enumOf } from './enums.ts'

const SortOrderEnum = enumOf('SortOrder', 'Order by creation time, then id.', ['ASC', 'DESC'], {
  ASC: 'Oldest first.',
  DESC: 'Newest first.',
})

/** The arguments of every connection. */
export const windowArgs = (t: { arg: ArgBuilder<SchemaTypes> }) => ({
  first: t.arg.int({
    description: `Page size when paging forward, 1 to ${MAX_PAGE_SIZE}. Defaults to ${DEFAULT_PAGE_SIZE}.`,
  }),
  after: t.arg.string({ description: 'Return the items after this cursor.' }),
  last: t.arg.int({ description: `Page size when paging backward, 1 to ${MAX_PAGE_SIZE}.` }),
  before: t.arg.string({ description: 'Return the items before this cursor.' }),
  sortOrder: t.arg({
    type: SortOrderEnum,
    defaultValue: 'DESC',
    description: 'Order of the list, whether paging forward or backward. Null means `DESC`.',
  }),
})

export interface ListArgs {
  readonly filter?: object | null | undefined
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
  readonly sortOrder?: SortOrder | null | undefined
}

/** Throws 400 `INVALID_INPUT` if the page size is out of range or both directions are given. */
export const windowOfArgs = ({ first, after, last, before, sortOrder }: ListArgs): Window => {
  const backward = isGiven(last) || isGiven(before)
  if (backward && isGiven(first)) throw invalidInput('first', 'first cannot be combined with last or before')
  if (backward && isGiven(after)) throw invalidInput('after', 'after cannot be combined with last or before')
  const [size, field, text] = backward ? [last, 'last', before] : [first, 'first', after]
  return {
    size: checkPageSize(size ?? DEFAULT_PAGE_SIZE, field),
    backward,
    sortOrder: sortOrder ?? 'DESC',
    cursor: isGiven(text) ? { text, field: backward ? 'before' : 'after' } : null,
  }
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

// Classes, because an object literal with a getter gets a hidden class of its own, and the garbage of those doubles the cost of a page.

class Edge<T extends Listed> {
  readonly node: T
  readonly #list: ListKey
  constructor(node: T, list: ListKey) {
    this.node = node
    this.#list = list
  }
  get cursor(): string {
    return cursorOf(this.node, this.#list)
  }
}

class PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly #edges: readonly { readonly cursor: string }[]
  constructor(edges: readonly { readonly cursor: string }[], hasMore: boolean, { backward, cursor }: Window) {
    const cameFromCursor = cursor !== null
    this.hasNextPage = backward ? cameFromCursor : hasMore
    this.hasPreviousPage = backward ? hasMore : cameFromCursor
    this.#edges = edges
  }
  get startCursor(): string | null {
    return this.#edges[0]?.cursor ?? null
  }
  get endCursor(): string | null {
    return this.#edges.at(-1)?.cursor ?? null
  }
}

export interface Connection<T> {
  readonly edges: readonly { readonly cursor: string; readonly node: T }[]
  readonly pageInfo: PageInfo
  readonly countAll: () => Promise<number | null>
}

/** `countAll` runs only if `totalCount` is selected. */
export const connectionOf = <T extends Listed>(
  { items, hasMore, list }: Page<T>,
  window: Window,
  countAll: () => Promise<number | null>,
): Connection<T> => {
  const edges = items.map((node) => new Edge(node, list))
  return { edges, pageInfo: new PageInfo(edges, hasMore, window), countAll }
}

/** Defines the connection type of a node type. */
export const connectionType = <T>(name: string, node: OutputType<SchemaTypes>, items: string) =>
  builder.connectionObject(
    {
      type: node,
      name: `${name}Connection`,
      description: `A page of ${items}.`,
      fields: (t) => ({
        totalCount: t.int({
          description:
            'Number of matching items on all pages. Computed only if it is selected. Null if counting would take too long.',
          extensions: costing({ rows: 1 }),
          resolve: (connection) => (connection as unknown as Connection<T>).countAll(),
        }),
      }),
    },
    { name: `${name}Edge`, description: `An item in a page of ${items}, with its cursor.` },
  ) as unknown as ObjectRef<SchemaTypes, Connection<T>>
