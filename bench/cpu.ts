/** Milliseconds of CPU that this process has used. */
export const cpuOf = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
