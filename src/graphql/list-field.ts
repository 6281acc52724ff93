// The fields that return a list: that of the whole platform, or that of the object on which they are selected.
import type { InputFieldMap, InputRef, ObjectRef, OutputType } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { DEFAULT_PAGE_SIZE, type Listed, MAX_PAGE_SIZE } from '#database/page.ts'
import { filterOf, type RecordList } from '#database/record-list.ts'
import type { Context, FieldBuilder, SchemaTypes } from './builder.ts'
import { compileList } from './compiled/lists.ts'
import { type Connection, connectionOf, connectionType, type ListArgs, windowArgs, windowOfArgs } from './connection.ts'
import { type InputFieldBuilder, inputOf } from './input-of.ts'
import { load } from './load.ts'

/** A list with its GraphQL types. */
interface ListType<T, F, P extends string> {
  readonly list: RecordList<T, F, P>
  readonly connection: ObjectRef<SchemaTypes, Connection<T>>
  readonly filter: InputRef<object>
}

/** Defines the filter of a list, with the fields of `schema` and `more` fields. */
export const filterType = (
  name: string,
  schema: z.ZodObject,
  more?: (t: InputFieldBuilder) => InputFieldMap,
): InputRef<object> => inputOf(`${name}Filter`, 'All given conditions must hold.', schema, more)

/** Defines the connection and the filter of a list of nodes. */
export const listType = <T, F, P extends string>(
  name: string,
  node: OutputType<SchemaTypes>,
  items: string,
  list: RecordList<T, F, P>,
  filter: z.ZodObject,
): ListType<T, F, P> => ({
  list,
  connection: connectionType<T>(name, node, items),
  filter: filterType(name, filter),
})

const optionsOf = <Parent, T, F, P extends string>(
  t: FieldBuilder<Parent>,
  { list, connection, filter }: ListType<T, F, P>,
  description: string,
) => ({
  type: connection,
  description: `${description}${list.record.refusesAgents ? ' Errors: `FORBIDDEN` for an agent.' : ''} Page size 1 to ${MAX_PAGE_SIZE}, default ${DEFAULT_PAGE_SIZE}.`,
  args: { filter: t.arg({ type: filter, description: 'Returns only the items that match.' }), ...windowArgs(t) },
})

export const listField = <Parent, T extends Listed, F, P extends string>(
  t: FieldBuilder<Parent>,
  listType: ListType<T, F, P>,
  description: string,
) => {
  const { list } = listType
  return t.field({
    ...optionsOf(t, listType, description),
    // Plans read the cursors of lists by creation only.
    ...(list.orderedBy === 'CREATION' && { extensions: { compile: compileList(list, null) } }),
    resolve: async (_root: Parent, args: ListArgs, { caller }: Context) => {
      const filter = filterOf(list, args.filter, 'filter')
      const window = windowOfArgs(args)
      return connectionOf(await list.page(caller, filter, window), window, () => list.count(caller, filter))
    },
  })
}

/** `ITS_TYPE` is the name of the parent's type. Parents with the same arguments share one statement for their pages, and one for their counts. */
export const linkedListField = <Parent extends { readonly id: string }, T extends Listed, F, P extends string>(
  t: FieldBuilder<Parent>,
  listType: ListType<T, F, P>,
  parentKind: P | 'ITS_TYPE',
  description: string,
) => {
  const { list } = listType
  return t.field({
    ...optionsOf(t, listType, description),
    extensions: { compile: compileList(list, parentKind) },
    resolve: async ({ id }: Parent, args: ListArgs, context: Context, { parentType }: GraphQLResolveInfo) => {
      const kind = (parentKind === 'ITS_TYPE' ? parentType.name : parentKind) as P
      const filter = filterOf(list, args.filter, 'filter')
      const window = windowOfArgs(args)
      const pagesOf = (caller: Caller, ids: readonly string[]) => list.pagesOf(caller, kind, ids, filter, window)
      const countsOf = (caller: Caller, ids: readonly string[]) => list.countsOf(caller, kind, ids, filter)
      const key = `${list.name} of ${kind}`
      const page = await load(context, pagesOf, id, `${key} ${JSON.stringify([filter, window])}`)
      const countAll = () => load(context, countsOf, id, `count of ${key} ${JSON.stringify(filter)}`)
      return connectionOf(page, window, countAll)
    },
  })
}
