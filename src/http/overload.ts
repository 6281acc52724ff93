// Detects overload, so that requests can be refused at once instead of answered late.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { config } from '#core/config.ts'

const CHECK_EVERY_MS = 1000

/** The timer that measures fires this often, and the measured times include its period. */
const RESOLUTION_MS = 10

let isLate = false

/** Starts measuring the event loop delay. It uses the mean over one second, so that a single long pause does not count as overload. */
export const watchDelay = () => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  setInterval(() => {
    isLate = delay.mean / 1e6 - RESOLUTION_MS > config.overloadDelayMs
    delay.reset()
  }, CHECK_EVERY_MS).unref()
}

export const isOverloaded = () => isLate
