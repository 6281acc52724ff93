// Caps the event loop time of an operation, and shares the event loop between platforms while operations need much of it.
import type { ExecutionResult, GraphQLFieldResolver, GraphQLSchema } from 'graphql'
import { isObjectType } from 'graphql/type/definition.js'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { ofThisRequest } from '#database/replicas/reading.ts'
import { charge } from './budget.ts'
import { limitOf } from './limits.ts'
import { chargeLoopTime, findLightest, isHeavier } from './loop-share.ts'

/** After this long in one turn of the event loop, the resolvers of all operations are queued, so that new requests are served in between. */
const SLICE_MS = 5

interface Metered {
  readonly caller?: Caller
  loopTime?: LoopTime
}

export interface LoopTime {
  readonly platformId: PlatformId
  /** The number of its queued resolvers, and what to run when none is left. */
  waiting: number
  readonly whenNoneWaits: (() => void)[]
  /** Milliseconds of the whole operation. */
  used: number
  isOver: boolean
  /** Ends the operation with an error. */
  readonly end: () => void
}

// The operation whose resolver ran last in this turn of the event loop, and when. When the first resolver of this turn began.
let running: LoopTime | undefined
let lastAt = 0
let turnBegan = 0

/** Reading the CPU time takes much longer than the time of day, so it is read only once in this time. */
const READ_CPU_EVERY_MS = 50

// The process's CPU time at the beginning of this turn or up to this long before.
let cpuRead = 0
let cpuReadAt = Number.NEGATIVE_INFINITY

/** In milliseconds. */
const cpuTime = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** What an operation is charged for a time in which it ran. A busy machine may not have run the process for all of it. */
const usedOf = (milliseconds: number) =>
  milliseconds < SLICE_MS ? milliseconds : Math.min(milliseconds, cpuTime() - cpuRead)

const endTurn = () => {
  running = undefined
}

const isTurnOver = () => lastAt - turnBegan >= SLICE_MS

/**
 * Adds the time that the process has run since the operation's previous resolver, unless another operation ran in between. Ends the
 * operation at the limit.
 */
const measure = (time: LoopTime) => {
  const now = performance.now()
  if (running === time) {
    const used = usedOf(now - lastAt)
    time.used += used
    chargeLoopTime(time.platformId, used, now)
  } else if (running === undefined) {
    turnBegan = now
    if (now - cpuReadAt >= READ_CPU_EVERY_MS) {
      cpuRead = cpuTime()
      cpuReadAt = now
    }
    setImmediate(endTurn)
    findLightest()
  }
  running = time
  lastAt = now
  if (time.isOver || time.used <= limitOf('maxMilliseconds')) return
  time.isOver = true
  time.end()
}

/** Queued resolvers by platform. The platforms are served round-robin, so a long queue of one does not delay the others. */
const queues = new Map<PlatformId, (() => void)[]>()

/** How long one platform's resolvers run before the next platform's. */
const PLATFORM_TURN_MS = 1

/** After a turn of a platform that uses much more than the others, the others get the event loop for this many times as long. */
const REST_PER_TURN = 3

/** The platforms that use much more than others wait until this time, in milliseconds of `performance.now()`. */
let restEndsAt = 0

let nextSlice: NodeJS.Immediate | undefined
let restEnds: NodeJS.Timeout | undefined

const nextInTurn = () => {
  const isRest = performance.now() < restEndsAt
  for (const entry of queues) if (!isRest || !isHeavier(entry[0])) return entry
  return undefined
}

const schedule = () => {
  if (nextSlice) return
  clearTimeout(restEnds)
  if (nextInTurn()) nextSlice = setImmediate(runSlice)
  else if (queues.size > 0) restEnds = setTimeout(runSlice, restEndsAt - performance.now())
}

const runSlice = () => {
  nextSlice = undefined
  findLightest()
  const endsAt = performance.now() + SLICE_MS
  for (let next = nextInTurn(); next && performance.now() < endsAt; next = nextInTurn()) {
    const [platform, waiting] = next
    const began = performance.now()
    let ran = 0
    do {
      waiting[ran]?.()
      ran += 1
    } while (ran < waiting.length && performance.now() - began < PLATFORM_TURN_MS)
    waiting.splice(0, ran)
    // Requeue this platform at the end, so that the next one is first.
    queues.delete(platform)
    if (waiting.length > 0) queues.set(platform, waiting)
    const ended = performance.now()
    if (isHeavier(platform)) restEndsAt = ended + REST_PER_TURN * (ended - began)
  }
  schedule()
}

