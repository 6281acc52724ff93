// Lets queries read at replicas, and returns the position of mutations.
import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { ReplicaLost, readAnywhere } from '#database/replicas/reading.ts'
import type { Context } from '#graphql/builder.ts'
import { POSITION_HEADER, positionAfterChange, positionIn } from '#http/position.ts'

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult>

/** Must come after the plugins that execute with resolvers. */
export const useReplicas = (): Plugin => ({
  onExecute({ args: { document, operationName, contextValue }, executeFn, setExecuteFn }) {
    const operation = getOperationAST(document, operationName)?.operation
    const context = contextValue as unknown as Partial<Context> & Omit<Context, 'caller'>
    const execute = executeFn as Execute
    if (!context.caller) return
    const { platformId } = context.caller
    if (operation === 'query') {
      setExecuteFn(async (args: ExecutionArgs) => {
        try {
          const position = positionIn(context.request.headers.get(POSITION_HEADER))
          return await readAnywhere({ platformId, position }, () => execute(args))
        } catch (error) {
          if (!(error instanceof ReplicaLost)) throw error
          context.loaders.clear()
          return execute(args)
        }
      })
    } else if (operation === 'mutation') {
      setExecuteFn(async (args: ExecutionArgs) => {
        const result = await execute(args)
        const position = await positionAfterChange()
        if (position) context.answerHeaders.set(POSITION_HEADER, position)
        return result
      })
    }
  },
})
