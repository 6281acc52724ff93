// Generates load from several callers on keep-alive connections. Each sends its next request after the response, or at a fixed pace.
import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import { send } from './client.ts'

export interface Target {
  readonly name: string
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Round {
  /** Requested in turn. */
  readonly targets: readonly Target[]
  readonly seconds: number
  readonly callers: number
  /** Requests to start per second, regardless of earlier ones. Unlimited if absent. */
  readonly pace?: number
  /** Each target is requested once, without a warm-up. The time is then not limited. */
  readonly isOnce?: boolean
}

export interface Load {
  /** Number of successful responses. */
  readonly perSecond: number
  /** Number of all requests, warm-up included. */
  readonly sent: number
  /** Number of failed requests. */
  readonly failed: number
  /** Milliseconds from the due time of a request to the end of its response. */
  readonly p50: number
  readonly p99: number
}

const WARM_UP_SECONDS = 0.3

process.on('message', (round: Round) => {
  run(round).then(
    (load) => process.send?.(load),
    (error) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

const run = async ({ targets, seconds, callers, pace, isOnce = false }: Round): Promise<Load> => {
  const agent = new Agent({ connections: callers })
  const begin = performance.now() + (isOnce ? 0 : WARM_UP_SECONDS * 1000)
  const end = isOnce ? Infinity : begin + seconds * 1000
  const times: number[] = []
  const started = performance.now()
  let begun = 0
  let failed = 0
  const call = async () => {
    for (;;) {
      if (isOnce && begun === targets.length) return
      const index = begun++
      const due = pace === undefined ? performance.now() : started + (index * 1000) / pace
      if (due > performance.now()) await wait(due - performance.now())
      const { url, method, headers, body } = targets[index % targets.length] as Target
      const { status } = await send(agent, url, { method, headers, body })
      const now = performance.now()
      if (now >= end) return
      if (status >= 300) failed += 1
      else if (now >= begin) times.push(now - due)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  await agent.destroy()
  const measured = isOnce ? (performance.now() - begin) / 1_000 : seconds
  times.sort((a, b) => a - b)
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { perSecond: times.length / measured, sent: begun, failed, p50: quantile(0.5), p99: quantile(0.99) }
}

process.send?.({})
