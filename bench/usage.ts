export interface Usage {
  /** Milliseconds of CPU that the process has used. */
  readonly cpu: number
  /** Bytes of memory that the process holds. */
  readonly memory: number
}

/** The usage of this process. */
export const usage = (): Usage => {
  const { user, system } = process.cpuUsage()
  return { cpu: (user + system) / 1000, memory: process.memoryUsage.rss() }
}
