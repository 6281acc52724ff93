import { type DocumentNode, type ExecutionArgs, getOperationAST, Kind } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { RequestContext } from '#core/request-context.ts'

interface ExecutionContext {
  readonly requestContext: RequestContext
}

/** Records the operation for logs, metrics and traces. */
export const useOperationName = (): Plugin<object, ExecutionContext> => ({
  onExecute: ({ args }) => record(args),
  onSubscribe: ({ args }) => record(args),
})

const record = ({ document, operationName, contextValue }: ExecutionArgs) => {
  const { requestContext } = contextValue as ExecutionContext
  requestContext.operation = operationOf(document, operationName)
}

/** For example `query transactions`, or `query several` for more than one root field. Names chosen by the client are not used. */
const operationOf = (document: DocumentNode, name: string | null | undefined) => {
  const operation = getOperationAST(document, name)
  const [first, ...more] = operation?.selectionSet.selections ?? []
  const field = more.length === 0 && first?.kind === Kind.FIELD ? first.name.value : 'several'
  return `${operation?.operation} ${field}`
}
