// Caps each platform's concurrent requests in this process. The excess queues per platform, so one tenant cannot starve the others.
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Visit } from '#core/request-context.ts'

/** One platform may use every database connection while the others are idle. */
const AT_ONCE = config.databasePoolSize
const IN_LINE = 16 * AT_ONCE
const RETRY_AFTER_SECONDS = 1

interface Line {
  running: number
  /** Oldest first. */
  readonly waiting: Set<() => void>
}

const lines = new Map<PlatformId, Line>()

/**
 * Resolves once the request has a slot, which `visit.leave` releases. Throws 429 `RATE_LIMITED` if the queue is full or no slot becomes
 * free within `DATABASE_WAIT_MS`.
 */
export const takeTurn = async (visit: Visit, platformId: PlatformId): Promise<void> => {
  const line = lines.get(platformId) ?? { running: 0, waiting: new Set() }
  lines.set(platformId, line)
  if (line.running < AT_ONCE) line.running += 1
  else await waitIn(line)
  visit.leave = () => leave(platformId, line)
}

/** The slot passes directly to the next request, so `running` does not change. */
const waitIn = ({ waiting }: Line) =>
  new Promise<void>((resolve, reject) => {
    if (waiting.size >= IN_LINE) return reject(tooMany())
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

const leave = (platformId: PlatformId, line: Line) => {
  const [next] = line.waiting
  if (next) {
    line.waiting.delete(next)
    next()
    return
  }
  line.running -= 1
  if (line.running === 0) lines.delete(platformId)
}

const tooMany = () =>
  new ApiError('RATE_LIMITED', 'Too many concurrent requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
