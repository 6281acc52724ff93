import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { bytesOfUtf8Json, utf8Json } from '#core/utf8-json.ts'
import type { Context } from '#graphql/builder.ts'
import { limitOf } from '#graphql/limits/limits.ts'
import { planOf } from './plan.ts'

interface Written extends ExecutionResult {
  /** Yoga calls this to serialize the result. Bytes are sent as they are. */
  readonly stringify: (result: ExecutionResult) => Buffer
}

const written = (data: string): Written => {
  const answer = bytesOfUtf8Json(`{"data":${data}}`)
  if (answer.length > limitOf('maxAnswerBytes')) throw new RangeError('The answer is too long')
  return {
    data: {},
    stringify: ({ extensions }) =>
      extensions ? bytesOfUtf8Json(`{"data":${data},"extensions":${utf8Json(JSON.stringify(extensions))}}`) : answer,
  }
}

/**
 * Answers a query by its plan if every field has a compiled writer. The ordinary executor answers all others. It also answers a query that fails,
 * because only it reports errors.
 */
export const usePlans = (): Plugin => ({
  onExecute({ args, executeFn, setExecuteFn }) {
    const { caller } = args.contextValue as unknown as Partial<Context>
    const plan = caller && planOf(args)
    if (!plan) return
    setExecuteFn(async (given) => {
      try {
        return written(await plan(given.contextValue as Context))
      } catch {
        return executeFn(given)
      }
    })
  },
})
