// The limits of the calls that jobs start (src/database/jobs/calls.ts).
import { expect, it } from 'vitest'
import { finishCalls, startCall } from '#database/jobs/calls.ts'

it('silent servers leave room for a call to each other server, up to a thousand calls in all', async () => {
  const started: string[] = []
  let answer = () => {}
  const silence = new Promise<void>((resolve) => (answer = resolve))
  const call = (server: string, times: number) => {
    const before = started.length
    for (let n = 0; n < times; n++) {
      startCall('test', {
        id: `${server} ${n}`,
        server,
        run: () => {
          started.push(server)
          return silence
        },
      })
    }
    return started.length - before
  }
  for (let n = 0; n < 10; n++) expect(call(`silent ${n}`, 60)).toBe(50)
  // A call that is open is not made again.
  expect(call('silent 0', 60)).toBe(0)
  for (let n = 0; n < 500; n++) expect(call(`other ${n}`, 2)).toBe(1)
  expect(call('one too many', 1)).toBe(0)
  answer()
  await finishCalls()
  expect(call('one too many', 1)).toBe(1)
})
