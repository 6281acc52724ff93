import SchemaBuilder from '@pothos/core'
import RelayPlugin from '@pothos/plugin-relay'
import type { Caller } from '#core/caller.ts'
import { itemOfPage, pageItems } from '#graphql/limits/field-cost.ts'
import type { LoopTime } from './limits/loop-time.ts'
import type { Loaders } from './load.ts'
import { typeOfNode } from './node-types.ts'

/** The context of resolvers. Operations without credentials never reach a resolver that reads `caller`. */
export interface Context {
  readonly caller: Caller
  readonly loaders: Loaders
  /** Absent without credentials. */
  readonly loopTime?: LoopTime
  readonly traceId: string
  readonly request: Request
  /** Finds the client address for limits, with `clientAddressOf`. Null for requests in process. */
  readonly clientAddress: () => string | null
  /** Headers to add to the response. */
  readonly answerHeaders: Map<string, string>
}

type Scalars = {
  ID: { Input: string; Output: string }
  DateTime: { Input: string; Output: string }
  Int64: { Input: bigint; Output: bigint | number }
  Date: { Input: string; Output: string }
  Decimal: { Input: string; Output: string }
  Base64URL: { Input: string; Output: string }
  Hex: { Input: string; Output: string }
  JSON: { Input: unknown; Output: unknown }
}

export const builder = new SchemaBuilder<{
  Context: Context
  Scalars: Scalars
  DefaultEdgesNullability: false
}>({
  plugins: [RelayPlugin],
  relay: {
    cursorType: 'String',
    brandLoadedObjects: false,
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodesOnConnection: { description: 'The nodes of the edges.', extensions: pageItems },
    edgesFieldOptions: {
      nullable: false,
      description: 'The items of the page with their cursors.',
      extensions: pageItems,
    },
    nodeFieldOptions: { nullable: false, description: 'The item.', extensions: itemOfPage },
    cursorFieldOptions: { description: 'Opaque position of the item in the list.' },
    pageInfoFieldOptions: { description: 'Whether more pages exist, and the cursors to reach them.' },
    pageInfoTypeOptions: { description: 'Whether more pages exist, and the cursors to reach them.' },
    hasNextPageFieldOptions: {
      description: 'Whether items follow this page. When paging backward, true if `before` was given.',
    },
    hasPreviousPageFieldOptions: {
      description: 'Whether items precede this page. When paging forward, true if `after` was given.',
    },
    startCursorFieldOptions: { description: 'Cursor of the first item. Null on an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last item. Null on an empty page.' },
    nodeTypeOptions: {
      description: 'An object with a globally unique id of the form `<Kind>:<uuid>`.',
      resolveType: typeOfNode,
    },
    idFieldOptions: { description: 'Id of the form `<Kind>:<uuid>`. REST and webhooks use the same id.' },
  },
})

export type SchemaTypes = typeof builder.$inferSchemaTypes
/** Defines the fields of an object whose values are a `Parent`. */
export type FieldBuilder<Parent> = PothosSchemaTypes.RootFieldBuilder<SchemaTypes, Parent>

builder.queryType({ description: 'Read operations.' })
builder.mutationType({
  description:
    'Write operations. Expected failures, such as a missing permission, are members of the payload union. Failures of the service itself are in `errors`.',
})

builder.subscriptionType({
  description:
    'State changes as they happen, as server-sent events (the protocol GraphQL over SSE, with distinct connections): POST with `accept: text/event-stream`. Each message has its cursor as the `id`. A client resumes with the last cursor as `after` or in the header `Last-Event-ID`, also after `complete`. A message without `data` has errors and is the last one.',
})

export const NodeInterface = builder.nodeInterfaceRef()