/** The promise never settles once the operation has ended, because its response has already been decided. */
const enqueue = (time: LoopTime, resolve: () => unknown): Promise<unknown> =>
  new Promise((fulfil, reject) => {
    const waiting = queues.get(time.platformId) ?? []
    queues.set(time.platformId, waiting)
    time.waiting += 1
    const inTurn = () => {
      time.waiting -= 1
      measure(time)
      if (time.isOver) return
      try {
        fulfil(resolve())
      } catch (error) {
        reject(error)
      }
      measure(time)
      if (time.waiting === 0) for (const run of time.whenNoneWaits.splice(0)) run()
    }
    waiting.push(ofThisRequest(inTurn))
    schedule()
  })

/**
 * Runs `dispatch` once the resolvers of this turn, including the queued ones, have run. A batch is then as large as it would be
 * without pauses, and a page takes the same number of statements.
 */
export const afterResolvers = (time: LoopTime | undefined, dispatch: () => void): void => {
  void Promise.resolve().then(() =>
    process.nextTick(() => {
      if (!time || time.waiting === 0) dispatch()
      else time.whenNoneWaits.push(() => afterResolvers(time, dispatch))
    }),
  )
}

const OVER_TIME = new ApiError(
  'SERVICE_UNAVAILABLE',
  'The operation took too long. Select fewer fields or smaller pages.',
  { reason: 'MAX_MILLISECONDS', limit: limitOf('maxMilliseconds') },
)

/** Measures all resolvers that compute something. Resolvers that only read a property cost less than the measurement. */
export const meterResolvers = (schema: GraphQLSchema): GraphQLSchema => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__') || type === schema.getMutationType()) continue
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field
      if (resolve && !field.extensions['pothosExposedField']) field.resolve = metered(resolve)
    }
  }
  return schema
}

const metered =
  (resolve: GraphQLFieldResolver<unknown, Metered>): GraphQLFieldResolver<unknown, Metered> =>
  (parent, args, context, info) => {
    const { loopTime } = context
    if (!loopTime) return resolve(parent, args, context, info)
    measure(loopTime)
    if (loopTime.isOver) return never()
    if (isTurnOver() || isHeavier(loopTime.platformId))
      return enqueue(loopTime, () => resolve(parent, args, context, info))
    return resolve(parent, args, context, info)
  }

/**
 * For work between resolvers: measures it like a resolver, and returns what to wait for before going on, if the operation has to leave
 * the event loop to others or has ended.
 */
export const pauseOf = (time: LoopTime | undefined): Promise<unknown> | undefined => {
  if (!time) return undefined
  measure(time)
  if (time.isOver) return never()
  return isTurnOver() || isHeavier(time.platformId) ? enqueue(time, () => undefined) : undefined
}

/** A new one each time: a promise that is shared and never settles would keep everything that waits for it in memory. */
const never = () => new Promise(() => {})

/** The cost of an ended operation. The rate limit stops a caller who repeats it at a quarter of the process's time. */
const nodesOf = (milliseconds: number) => (milliseconds * limitOf('nodesPerMinute')) / 15_000

/**
 * Ends an operation with 503 `SERVICE_UNAVAILABLE` once it has used more than `maxMilliseconds`. Changes that a mutation has made by
 * then remain. This must come after the plugins that execute with resolvers.
 */
export const useLoopTime = (): Plugin<object, Metered> => ({
  onExecute({ args: { contextValue }, executeFn, setExecuteFn }) {
    const context = contextValue as Metered
    const { caller } = context
    if (!caller) return
    setExecuteFn((args) => {
      const ended = new Promise<ExecutionResult>((resolve) => {
        const end = () => {
          charge(caller, nodesOf(limitOf('maxMilliseconds')))
          resolve({ errors: [createGraphQLError('', { originalError: OVER_TIME })] })
        }
        context.loopTime = {
          platformId: caller.platformId,
          waiting: 0,
          whenNoneWaits: [],
          used: 0,
          isOver: false,
          end,
        }
      })
      return Promise.race([executeFn(args), ended])
    })
  },
})
