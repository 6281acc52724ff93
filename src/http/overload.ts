// Whether this process has more to do than it can: then it is better to refuse at once than to answer late.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { config } from '#core/config.ts'

const LOOKED_AT_EVERY_MS = 1000

let isLate = false

/** From now on. Of the last second: a single long pause that is over is no overload. */
export const watchDelay = () => {
  const delay = monitorEventLoopDelay()
  delay.enable()
  setInterval(() => {
    isLate = delay.mean > config.overloadDelayMs * 1e6
    delay.reset()
  }, LOOKED_AT_EVERY_MS).unref()
}

export const isOverloaded = () => isLate
