// Divides the concurrent requests of this process among the platforms. The excess queues per platform, so one tenant cannot starve the others.
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { currentRequest, type RequestContext } from '#core/request-context.ts'

const MAX_WAITING = 16 * config.databasePoolSize
/** Requests of a platform that wait for other servers without a slot. Further ones keep their slots. */
const MAX_OUTSIDE = 16 * config.databasePoolSize
const RETRY_AFTER_SECONDS = 1

/** A platform keeps its share for this long after its last request, so that its next one finds a connection. */
const SHARE_MS = 1_000

/** A platform counts as being served for this long after its last response, because its next request often follows at once. */
const SERVED_MS = 20

interface Queue {
  running: number
  /** Requests that wait for another server and hold no slot. */
  outside: number
  /** Oldest first. */
  readonly waiting: Set<() => void>
  /** When its last response was ready, in milliseconds of `performance.now()`. */
  endedAt: number
  leaves?: NodeJS.Timeout
}

/** The platforms that had a request in the last second. */
const queues = new Map<PlatformId, Queue>()

/** The requests of all platforms that hold a slot. */
let running = 0

/** Each platform has its share of the connections. It may exceed it while half of all connections are idle. */
const mayStart = (queue: Queue) =>
  queue.running < Math.max(1, Math.floor(config.databasePoolSize / queues.size)) ||
  running < config.databasePoolSize / 2

/**
 * Resolves once the request has a slot, which `requestContext.releaseSlot` releases. Throws 429 `RATE_LIMITED` if the queue is full or
 * no slot becomes free within `DATABASE_WAIT_MS`. A slot must not be held while the client sends its body or reads the response: the
 * client decides how long that takes.
 */
export const acquireSlot = async (requestContext: RequestContext, platformId: PlatformId): Promise<void> => {
  const queue = queues.get(platformId) ?? { running: 0, outside: 0, waiting: new Set(), endedAt: 0 }
  queues.set(platformId, queue)
  clearTimeout(queue.leaves)
  if (mayStart(queue)) start(queue)
  else await waitForSlot(queue)
  let isHeld = true
  requestContext.releaseSlot = () => {
    requestContext.releaseSlot = undefined
    requestContext.withoutSlot = undefined
    if (isHeld) end(queue, platformId)
  }
  requestContext.withoutSlot = async (work) => {
    if (!isHeld || queue.outside >= MAX_OUTSIDE) return work()
    isHeld = false
    queue.outside += 1
    end(queue, platformId)
    try {
      return await work()
    } finally {
      queue.outside -= 1
      isHeld = true
      start(queue)
      // The request may be over, because its client is gone or its deadline has passed.
      if (!requestContext.releaseSlot) end(queue, platformId)
    }
  }
}

/** Runs work that waits for another server, without the slot of the request. A silent server must not block the platform's other requests. */
export const withoutSlot = <T>(work: () => Promise<T>): Promise<T> => currentRequest()?.withoutSlot?.(work) ?? work()

/** The platforms that have a request with a slot now, or had one a moment ago. */
export function* servedPlatforms(): Generator<PlatformId> {
  const now = performance.now()
  for (const [platformId, queue] of queues) if (queue.running > 0 || now - queue.endedAt < SERVED_MS) yield platformId
}

/** Holds a slot for `work` only, which must not wait for the client. For requests that are received in parts. */
export const inSlot = async <T>(
  requestContext: RequestContext,
  platformId: PlatformId,
  work: () => Promise<T>,
): Promise<T> => {
  await acquireSlot(requestContext, platformId)
  try {
    return await work()
  } finally {
    requestContext.releaseSlot?.()
  }
}

const start = (queue: Queue) => {
  queue.running += 1
  running += 1
}

const end = (queue: Queue, platformId: PlatformId) => {
  queue.running -= 1
  queue.endedAt = performance.now()
  running -= 1
  startWaiting(queue)
  if (running < config.databasePoolSize / 2) startAllWaiting()
  if (queue.running + queue.outside === 0) queue.leaves = setTimeout(leave, SHARE_MS, platformId).unref()
}

const waitForSlot = ({ waiting }: Queue) =>
  new Promise<void>((resolve, reject) => {
    if (waiting.size >= MAX_WAITING) return reject(tooMany())
    const begin = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.delete(begin)
      reject(tooMany())
    }, config.databaseWaitMs)
    waiting.add(begin)
  })

const startWaiting = (queue: Queue) => {
  for (const begin of queue.waiting) {
    if (!mayStart(queue)) return
    queue.waiting.delete(begin)
    start(queue)
    begin()
  }
}

const startAllWaiting = () => {
  for (const queue of queues.values()) startWaiting(queue)
}

/** The others share what the platform used. */
const leave = (platformId: PlatformId) => {
  queues.delete(platformId)
  startAllWaiting()
}

const tooMany = () =>
  new ApiError('RATE_LIMITED', 'Too many concurrent requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
