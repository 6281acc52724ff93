import SchemaBuilder from '@pothos/core'
import RelayPlugin from '@pothos/plugin-relay'
import type { Caller } from '#core/caller.ts'
import { itemOfPage, pageItems } from '#graphql/limits/field-cost.ts'
import type { LoopTime } from './limits/loop-time.ts'
import type { Loaders } from './load.ts'
import { typeOfNode } from './node-types.ts'

/** What resolvers know of the request. Operations without credentials reach no resolver that reads `caller`. */
export interface Context {
  readonly caller: Caller
  readonly loaders: Loaders
  /** Absent without credentials. */
  readonly loopTime?: LoopTime
  readonly traceId: string
  readonly request: Request
  /** Where the request came from, null in process. */
  readonly clientAddress: string | null
  /** Added to the headers of the answer. */
  readonly answerHeaders: Headers
}

type Scalars = {
  ID: { Input: string; Output: string }
  DateTime: { Input: string; Output: string }
  Int64: { Input: bigint; Output: bigint | number }
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
      description: 'The items of the page, each with its cursor.',
      extensions: pageItems,
    },
    nodeFieldOptions: { nullable: false, description: 'The item.', extensions: itemOfPage },
    cursorFieldOptions: { description: 'Place of the item in the list. Opaque.' },
    pageInfoFieldOptions: { description: 'Position of the page in its list.' },
    pageInfoTypeOptions: { description: 'Position of a page in its connection.' },
    hasNextPageFieldOptions: { description: 'Whether items follow.' },
    hasPreviousPageFieldOptions: { description: 'Whether items precede.' },
    startCursorFieldOptions: { description: 'Cursor of the first item; null on an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last item; null on an empty page.' },
    nodeTypeOptions: {
      description: 'An object with a globally unique id of the form `<Kind>:<uuid>`.',
      resolveType: typeOfNode,
    },
    idFieldOptions: { description: '`<Kind>:<uuid>`, the same string that the REST interface and webhooks use.' },
  },
})

builder.queryType({ description: 'Reads.' })
builder.mutationType({
  description:
    'Writes. Expected failures, a missing permission among them, are members of the payload union; failures of the service itself come in `errors`.',
})

export const NodeInterface = builder.nodeInterfaceRef()
