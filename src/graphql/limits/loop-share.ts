// Compares the recent event loop time of platforms, so that those that use much of it make way for the others.
import type { PlatformId } from '#core/ids.ts'
import { servedPlatforms } from '#http/platform-queue.ts'

/** A platform is heavier than another one if it has used this many times as much. */
const HEAVIER = 4

/** Milliseconds. Platforms that have used less than this count as equal. */
const LITTLE_MS = 20

const HALF_LIFE_MS = 1_000

/** Loop time that has decayed to less than this is forgotten. */
const NOTHING_MS = 1

interface Used {
  /** Halves every second. */
  milliseconds: number
  at: number
}

const recent = new Map<PlatformId, Used>()

const decayed = ({ milliseconds, at }: Used, now: number) => milliseconds * 0.5 ** ((now - at) / HALF_LIFE_MS)

export const chargeLoopTime = (platformId: PlatformId, milliseconds: number, now: number): void => {
  const used = recent.get(platformId)
  if (!used) recent.set(platformId, { milliseconds, at: now })
  else {
    used.milliseconds = decayed(used, now) + milliseconds
    used.at = now
  }
}

/** The time used by the least demanding platform that is being served. Infinite if no platform is being served. */
let lightest = Number.POSITIVE_INFINITY

/** Looks at the platforms that are being served now. */
export const findLightest = (): void => {
  const now = performance.now()
  lightest = Number.POSITIVE_INFINITY
  for (const platformId of servedPlatforms()) {
    const used = recent.get(platformId)
    lightest = Math.min(lightest, used ? decayed(used, now) : 0)
  }
}

/** Whether the platform has recently used much more than another one that is being served. */
export const isHeavier = (platformId: PlatformId): boolean => {
  const used = recent.get(platformId)
  return used !== undefined && used.milliseconds > HEAVIER * Math.max(lightest, LITTLE_MS)
}

const forget = () => {
  const now = performance.now()
  for (const [platformId, used] of recent) if (decayed(used, now) < NOTHING_MS) recent.delete(platformId)
}
setInterval(forget, 60_000).unref()
