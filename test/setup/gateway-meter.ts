// Loaded into a gateway to measure it: reports the process's resource usage over IPC.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

export interface Use {
  /** CPU time of all threads. */
  readonly milliseconds: number
  /** Bytes in use after a full garbage collection, or 0 if not requested. */
  readonly memory: number
}

const memoryInUse = () => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

process.on('message', (question) => {
  const { user, system } = process.cpuUsage()
  const use: Use = { milliseconds: (user + system) / 1_000, memory: question === 'memory' ? memoryInUse() : 0 }
  process.send?.(use)
})
process.on('disconnect', () => process.exit())
