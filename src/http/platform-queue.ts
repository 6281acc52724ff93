// Caps each platform's concurrent requests in this process. The excess queues per platform, so one tenant cannot starve the others.
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { RequestContext } from '#core/request-context.ts'

/** One platform may use every database connection while the others are idle. */
const MAX_RUNNING = config.databasePoolSize
const MAX_WAITING = 16 * MAX_RUNNING
const RETRY_AFTER_SECONDS = 1

interface Queue {
  running: number
  /** Oldest first. */
  readonly waiting: Set<() => void>
}

const queues = new Map<PlatformId, Queue>()

/**
 * Resolves once the request has a slot, which `requestContext.releaseSlot` releases. Throws 429 `RATE_LIMITED` if the queue is full or
 * no slot becomes free within `DATABASE_WAIT_MS`. A slot must not be held while the client sends its body or reads the response: the
 * client decides how long that takes.
 */
export const acquireSlot = async (requestContext: RequestContext, platformId: PlatformId): Promise<void> => {
  const queue = queues.get(platformId) ?? { running: 0, waiting: new Set() }
  queues.set(platformId, queue)
  if (queue.running < MAX_RUNNING) queue.running += 1
  else await waitForSlot(queue)
  requestContext.releaseSlot = () => {
    delete requestContext.releaseSlot
    releaseSlot(platformId, queue)
  }
}

/** The slot passes directly to the next request, so `running` does not change. */
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

const releaseSlot = (platformId: PlatformId, queue: Queue) => {
  const [next] = queue.waiting
  if (next) {
    queue.waiting.delete(next)
    next()
    return
  }
  queue.running -= 1
  if (queue.running === 0) queues.delete(platformId)
}

const tooMany = () =>
  new ApiError('RATE_LIMITED', 'Too many concurrent requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
