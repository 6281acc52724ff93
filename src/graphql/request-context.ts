import { type DocumentNode, getOperationAST, Kind } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Caller } from '#core/caller.ts'
import type { Visit } from '#core/request-context.ts'

interface Asked {
  readonly visit: Visit
  readonly caller?: Caller
}

/** Records the operation and the platform for logs, metrics and traces. */
export const useVisit = (): Plugin<object, Asked> => ({
  onExecute({ args: { document, operationName, contextValue } }) {
    const { visit, caller } = contextValue as unknown as Asked
    visit.operation = operationOf(document, operationName)
    if (caller) visit.platformId = caller.platformId
  },
})

/** For example `query transactions`, or `query several` for more than one root field. Names chosen by the client are not used. */
const operationOf = (document: DocumentNode, name: string | null | undefined) => {
  const operation = getOperationAST(document, name)
  const [first, ...more] = operation?.selectionSet.selections ?? []
  const field = more.length === 0 && first?.kind === Kind.FIELD ? first.name.value : 'several'
  return `${operation?.operation} ${field}`
}
