import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { ApiError } from '#core/errors.ts'
import { logFailure } from '#core/log.ts'
import { bytesOfUtf8Json, utf8Json } from '#core/utf8-json.ts'
import { isOutage } from '#database/outage.ts'
import { ReplicaLost } from '#database/replicas/reading.ts'
import type { Context } from '#graphql/builder.ts'
import { keepLimit } from '#graphql/limits/limits.ts'
import { NotCompiled } from './json.ts'
import { planOf } from './plan.ts'

interface Written extends ExecutionResult {
  /** Yoga calls this to serialize the result. Bytes are sent as they are. */
  readonly stringify: (result: ExecutionResult) => Buffer
}

const written = (data: string): Written => {
  const answer = bytesOfUtf8Json(`{"data":${data}}`)
  keepLimit('maxAnswerBytes', answer.length)
  return {
    data: {},
    stringify: ({ extensions }) =>
      extensions ? bytesOfUtf8Json(`{"data":${data},"extensions":${utf8Json(JSON.stringify(extensions))}}`) : answer,
  }
}

/** Failures of a plan that are no fault in it. The ordinary executor reports those that the client must see. */
const EXPECTED = [NotCompiled, ApiError, GraphQLError, ReplicaLost]

/**
 * Answers a query by its plan if every field has a compiled writer. The ordinary executor answers all others. It also answers a query that fails,
 * because only it reports errors. A fault in the plan would only show as slowness, so it is logged.
 */
export const usePlans = (): Plugin => ({
  onExecute({ args, executeFn, setExecuteFn }) {
    const { caller } = args.contextValue as unknown as Partial<Context>
    const plan = caller && planOf(args)
    if (!plan) return
    setExecuteFn(async (given) => {
      const context = given.contextValue as Context
      try {
        return written(await plan(context))
      } catch (error) {
        const isExpected = EXPECTED.some((type) => error instanceof type) || isOutage(error)
        if (!isExpected) logFailure({ traceId: context.traceId }, error)
        return executeFn(given)
      }
    })
  },
})
