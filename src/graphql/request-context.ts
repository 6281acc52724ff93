import { type DocumentNode, getOperationAST, Kind } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Caller } from '#core/caller.ts'
import type { Visit } from '#core/request-context.ts'

interface Asked {
  readonly visit: Visit
  readonly caller?: Caller
}

/** Notes for logs, metrics and traces what is executed and who asks. */
export const useVisit = (): Plugin<object, Asked> => ({
  onExecute({ args: { document, operationName, contextValue } }) {
    const { visit, caller } = contextValue as unknown as Asked
    visit.operation = operationOf(document, operationName)
    if (caller) visit.platformId = caller.platformId
  },
})

/** Like `query transactions`: of names that stand in the schema, not those of the client, and of several only that they are. */
const operationOf = (document: DocumentNode, name: string | null | undefined) => {
  const operation = getOperationAST(document, name)
  const [first, ...more] = operation?.selectionSet.selections ?? []
  const field = more.length === 0 && first?.kind === Kind.FIELD ? first.name.value : 'several'
  return `${operation?.operation} ${field}`
}
