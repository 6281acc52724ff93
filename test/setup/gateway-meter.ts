// Loaded into a gateway to measure it: reports the process's resource usage over IPC.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void

export interface Use {
  /** CPU time of all threads. */
  readonly milliseconds: number
  /** Bytes in use after a full garbage collection, or 0 if not requested. */
  readonly memory: number
  /** Bytes of old objects, which survived two collections of young ones, or 0 if not requested. */
  readonly old: number
}

/** A collection frees the buffers that it found unused in the background. The next one waits for that. */
const memoryInUse = () => {
  for (let time = 0; time < 2; time += 1) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const oldInUse = () => {
  for (let time = 0; time < 2; time += 1) collectGarbage({ type: 'minor' })
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
}

process.on('message', (question) => {
  const { user, system } = process.cpuUsage()
  const use: Use = {
    milliseconds: (user + system) / 1_000,
    memory: question === 'memory' ? memoryInUse() : 0,
    old: question === 'old' ? oldInUse() : 0,
  }
  process.send?.(use)
})
process.on('disconnect', () => process.exit())
