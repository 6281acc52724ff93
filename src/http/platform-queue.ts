// So many requests of one platform at once in this process: one that asks more waits in its own line, and nobody else waits behind it.
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Visit } from '#core/request-context.ts'

/** Alone, a platform can keep every connection to the database busy. */
const AT_ONCE = config.databasePoolSize
const IN_LINE = 16 * AT_ONCE
const RETRY_AFTER_SECONDS = 1

interface Line {
  running: number
  /** In the order of their arrival. */
  readonly waiting: Set<() => void>
}

const lines = new Map<PlatformId, Line>()

/**
 * Resolves when it is the turn of the request, which ends with `visit.leave`. 429 `RATE_LIMITED` when the line is too long, or does not
 * move within `DATABASE_WAIT_MS`.
 */
export const takeTurn = async (visit: Visit, platformId: PlatformId): Promise<void> => {
  const line = lines.get(platformId) ?? { running: 0, waiting: new Set() }
  lines.set(platformId, line)
  if (line.running < AT_ONCE) line.running += 1
  else await waitIn(line)
  visit.leave = () => leave(platformId, line)
}

/** The turn is handed over: as many are running before and after. */
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
  new ApiError('RATE_LIMITED', 'Too many requests at once', { retryAfterSeconds: RETRY_AFTER_SECONDS })
