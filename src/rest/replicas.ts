// Lets GET read at replicas, and returns the position of changes.
import type { Context, Next } from 'hono'
import type { Caller } from '#core/caller.ts'
import { ReplicaLost, readAnywhere } from '#database/replicas/reading.ts'
import { POSITION_HEADER, positionAfterChange, positionIn } from '#http/position.ts'
import type { AgentVariables, RestVariables } from './router.ts'

type CallerContext = Context<RestVariables> | Context<AgentVariables>

/** Runs the handlers behind the middleware that has authenticated the caller. */
export type AnswerCaller = (context: CallerContext, caller: Caller, next: Next) => Promise<void>

export const answerWithout: AnswerCaller = (_context, _caller, next) => next()

type Dispatch = (request: Request, env: RestVariables['Bindings']) => Response | Promise<Response>

/** A handler cannot run twice, so a read whose replica fails is dispatched once more from the start. */
export const answerWithReplicas =
  (dispatch: Dispatch): AnswerCaller =>
  async (context, { platformId }, next) => {
    const { req, env } = context
    if (req.raw.method !== 'GET' && req.raw.method !== 'HEAD') {
      await next()
      const position = await positionAfterChange()
      if (position) context.header(POSITION_HEADER, position)
      return
    }
    if (env.requestContext.isRepeated) return next()
    try {
      await readAnywhere({ platformId, position: positionIn(req.header(POSITION_HEADER)) }, next)
    } catch (error) {
      if (!(error instanceof ReplicaLost)) throw error
      env.requestContext.isRepeated = true
      const repeated = await dispatch(req.raw, env)
      // Hono would add the headers of the answer before.
      context.res = undefined
      context.res = repeated
    }
  }
