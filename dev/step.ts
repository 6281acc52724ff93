/** Prints the title of the work, and at the end how long it took. */
export const step = async <Result>(title: string, work: () => Promise<Result>) => {
  process.stdout.write(`${title} … `)
  const began = performance.now()
  const result = await work()
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`)
  return result
}
