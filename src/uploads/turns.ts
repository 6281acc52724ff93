// Bounds the uploads that this process receives at once. The others wait, and their bodies are not read in the meantime.
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'

const MOST = 20
const MOST_OF_PLATFORM = 10
const MOST_WAITING = 500
/** Shorter than the time that a client may take to send its body. */
const WAIT_MS = 60_000
const RETRY_AFTER_SECONDS = 5

const running = new Map<PlatformId, number>()
let total = 0

/** Oldest first. */
const waiting = new Set<{ readonly platformId: PlatformId; readonly begin: () => void }>()

/** Runs `work` when it is its turn. Throws 429 `RATE_LIMITED` if that takes longer than a minute, or if too many are waiting. */
export const inUploadTurn = async <T>(platformId: PlatformId, work: () => Promise<T>): Promise<T> => {
  if (mayStart(platformId)) start(platformId)
  else await waitForTurn(platformId)
  try {
    return await work()
  } finally {
    total -= 1
    const left = runningOf(platformId) - 1
    if (left === 0) running.delete(platformId)
    else running.set(platformId, left)
    startNext()
  }
}

const runningOf = (platformId: PlatformId) => running.get(platformId) ?? 0

const mayStart = (platformId: PlatformId) => total < MOST && runningOf(platformId) < MOST_OF_PLATFORM

const start = (platformId: PlatformId) => {
  running.set(platformId, runningOf(platformId) + 1)
  total += 1
}

const startNext = () => {
  for (const next of waiting) {
    if (!mayStart(next.platformId)) continue
    waiting.delete(next)
    next.begin()
    return
  }
}

const waitForTurn = (platformId: PlatformId) =>
  new Promise<void>((resolve, reject) => {
    if (waiting.size >= MOST_WAITING) return reject(tooMany())
    const timer = setTimeout(() => {
      waiting.delete(next)
      reject(tooMany())
    }, WAIT_MS)
    const next = {
      platformId,
      begin: () => {
        clearTimeout(timer)
        start(platformId)
        resolve()
      },
    }
    waiting.add(next)
  })

const tooMany = () =>
  new ApiError('RATE_LIMITED', 'Too many concurrent uploads', { retryAfterSeconds: RETRY_AFTER_SECONDS })
