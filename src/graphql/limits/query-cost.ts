// Checks the cost of operations, and reports it in responses on request and through the query `queryCost`.
import { getOperationAST } from 'graphql'
import { validate } from 'graphql/validation/validate.js'
import type { Plugin } from 'graphql-yoga'
import type { Caller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { isJsonObject } from '#core/json/strict-json.ts'
import { builder } from '#graphql/builder.ts'
import { unknownOperation } from '#graphql/errors/errors.ts'
import { remainingNodes, spend } from './budget.ts'
import { costOf, rememberedCost } from './cost.ts'
import { readDocument } from './document-limits.ts'
import { costing } from './field-cost.ts'
import { keepLimit, limitOf } from './limits.ts'
import type { SentArgs } from './sent-args.ts'

interface QueryCost {
  readonly nodes: number
  readonly maxNodes: number
  readonly remainingNodes: number
  readonly nodesPerMinute: number
}

const reportCost = (caller: Caller, nodes: number): QueryCost => ({
  nodes,
  maxNodes: limitOf('maxNodes'),
  remainingNodes: remainingNodes(caller),
  nodesPerMinute: limitOf('nodesPerMinute'),
})

/** The request header that asks for `extensions.cost` in the response. */
const HEADER = 'x-query-cost'

interface RequestOfCost {
  readonly request: Request
  /** Absent without credentials. Public operations are cheap and are not counted. */
  readonly caller?: Caller
  /** For a message of a subscription: how full it is, from 0 to 1. */
  readonly fullness?: number
}

/**
 * Before execution, throws 400 `QUERY_TOO_COMPLEX` beyond `maxNodes` and 429 `RATE_LIMITED` beyond `nodesPerMinute`. Each message of a
 * subscription is executed, and costs what it holds; the start costs as much as a full one.
 */
export const useQueryCost = (): Plugin<object, RequestOfCost> => ({
  onSubscribe({ args: { schema, document, operationName, variableValues, contextValue } }) {
    const operation = getOperationAST(document, operationName)
    const { caller } = contextValue as RequestOfCost
    if (!operation || !caller) return
    const nodes = costOf(schema, document, operation, variableValues ?? {})
    keepLimit('maxNodes', nodes)
    spend(caller, nodes)
  },
  onExecute({ args: { schema, document, operationName, variableValues, contextValue } }) {
    const operation = getOperationAST(document, operationName)
    if (!operation) return
    const { caller, request, fullness = 1 } = contextValue as RequestOfCost
    const most = rememberedCost(schema, document, operation, variableValues ?? {})
    keepLimit('maxNodes', most)
    if (!caller) return
    const nodes = Math.max(1, Math.ceil(most * fullness))
    spend(caller, nodes)
    if (request.headers.get(HEADER) !== 'true') return
    return {
      onExecuteDone({ result, setResult }) {
        if ('next' in result || Symbol.asyncIterator in result) return
        setResult({ ...result, extensions: { ...result.extensions, cost: reportCost(caller, nodes) } })
      },
    }
  },
})

const QueryCostType = builder.objectRef<QueryCost>('QueryCost').implement({
  description:
    'Cost of an operation, in nodes. Each row costs 1, and each field that reads rows costs 30 more. A page counts as its size plus 1 rows, an unpaged list as 10, a mutation as 10. The lists around a field multiply its rows, but not the 30, because they share a statement. Introspection costs 1 per 20 values. A subscription costs as much as one full message when it starts. Each message then costs what it contains, at least 1. Send the header `x-query-cost: true` to receive these figures in `extensions.cost`.',
  fields: (t) => ({
    nodes: t.exposeInt('nodes', { nullable: false, description: 'Cost of the operation, in nodes.' }),
    maxNodes: t.exposeInt('maxNodes', {
      nullable: false,
      description: 'Maximum cost of an operation. A higher cost is refused with `QUERY_TOO_COMPLEX`.',
    }),
    remainingNodes: t.exposeInt('remainingNodes', {
      nullable: false,
      description: 'Nodes that the caller has left now. A higher cost is refused with `RATE_LIMITED`.',
    }),
    nodesPerMinute: t.exposeInt('nodesPerMinute', {
      nullable: false,
      description: 'The budget of the caller, and the number of nodes by which it refills per minute.',
    }),
  }),
})

/** Validating a document takes about as long as reading 30 rows, and each 100 characters as long as one more. */
const rowsOfDryRun = ({ document }: SentArgs) =>
  30 + Math.ceil((typeof document === 'string' ? document.length : 0) / 100)

builder.queryField('queryCost', (t) =>
  t.field({
    type: QueryCostType,
    description:
      'Computes the cost of an operation without executing it. Errors: `INVALID_INPUT` if the document is invalid, `QUERY_TOO_COMPLEX` if it exceeds a limit other than its cost.',
    extensions: costing({ rows: rowsOfDryRun }),
    args: {
      document: t.arg.string({ required: true, description: 'Text of the GraphQL document.' }),
      operationName: t.arg.string({ description: 'Name of the operation. Required if the document has several.' }),
      variables: t.arg({ type: 'JSON', description: 'The variables, as an object. Page sizes affect the cost.' }),
    },
    resolve: (_root, { document: text, operationName, variables: given }, { caller }, { schema }) => {
      const variables = given ?? {}
      if (!isJsonObject(variables)) throw invalidInput('variables', 'variables must be an object')
      const document = readDocument(text)
      if (!document) throw invalidInput('document', 'document must be a valid GraphQL document')
      const [error] = validate(schema, document, undefined, { maxErrors: 1 })
      if (error) throw invalidInput('document', error.message)
      const operation = getOperationAST(document, operationName)
      if (!operation) throw unknownOperation()
      return reportCost(caller, costOf(schema, document, operation, variables))
    },
  }),
)
