// Divides the concurrent requests of this process among the platforms. The excess queues per platform, so one tenant cannot starve the others.
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { RequestContext } from '#core/request-context.ts'

const MAX_WAITING = 16 * config.databasePoolSize
const RETRY_AFTER_SECONDS = 1

/** A platform keeps its share for this long after its last request, so that its next one finds a connection. */
const SHARE_MS = 1_000

interface Queue {
  running: number
  /** Oldest first. */
  readonly waiting: Set<() => void>
  leaves?: NodeJS.Timeout
}

/** The platforms that had a request in the last second. */
const queues = new Map<PlatformId, Queue>()

/** One platform may use every database connection while the others are idle. */
const maxRunning = () => Math.max(1, Math.floor(config.databasePoolSize / queues.size))

/**
 * Resolves once the request has a slot, which `requestContext.releaseSlot` releases. Throws 429 `RATE_LIMITED` if the queue is full or
 * no slot becomes free within `DATABASE_WAIT_MS`. A slot must not be held while the client sends its body or reads the response: the
 * client decides how long that takes.
 */
export const acquireSlot = async (requestContext: RequestContext, platformId: PlatformId): Promise<void> => {
  const queue = queues.get(platformId) ?? { running: 0, waiting: new Set() }
  queues.set(platformId, queue)
  clearTimeout(queue.leaves)
  if (queue.running < maxRunning()) queue.running += 1
  else await waitForSlot(queue)
  requestContext.releaseSlot = () => {
    delete requestContext.releaseSlot
    queue.running -= 1
    startWaiting(queue)
    if (queue.running === 0) queue.leaves = setTimeout(leave, SHARE_MS, platformId).unref()
  }
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
    if (queue.running >= maxRunning()) return
    queue.waiting.delete(begin)
    queue.running += 1
    begin()
  }
}

/** The others share what the platform used. */
const leave = (platformId: PlatformId) => {
  queues.delete(platformId)
  for (const queue of queues.values()) startWaiting(queue)
}

const tooMany = () =>
  new ApiError('RATE_LIMITED', 'Too many concurrent requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
