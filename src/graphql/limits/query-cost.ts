// The price of an operation is public: told with the answer when asked for, and without running it.
import { getOperationAST } from 'graphql'
import { validate } from 'graphql/validation/validate.js'
import type { Plugin } from 'graphql-yoga'
import type { Caller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { isJsonObject } from '#core/strict-json.ts'
import { builder } from '#graphql/builder.ts'
import { remainingNodes, spend } from './budget.ts'
import { costOf } from './cost.ts'
import { readDocument } from './document-limits.ts'
import { costing } from './field-cost.ts'
import { keepLimit, limitOf } from './limits.ts'

interface QueryCost {
  readonly nodes: number
  readonly maxNodes: number
  readonly remainingNodes: number
  readonly nodesPerMinute: number
}

const tell = (caller: Caller, nodes: number): QueryCost => ({
  nodes,
  maxNodes: limitOf('maxNodes'),
  remainingNodes: remainingNodes(caller),
  nodesPerMinute: limitOf('nodesPerMinute'),
})

/** Asks for `extensions.cost` in the answer. */
const HEADER = 'x-query-cost'

interface RequestOfCost {
  readonly request: Request
  /** Absent when there were no credentials: what is public reads next to nothing. */
  readonly caller?: Caller
}

/** Before anything runs: 400 `QUERY_TOO_COMPLEX` for more than one request may read, 429 `RATE_LIMITED` for more than a minute's. */
export const useQueryCost = (): Plugin<object, RequestOfCost> => ({
  onExecute({ args: { schema, document, operationName, variableValues, contextValue } }) {
    const operation = getOperationAST(document, operationName)
    if (!operation) return
    const { caller, request } = contextValue as RequestOfCost
    const nodes = costOf(schema, document, operation, variableValues ?? {})
    keepLimit('maxNodes', nodes)
    if (!caller) return
    spend(caller, nodes)
    if (request.headers.get(HEADER) !== 'true') return
    return {
      onExecuteDone({ result, setResult }) {
        if ('next' in result || Symbol.asyncIterator in result) return
        setResult({ ...result, extensions: { ...result.extensions, cost: tell(caller, nodes) } })
      },
    }
  },
})

const QueryCostType = builder.objectRef<QueryCost>('QueryCost').implement({
  description:
    'What an operation counts for. A node stands for a row: a page counts for its size and one more, a list without pages for ten, however long it is, each with all that is selected in it; a write for ten; introspection for one for twenty values that it returns. The request header `x-query-cost: true` puts the same figures into `extensions.cost` of an answer.',
  fields: (t) => ({
    nodes: t.exposeInt('nodes', { nullable: false, description: 'What the operation counts for.' }),
    maxNodes: t.exposeInt('maxNodes', { nullable: false, description: 'Beyond this it is `QUERY_TOO_COMPLEX`.' }),
    remainingNodes: t.exposeInt('remainingNodes', {
      nullable: false,
      description: 'What the caller has left at this moment. Beyond this it is `RATE_LIMITED`.',
    }),
    nodesPerMinute: t.exposeInt('nodesPerMinute', {
      nullable: false,
      description: 'What the caller has at most, and how fast it fills up again.',
    }),
  }),
})

const ROWS_OF_DRY_RUN = 10

builder.queryField('queryCost', (t) =>
  t.field({
    type: QueryCostType,
    description:
      'What an operation would count for. Nothing of it is executed. Errors: `INVALID_INPUT` when it is not valid, `QUERY_TOO_COMPLEX` when it is refused whatever its cost.',
    extensions: costing({ rows: ROWS_OF_DRY_RUN }),
    args: {
      document: t.arg.string({ required: true, description: 'The text of the GraphQL document.' }),
      operationName: t.arg.string({ description: 'Which operation of the document, when it has several.' }),
      variables: t.arg({ type: 'JSON', description: 'An object with the variables: page sizes count.' }),
    },
    resolve: (_root, { document: text, operationName, variables: given }, { caller }, { schema }) => {
      const variables = given ?? {}
      if (!isJsonObject(variables)) throw invalidInput('variables', 'variables must be an object')
      const document = readDocument(text)
      if (!document) throw invalidInput('document', 'document must be a GraphQL document')
      const [error] = validate(schema, document, undefined, { maxErrors: 1 })
      if (error) throw invalidInput('document', error.message)
      const operation = getOperationAST(document, operationName)
      if (!operation) throw invalidInput('operationName', 'operationName must be that of an operation of the document')
      return tell(caller, costOf(schema, document, operation, variables))
    },
  }),
)
